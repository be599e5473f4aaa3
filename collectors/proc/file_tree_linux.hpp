// The real trees below a ProcRoot.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/proc/file_tree.hpp"
#include "collectors/proc/proc_root.hpp"

namespace countertop::proc {

class LinuxFileTree final : public FileTree {
 public:
  explicit LinuxFileTree(ProcRoot root);
  ~LinuxFileTree() override;

  [[nodiscard]] Result<std::string_view> read(Tree tree, std::string_view path) override;
  [[nodiscard]] Result<std::string_view> read_once(Tree tree, std::string_view path) override;
  [[nodiscard]] Result<std::vector<std::string>> list(Tree tree, std::string_view path) override;
  [[nodiscard]] Result<std::string> link_target(Tree tree, std::string_view path) override;

 private:
  using Descriptors = std::map<std::string, int, std::less<>>;

  [[nodiscard]] std::string full_path(Tree tree, std::string_view path) const;
  [[nodiscard]] int pread_all(int descriptor, std::size_t& size);

  const ProcRoot root_;
  Descriptors open_[2];  // by tree, then path
  std::string buffer_;
};

}  // namespace countertop::proc
