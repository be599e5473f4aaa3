// Recorded samples as CSV, plain or zstd: what the history's tests and benchmark measure with.
//
//   # comment lines
//   time_ms,NAME:KIND,...        KIND: c counter, g gauge, h gauge in hundredths; NAME: dotted path
//   1767225600000,10081,0,...    Unix milliseconds, then one integer for each series
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"

namespace countertop::test {

enum class SeriesKind : char { counter = 'c', gauge = 'g', hundredths = 'h' };

struct CorpusSeries {
  std::string name;
  SeriesKind kind = SeriesKind::gauge;
  std::vector<std::int64_t> values;  // one per row

  [[nodiscard]] bool changes() const;
};

struct Corpus {
  std::vector<std::int64_t> time_ms;  // ascending
  std::vector<CorpusSeries> series;

  [[nodiscard]] std::size_t samples() const { return time_ms.size() * series.size(); }
};

/// Errors name the line and the column.
[[nodiscard]] Result<Corpus> parse_corpus(std::string_view text);
/// Reads a file, decompresses it when it is zstd (at most 1 GiB), and parses it.
[[nodiscard]] Result<Corpus> read_corpus(const std::filesystem::path& path);

/// One instance of one object, as the series' names suggest: `disk.vda.reads` is field `reads` of disk(vda).
struct CorpusInstance {
  std::string name;
  std::vector<std::size_t> series;  // one per field of the object: index into Corpus::series
};

struct CorpusObject {
  ObjectHandle definition;  // one counter for each field, of the same name
  std::vector<CorpusInstance> instances;
};

/// Instances are series with the same name up to the last dot, at most 64 in one; instances with equal fields
/// whose names begin alike become one object.
[[nodiscard]] std::vector<CorpusObject> objects_of(const Corpus& corpus);

/// Counter path of each series in the history, in the corpus' order.
[[nodiscard]] std::vector<query::CounterPath> paths_of(const Corpus& corpus,
                                                       const std::vector<CorpusObject>& objects);

}  // namespace countertop::test
