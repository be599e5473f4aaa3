#include <algorithm>
#include <limits>
#include <optional>

#include "server/history/history_reader_impl.hpp"
#include "server/history/row_stream.hpp"

namespace countertop::history {

namespace {

/// Hands rows and gaps of one window to the sink, in time order; a gap that goes on in the next window is
/// told once.
class Exporter {
 public:
  explicit Exporter(ExportSink& sink) : sink_(sink) {}

  bool window(const query::Answer& answer) {
    values_.resize(answer.series.size());
    std::size_t next_gap = 0;
    const auto gaps_until = [&](std::int64_t time_ms) {
      for (; next_gap < answer.gaps.size() && answer.gaps[next_gap].range.from_ms <= time_ms; ++next_gap) {
        if (!add_gap(answer.gaps[next_gap])) return false;
      }
      return true;
    };
    for (std::size_t row = 0; row < answer.time_ms.size(); ++row) {
      if (!gaps_until(answer.time_ms[row]) || !flush_gap()) return false;
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = answer.series[i].columns.front()[row];
      if (!sink_.row(answer.time_ms[row], values_)) return false;
      ++rows_;
    }
    return gaps_until(std::numeric_limits<std::int64_t>::max());
  }

  bool flush_gap() {
    if (!pending_) return true;
    const query::Gap gap = *pending_;
    pending_.reset();
    return sink_.gap(gap);
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  bool add_gap(const query::Gap& gap) {
    if (pending_ && pending_->reason == gap.reason && gap.range.from_ms <= pending_->range.to_ms + 1000) {
      pending_->range.to_ms = std::max(pending_->range.to_ms, gap.range.to_ms);
      return true;
    }
    if (!flush_gap()) return false;
    pending_ = gap;
    return true;
  }

  ExportSink& sink_;
  std::vector<double> values_;
  std::optional<query::Gap> pending_;
  std::uint64_t rows_ = 0;
};

}  // namespace

Result<std::uint64_t> HistoryReader::export_rows(const query::Request& request, ExportSink& sink,
                                                 const std::stop_token& stop) {
  ReaderSession& session = impl_->session;
  const auto cancelled = [] { return fail(ErrorCode::cancelled, "the export was cancelled"); };
  std::optional<RowStream> stream;
  std::vector<Mark> marks;
  {
    const auto transaction = session.begin();
    if (!transaction) return tl::unexpected<Error>(transaction.error());
    auto opened = RowStream::open(session.catalog(), request);
    if (!opened) return tl::unexpected<Error>(opened.error());
    stream.emplace(std::move(*opened));
    auto known = session.marks_for_gaps(request.range);
    if (!known) return tl::unexpected<Error>(known.error());
    marks = std::move(*known);
  }
  std::vector<query::SeriesAnswer> headers;
  for (const SeriesPlan& series : stream->plan().series) headers.push_back(series.header);
  if (!sink.begin(headers)) return cancelled();
  Exporter exporter(sink);
  for (;;) {
    std::optional<query::Answer> answer;
    {
      // The transaction ends before the sink is called, however slow that is.
      if (const auto connected = session.connect(); !connected)
        return tl::unexpected<Error>(connected.error());
      const auto transaction = Transaction::begin(session.database(), Transaction::Kind::read);
      if (!transaction) return tl::unexpected<Error>(transaction.error());
      auto next = stream->next(session.database(), marks, stop);
      if (!next) return tl::unexpected<Error>(next.error());
      answer = std::move(*next);
    }
    if (!answer) break;
    if (stop.stop_requested() || !exporter.window(*answer)) return cancelled();
  }
  if (!exporter.flush_gap()) return cancelled();
  return exporter.rows();
}

}  // namespace countertop::history
