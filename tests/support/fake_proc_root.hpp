// The kernel's files in memory: filled from tests/fixtures/proc or by the test, changed as time goes on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/proc/file_tree.hpp"

namespace countertop::test {

/// Paths begin with "proc/" or "sys/". Must outlive the trees it gives.
class FakeProcRoot {
 public:
  FakeProcRoot() = default;
  /// Every file of the fixture. Link targets stand in files whose names end in ".link".
  explicit FakeProcRoot(std::string_view fixture) {
    const std::filesystem::path folder =
        std::filesystem::path(COUNTERTOP_SOURCE_DIR) / "tests" / "fixtures" / "proc" / fixture;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(stream), {}};
      std::string path = std::filesystem::relative(entry.path(), folder).generic_string();
      if (path.ends_with(".link"))
        links_[path.substr(0, path.size() - 5)] = text.substr(0, text.find('\n'));
      else
        files_[std::move(path)] = std::move(text);
    }
  }

  void write(const std::string& path, std::string text) { files_[path] = std::move(text); }
  void link(const std::string& path, std::string target) { links_[path] = std::move(target); }
  void remove(const std::string& path) { files_.erase(path); }
  void refuse(const std::string& path, ErrorCode code) { refused_[path] = code; }
  void allow(const std::string& path) { refused_.erase(path); }
  [[nodiscard]] const std::string& text(const std::string& path) const { return files_.at(path); }
  [[nodiscard]] std::size_t reads_of(const std::string& path) const {
    const auto found = reads_.find(path);
    return found == reads_.end() ? 0 : found->second;
  }

  [[nodiscard]] std::unique_ptr<proc::FileTree> tree() { return std::make_unique<View>(*this); }

 private:
  class View final : public proc::FileTree {
   public:
    explicit View(FakeProcRoot& root) : root_(root) {}

    Result<std::string_view> read(proc::Tree tree, std::string_view path) override {
      const std::string full = full_path(tree, path);
      ++root_.reads_[full];
      if (const auto refused = root_.refused_.find(full); refused != root_.refused_.end())
        return fail(refused->second, full + ": refused");
      const auto found = root_.files_.find(full);
      if (found == root_.files_.end()) return fail(ErrorCode::not_found, full + ": no such file");
      buffer_ = found->second;  // as the real one: the next read ends the bytes of this one
      return std::string_view(buffer_);
    }
    Result<std::string_view> read_once(proc::Tree tree, std::string_view path) override {
      return read(tree, path);
    }
    Result<std::vector<std::string>> list(proc::Tree tree, std::string_view path) override {
      const std::string folder = full_path(tree, path) + "/";
      std::set<std::string> names;
      const auto add = [&](const std::string& file) {
        if (file.starts_with(folder))
          names.insert(file.substr(folder.size(), file.find('/', folder.size()) - folder.size()));
      };
      for (const auto& [file, text] : root_.files_) add(file);
      for (const auto& [file, target] : root_.links_) add(file);
      if (names.empty()) return fail(ErrorCode::not_found, folder + ": no such folder");
      return std::vector<std::string>(names.begin(), names.end());
    }
    Result<std::string> link_target(proc::Tree tree, std::string_view path) override {
      const auto found = root_.links_.find(full_path(tree, path));
      if (found == root_.links_.end())
        return fail(ErrorCode::not_found, std::string(path) + ": no such link");
      return found->second;
    }

   private:
    static std::string full_path(proc::Tree tree, std::string_view path) {
      return (tree == proc::Tree::proc ? "proc/" : "sys/") + std::string(path);
    }
    FakeProcRoot& root_;
    std::string buffer_;
  };

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> links_;
  std::map<std::string, ErrorCode> refused_;
  std::map<std::string, std::size_t> reads_;
};

}  // namespace countertop::test
