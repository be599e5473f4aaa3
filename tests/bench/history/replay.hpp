// The corpus as a machine that goes on for any time: snapshots second by second, counters that never go back.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"
#include "tests/support/csv_corpus.hpp"

namespace countertop::bench {

/// The corpus itself, row by row.
class CorpusReplay {
 public:
  explicit CorpusReplay(const test::Corpus& corpus);

  /// Snapshots of one row; valid until the next call.
  [[nodiscard]] const std::vector<Snapshot>& row(std::size_t index);
  [[nodiscard]] const std::vector<test::CorpusObject>& objects() const { return objects_; }

 private:
  const test::Corpus* corpus_;
  std::vector<test::CorpusObject> objects_;
  std::vector<Snapshot> snapshots_;
};

/// A host of about `series` series: the corpus' objects, and copies of them until there are enough. Every
/// window of 20 minutes is a stretch of the corpus from a random row on; counters continue from window to
/// window.
class EndlessReplay {
 public:
  EndlessReplay(const test::Corpus& corpus, std::size_t series, std::int64_t start_ms);

  /// Snapshots of the next second; valid until the next call.
  [[nodiscard]] const std::vector<Snapshot>& next();

  [[nodiscard]] std::size_t series() const { return paths_.size(); }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  /// Paths of those series that change in the corpus.
  [[nodiscard]] const std::vector<query::CounterPath>& changing_paths() const { return changing_paths_; }

 private:
  struct Part {  // one object: its snapshot, and for each value where it comes from
    std::size_t snapshot = 0;
    std::size_t shift = 0;  // rows that a copy is ahead, so that copies differ
    std::vector<std::size_t> series;
  };
  void add_object(const test::CorpusObject& object, std::size_t copy);

  const test::Corpus* corpus_;
  std::vector<Part> parts_;
  std::vector<Snapshot> snapshots_;
  std::vector<query::CounterPath> paths_, changing_paths_;
  std::mt19937_64 random_{1};
  std::int64_t now_ms_;
  std::int64_t second_ = 0;
  std::size_t row_ = 0;
};

}  // namespace countertop::bench
