#include "tests/support/csv_corpus.hpp"

#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>

namespace countertop::test {
namespace {

constexpr std::size_t kMaxText = std::size_t{1} << 30;

tl::unexpected<Error> bad(std::size_t line, std::size_t column, std::string_view what) {
  return fail(ErrorCode::malformed, "Line " + std::to_string(line) + ", column " + std::to_string(column) +
                                        ": " + std::string(what) + ".");
}

std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<std::string_view> take_cell(std::string_view& line, bool& more) {
  if (!more) return std::nullopt;
  const std::size_t comma = line.find(',');
  const std::string_view cell = line.substr(0, comma);
  more = comma != std::string_view::npos;
  line.remove_prefix(more ? comma + 1 : line.size());
  return cell;
}

Result<void> parse_header(std::string_view line, std::size_t number, Corpus& corpus) {
  bool more = true;
  if (take_cell(line, more) != "time_ms") return bad(number, 1, "the first column must be time_ms");
  for (std::size_t column = 2; more; ++column) {
    const std::string_view cell = *take_cell(line, more);
    const std::size_t colon = cell.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 2 != cell.size()) {
      return bad(number, column, "a series must be written NAME:c, NAME:g or NAME:h");
    }
    const char kind = cell.back();
    if (kind != 'c' && kind != 'g' && kind != 'h') return bad(number, column, "the kind must be c, g or h");
    corpus.series.push_back({std::string(cell.substr(0, colon)), static_cast<SeriesKind>(kind), {}});
  }
  if (corpus.series.empty()) return bad(number, 1, "there are no series");
  return {};
}

Result<std::int64_t> parse_number(std::string_view cell, std::size_t line, std::size_t column) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size()) {
    return bad(line, column, "\"" + std::string(cell.substr(0, 40)) + "\" is not a 64-bit integer");
  }
  return value;
}

Result<void> parse_row(std::string_view line, std::size_t number, Corpus& corpus) {
  bool more = true;
  const Result<std::int64_t> time = parse_number(*take_cell(line, more), number, 1);
  if (!time) return tl::unexpected(time.error());
  if (!corpus.time_ms.empty() && *time <= corpus.time_ms.back())
    return bad(number, 1, "the times do not ascend");
  corpus.time_ms.push_back(*time);
  for (std::size_t i = 0; i < corpus.series.size(); ++i) {
    const auto cell = take_cell(line, more);
    if (!cell) return bad(number, i + 2, "the row is shorter than the header");
    const Result<std::int64_t> value = parse_number(*cell, number, i + 2);
    if (!value) return tl::unexpected(value.error());
    corpus.series[i].values.push_back(*value);
  }
  if (more) return bad(number, corpus.series.size() + 2, "the row is longer than the header");
  return {};
}

Result<std::string> decompress(const std::string& bytes) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  std::string text;
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t left = 1;
  while (input.pos < input.size || left != 0) {
    std::vector<char> block(ZSTD_DStreamOutSize());
    ZSTD_outBuffer output{block.data(), block.size(), 0};
    left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left)) return fail(ErrorCode::malformed, "The zstd data is damaged.");
    text.append(block.data(), output.pos);
    if (text.size() > kMaxText) return fail(ErrorCode::too_large, "The file is larger than 1 GiB.");
    if (input.pos == input.size && output.pos < output.size && left != 0) {
      return fail(ErrorCode::malformed, "The zstd data breaks off.");
    }
  }
  return text;
}

}  // namespace

bool CorpusSeries::changes() const {
  return std::ranges::any_of(values, [&](std::int64_t value) { return value != values.front(); });
}

Result<Corpus> parse_corpus(std::string_view text) {
  Corpus corpus;
  std::size_t number = 0;
  while (const auto line = take_line(text)) {
    ++number;
    if (line->empty() || line->starts_with('#')) continue;
    Result<void> parsed =
        corpus.series.empty() ? parse_header(*line, number, corpus) : parse_row(*line, number, corpus);
    if (!parsed) return tl::unexpected(parsed.error());
  }
  if (corpus.series.empty()) return fail(ErrorCode::malformed, "There is no header line.");
  if (corpus.time_ms.size() < 2) return fail(ErrorCode::malformed, "At least two rows are needed.");
  return corpus;
}

Result<Corpus> read_corpus(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::not_found, "Cannot open " + path.string() + ".");
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.starts_with("\x28\xb5\x2f\xfd")) {
    Result<std::string> text = decompress(bytes);
    if (!text) return fail(text.error().code, path.string() + ": " + text.error().message);
    bytes = std::move(*text);
  }
  Result<Corpus> corpus = parse_corpus(bytes);
  if (!corpus) return fail(corpus.error().code, path.string() + ": " + corpus.error().message);
  return corpus;
}

}  // namespace countertop::test
