#include "collectors/proc/object_table.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace countertop::proc {
namespace {

class Builder {
 public:
  Builder(ObjectDefinition& object, std::size_t fixed) : object_(object), fixed_(fixed) {}

  /// "MemTotal - MemAvailable": the first name may be preceded by nothing or by "- ".
  std::vector<Term> terms(std::string_view expression, bool grows) {
    std::vector<Term> result;
    std::int8_t sign = 1;
    while (!expression.empty()) {
      const std::size_t plus = expression.find(" + ");
      const std::size_t minus = expression.find(" - ");
      const std::size_t end = std::min(plus, minus);
      result.push_back({field(expression.substr(0, end), grows), sign});
      if (end == std::string_view::npos) break;
      sign = end == plus ? 1 : -1;
      expression.remove_prefix(end + 3);
    }
    return result;
  }

 private:
  std::uint16_t field(std::string_view name, bool grows) {
    auto& fields = object_.fields;
    const auto found = std::ranges::find(fields, name, &FieldDefinition::name);
    const auto index = static_cast<std::size_t>(found - fields.begin());
    if (found == fields.end()) fields.push_back({std::string(name), Backward::gauge});
    if (grows && index >= fixed_) fields[index].backward = Backward::reset;
    return static_cast<std::uint16_t>(index);
  }

  ObjectDefinition& object_;
  std::size_t fixed_;  // fields before this one keep the rule that their row gives
};

}  // namespace

ObjectHandle make_object(std::string_view name, std::string_view help, Instances instances,
                         std::span<const FieldRow> fields, std::span<const CounterRow> counters) {
  ObjectDefinition object;
  object.name = name;
  object.help = help;
  object.instanced = instances == Instances::many;
  for (const FieldRow& row : fields)
    object.fields.push_back(
        {std::string(row.name), row.backward, row.step_back_tolerance, row.max_per_second});

  Builder builder(object, fields.size());
  for (const CounterRow& row : counters) {
    const CounterTypeDescription* const type = find_description(row.type);
    const bool grows = type != nullptr && needs_two_samples(type->formula);
    CounterDefinition counter;
    counter.name = row.name;
    counter.help = row.help;
    counter.unit = row.unit;
    counter.type = row.type;
    counter.value = builder.terms(row.value, grows);
    counter.base = builder.terms(row.base, grows);
    counter.scale = row.scale;
    object.counters.push_back(std::move(counter));
  }
  assert(why_invalid(object).empty());
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

}  // namespace countertop::proc
