// "Did you mean ...": the known names nearest to one that nobody knows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countertop::query {

/// Number of inserted, deleted, changed or swapped neighbouring letters, case ignored for ASCII. Stops
/// counting at `limit` + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// At most `count` of `known`, nearest first: those within a third of the wanted name's length (at least 2)
/// and those that begin with it or that it begins with. Empty when nothing is near.
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view wanted,
                                                     std::span<const std::string_view> known,
                                                     std::size_t count = 3);
[[nodiscard]] std::vector<std::string> nearest_names(std::string_view wanted,
                                                     std::span<const std::string> known,
                                                     std::size_t count = 3);

/// "did you mean 'cpu' or 'cgroup'?", empty for an empty list.
[[nodiscard]] std::string did_you_mean(std::span<const std::string> names);

}  // namespace countertop::query
