#include "server/query/suggest.hpp"

#include <algorithm>
#include <utility>

namespace countertop::query {
namespace {

constexpr std::size_t kMaxComparedBytes = 128;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::ranges::equal(text.substr(0, prefix.size()), prefix, {}, lower, lower);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  a = a.substr(0, kMaxComparedBytes);
  b = b.substr(0, kMaxComparedBytes);
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  // Three rows of the usual table: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return std::min(previous[b.size()], limit + 1);
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string_view> known,
                                       std::size_t count) {
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (const std::string_view name : known) {
    std::size_t distance = edit_distance(wanted, name, limit);
    const bool prefix = wanted.size() >= 2 && name.size() >= 2 &&
                        (starts_with_ignoring_case(name, wanted) || starts_with_ignoring_case(wanted, name));
    if (prefix) distance = std::min(distance, limit);
    // A short name must not be "near" to a word with no letter in common.
    if (distance <= limit && (prefix || distance < std::max(wanted.size(), name.size())))
      found.emplace_back(distance, name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string> names;
  for (const auto& [distance, name] : found) {
    if (names.size() == count) break;
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> known,
                                       std::size_t count) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return nearest_names(wanted, std::span<const std::string_view>(views), count);
}

std::string did_you_mean(std::span<const std::string> names) {
  if (names.empty()) return {};
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += "'" + names[i] + "'";
  }
  return text + "?";
}

}  // namespace countertop::query
