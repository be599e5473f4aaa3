#include "server/history/column_codec.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "server/history/column_format.hpp"

namespace countertop::history {
namespace {

std::uint64_t magnitude(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return value < 0 ? ~bits + 1 : bits;
}

/// How many bits the residuals need, each for itself: what a good compressor comes near to. Of long columns
/// some residuals tell enough.
std::uint64_t cost_of(std::span<const std::uint64_t> residuals) {
  const std::size_t stride = 1 + residuals.size() / 512;
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < residuals.size(); i += stride) {
    cost += static_cast<std::uint64_t>(std::bit_width(residuals[i]));
  }
  return cost * stride;
}

/// Byte planes: the lowest bytes of all numbers, then the next ones. High bytes repeat and vanish in the
/// compressor.
void append_planes(std::span<const std::uint64_t> residuals, Bytes& out) {
  std::uint64_t all = 0;
  for (const std::uint64_t residual : residuals) all |= residual;
  const auto planes = static_cast<unsigned>((std::bit_width(all) + 7) / 8);
  out.push_back(static_cast<std::uint8_t>(planes));
  const std::size_t begin = out.size();
  out.resize(begin + planes * residuals.size());
  for (unsigned plane = 0; plane < planes; ++plane) {
    std::uint8_t* const row = out.data() + begin + plane * residuals.size();
    const unsigned shift = 8 * plane;
    for (std::size_t i = 0; i < residuals.size(); ++i)
      row[i] = static_cast<std::uint8_t>(residuals[i] >> shift);
  }
}

/// Residuals of one transform, ready to be written.
struct Candidate {
  ColumnTransform transform = kConstant;
  bool never_negative = false;
  std::uint64_t cost = 0;
  std::vector<std::uint64_t> residuals;
};

void finish_signed(std::span<const std::int64_t> values, Candidate& candidate) {
  candidate.never_negative = std::ranges::all_of(values, [](std::int64_t value) { return value >= 0; });
  candidate.residuals.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    candidate.residuals[i] =
        candidate.never_negative ? static_cast<std::uint64_t>(values[i]) : zigzag(values[i]);
  }
  candidate.cost = cost_of(candidate.residuals);
}

std::vector<std::int64_t> differences(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> result(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i) result[i - 1] = wrapping_subtract(values[i], values[i - 1]);
  return result;
}

bool all_equal(std::span<const std::int64_t> values) {
  return std::ranges::all_of(values, [&](std::int64_t value) { return value == values.front(); });
}

/// Greatest common divisor of the differences; 1 where dividing does not help or could overflow.
std::int64_t common_divisor(std::span<const std::int64_t> deltas) {
  std::uint64_t divisor = 0;
  for (const std::int64_t delta : deltas) {
    const std::uint64_t size = magnitude(delta);
    if (size >= std::uint64_t{1} << 62) return 1;
    if (size != 0) divisor = divisor == 0 ? size : (size % divisor == 0 ? divisor : std::gcd(divisor, size));
    if (divisor == 1) return 1;
  }
  return divisor == 0 ? 1 : static_cast<std::int64_t>(divisor);
}

struct Plan {
  Candidate best;
  std::int64_t base = 0;
  std::int64_t step = 0;  // only of kNearLine
};

void keep_better(Plan& plan, Candidate candidate, std::int64_t base, std::int64_t step) {
  if (candidate.cost >= plan.best.cost) return;
  plan.best = std::move(candidate);
  plan.base = base;
  plan.step = step;
}

void try_plain(std::span<const std::int64_t> values, std::int64_t lowest, std::int64_t divisor, Plan& plan) {
  Candidate plain{kPlain, true, 0, std::vector<std::uint64_t>(values.size())};
  for (std::size_t i = 0; i < values.size(); ++i) {
    plain.residuals[i] = static_cast<std::uint64_t>(values[i] - lowest);
  }
  if (divisor > 1) {
    for (std::uint64_t& residual : plain.residuals) residual /= static_cast<std::uint64_t>(divisor);
  }
  plain.cost = cost_of(plain.residuals);
  keep_better(plan, std::move(plain), lowest, 0);
}

