// The files of a control group, in memory.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/proc/file_tree.hpp"

namespace countertop::test {

using FileMap = std::map<std::string, std::string, std::less<>>;

/// Paths begin with "proc/" or "sys/". Borrows the map.
class MapFileTree final : public proc::FileTree {
 public:
  explicit MapFileTree(const FileMap& files) : files_(files) {}

  Result<std::string_view> read(proc::Tree tree, std::string_view path) override {
    const auto found = files_.find(full(tree, path));
    if (found == files_.end()) return fail(ErrorCode::not_found, std::string(path));
    return std::string_view(found->second);
  }
  Result<std::string_view> read_once(proc::Tree tree, std::string_view path) override {
    return read(tree, path);
  }
  Result<std::vector<std::string>> list(proc::Tree tree, std::string_view path) override {
    const std::string folder = full(tree, path) + "/";
    std::vector<std::string> names;
    for (auto at = files_.lower_bound(folder); at != files_.end() && at->first.starts_with(folder); ++at)
      names.push_back(at->first.substr(folder.size()));
    if (names.empty()) return fail(ErrorCode::not_found, std::string(path));
    return names;
  }
  Result<std::string> link_target(proc::Tree, std::string_view path) override {
    return fail(ErrorCode::not_found, std::string(path));
  }

 private:
  static std::string full(proc::Tree tree, std::string_view path) {
    return (tree == proc::Tree::proc ? "proc/" : "sys/") + std::string(path);
  }
  const FileMap& files_;
};

}  // namespace countertop::test
