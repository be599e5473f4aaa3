#include "server/history/seal_batch.hpp"

#include <algorithm>

namespace countertop::history {

/// Rows of the wanted instances of one object.
class SealBatch::ObjectRows {
 public:
  explicit ObjectRows(const SurveyObject& object) : object_(object) {}

  void want(const SurveyInstance& instance) {
    Rows& rows = rows_[instance.id];
    rows.columns.resize(object_.fields);
    for (auto& column : rows.columns) column.reserve(instance.rows);
  }

  void add(const TickRecord& record) {
    if (record.fields != object_.fields) return;
    if (!std::ranges::equal(record.instances, layout_)) place(record);
    for (const auto& [index, rows] : places_) {
      const std::int64_t* const values = record.values.data() + index * record.fields;
      for (std::size_t field = 0; field < record.fields; ++field)
        rows->columns[field].push_back(values[field]);
      if (!rows->runs.empty() && rows->runs.back().first_row + rows->runs.back().count == row_)
        ++rows->runs.back().count;
      else
        rows->runs.push_back(PresenceRun{row_, 1});
    }
    ++row_;
  }

  [[nodiscard]] const Rows& rows_of(std::uint32_t instance) { return rows_[instance]; }

 private:
  void place(const TickRecord& record) {
    layout_.assign(record.instances.begin(), record.instances.end());
    places_.clear();
    for (std::size_t index = 0; index < layout_.size(); ++index) {
      if (const auto found = rows_.find(layout_[index]); found != rows_.end())
        places_.emplace_back(index, &found->second);
    }
  }

  const SurveyObject& object_;
  std::uint32_t row_ = 0;
  std::unordered_map<std::uint32_t, Rows> rows_;  // nodes stay where they are
  std::vector<std::uint32_t> layout_;
  std::vector<std::pair<std::size_t, Rows*>> places_;
};

Result<std::vector<EncodedChunk>> SealBatch::encode(Database& database, const SealGroup& group,
                                                    std::span<const BatchItem> items) {
  std::unordered_map<std::uint32_t, ObjectRows> objects;
  std::vector<std::uint32_t> wanted;
  for (const BatchItem& item : items) {
    const auto [place, is_new] = objects.try_emplace(item.object->id, *item.object);
    if (is_new) wanted.push_back(item.object->id);
    place->second.want(*item.instance);
  }
  const auto visit = [&](const TickHead& head, const TickRecord& record) {
    if (!group.contains(head)) return;
    if (const auto found = objects.find(record.object); found != objects.end()) found->second.add(record);
  };
  const auto replayed = replay_ticks(database, group.heads, group.first, group.last, wanted, visit,
                                     [](const TickHead&, const Error&) {});
  if (!replayed) return tl::unexpected<Error>(replayed.error());
  std::vector<EncodedChunk> chunks;
  for (const BatchItem& item : items) {
    const Rows& rows = objects.at(item.object->id).rows_of(item.instance->id);
    if (rows.runs.empty()) continue;
    const std::vector<std::span<const std::int64_t>> columns(rows.columns.begin(), rows.columns.end());
    const auto blob = encoder_.encode(rows.runs, columns);
    if (!blob) continue;  // beyond a stated limit: must not keep all others from being sealed
    chunks.push_back(EncodedChunk{item.instance->id, Bytes(blob->begin(), blob->end())});
  }
  return chunks;
}

}  // namespace countertop::history