void try_near_line(std::span<const std::int64_t> values, std::int64_t divisor, Plan& plan) {
  const std::int64_t rise = wrapping_subtract(values.back(), values.front());
  std::int64_t step = rise / static_cast<std::int64_t>(values.size() - 1);
  step -= step % divisor;
  if (step == 0) return;
  std::vector<std::int64_t> distances(values.size() - 1);
  std::int64_t line = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    line = wrapping_add(line, step);
    distances[i - 1] = wrapping_subtract(values[i], line);
  }
  if (divisor > 1) {
    for (std::int64_t& distance : distances) distance /= divisor;
  }
  Candidate near_line{kNearLine, false, 0, {}};
  finish_signed(distances, near_line);
  keep_better(plan, std::move(near_line), values.front(), step);
}

/// Columns of at least two rows whose differences are not all the same.
Plan choose(std::span<const std::int64_t> values, std::vector<std::int64_t> deltas, std::int64_t divisor) {
  if (divisor > 1) {
    for (std::int64_t& delta : deltas) delta /= divisor;
  }
  Plan plan{{kDelta, false, 0, {}}, values.front(), 0};
  finish_signed(deltas, plan.best);

  Candidate second{kDeltaDelta, false, 0, {}};
  std::vector<std::int64_t> changes(deltas.size());
  changes[0] = deltas[0];
  for (std::size_t i = 1; i < deltas.size(); ++i) changes[i] = wrapping_subtract(deltas[i], deltas[i - 1]);
  finish_signed(changes, second);
  keep_better(plan, std::move(second), values.front(), 0);

  // The other two compute with distances from a base, which must not overflow.
  const auto [lowest, highest] = std::ranges::minmax(values);
  if (static_cast<std::uint64_t>(wrapping_subtract(highest, lowest)) < std::uint64_t{1} << 48) {
    try_plain(values, lowest, divisor, plan);
    try_near_line(values, divisor, plan);
  }
  return plan;
}

std::uint64_t encode_present(std::span<const std::int64_t> values, std::uint8_t flags, const Bytes& gaps,
                             Bytes& out) {
  const auto start = [&](int tag) {
    out.push_back(static_cast<std::uint8_t>(tag));
    out.insert(out.end(), gaps.begin(), gaps.end());
  };
  if (all_equal(values)) {
    start(flags | kConstant);
    append_varint(out, zigzag(values.front()));
    return 0;
  }
  std::vector<std::int64_t> deltas = differences(values);
  if (all_equal(deltas)) {
    start(flags | kLine);
    append_varint(out, zigzag(values.front()));
    append_varint(out, zigzag(deltas.front()));
    return 0;
  }
  const std::int64_t divisor = common_divisor(deltas);
  const Plan plan = choose(values, std::move(deltas), divisor);
  start(flags | plan.best.transform | (divisor > 1 ? kHasDivisor : 0) |
        (plan.best.never_negative ? kUnsigned : 0));
  if (divisor > 1) append_varint(out, static_cast<std::uint64_t>(divisor));
  append_varint(out, zigzag(plan.base));
  if (plan.best.transform == kNearLine) append_varint(out, zigzag(plan.step));
  append_planes(plan.best.residuals, out);
  return plan.best.cost;
}

}  // namespace

std::uint64_t encode_column(std::span<const std::int64_t> values, Bytes& out) {
  if (values.empty()) return 0;
  const auto is_missing = [](std::int64_t value) { return value == kNoValue; };
  if (std::ranges::none_of(values, is_missing)) return encode_present(values, 0, {}, out);
  if (std::ranges::all_of(values, is_missing)) {
    return encode_present(values.first(1), 0, {}, out);
  }
  Bytes runs;
  std::uint64_t run_count = 0;
  std::vector<std::int64_t> present;
  present.reserve(values.size());
  std::size_t run_end = 0;  // of the run before
  for (std::size_t i = 0; i < values.size();) {
    if (values[i] != kNoValue) {
      present.push_back(values[i++]);
      continue;
    }
    const std::size_t first = i;
    while (i < values.size() && values[i] == kNoValue) ++i;
    append_varint(runs, first - run_end);
    append_varint(runs, i - first);
    run_end = i;
    ++run_count;
  }
  Bytes gaps;
  append_varint(gaps, run_count);
  gaps.insert(gaps.end(), runs.begin(), runs.end());
  return encode_present(present, kHasGaps, gaps, out);
}

}  // namespace countertop::history
