// What the registry's name tables say: index to text, and back.
//
// `Counter 009` and `Help 009` are REG_MULTI_SZ of UTF-16: index, text, index, text, an empty string. Names
// have even indexes, help texts odd ones. Real tables are cut off, unsorted, of an odd count, with an empty
// index, or hold another language than they say; none of that is an error here.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/perflib/data_block.hpp"

namespace countertop::perflib {

class NameTable {
 public:
  /// A table as the registry gives it.
  [[nodiscard]] static NameTable from_multi_string(Bytes bytes);
  /// One `index<TAB>text` a line, UTF-8, with or without a byte order mark and carriage returns.
  [[nodiscard]] static NameTable from_lines(std::string_view text);
  /// Either of the two: a multi string has a NUL among its first bytes.
  [[nodiscard]] static NameTable from_file(Bytes bytes);

  void add(std::uint32_t index, std::string text);
  /// Takes over what this table does not have.
  void merge(const NameTable& other);

  /// Empty where the table has no such index. Valid while the table lives unchanged.
  [[nodiscard]] std::string_view text_of(std::uint32_t index) const;
  /// Every index with this text, ascending: one name often has several.
  [[nodiscard]] std::vector<std::uint32_t> find(std::string_view text) const;
  [[nodiscard]] std::size_t size() const { return texts_.size(); }
  /// Entries whose index or text could not be read.
  [[nodiscard]] std::size_t skipped() const { return skipped_; }
  [[nodiscard]] const std::map<std::uint32_t, std::string>& entries() const { return texts_; }
  [[nodiscard]] std::string to_lines() const;

 private:
  void add_pair(std::string_view index, std::string text);

  std::map<std::uint32_t, std::string> texts_;
  std::multimap<std::string, std::uint32_t, std::less<>> indexes_;
  std::size_t skipped_ = 0;
};

/// The tables of one machine: names and help texts share one index space.
struct Names {
  NameTable english;
  NameTable local;  // of the user's language; empty where that is English

  /// The English name of an object or counter. Where the table says something else for an index that Windows
  /// fixed long ago (2 System, 230 Process), the fixed name wins: then the "English" table holds another
  /// language. "#INDEX" where nothing is known.
  [[nodiscard]] std::string name_of(std::uint32_t index) const;
  [[nodiscard]] std::string_view local_name_of(std::uint32_t index) const { return local.text_of(index); }
  [[nodiscard]] std::string_view help_of(std::uint32_t index) const;
  /// True when the English table contradicts the fixed names.
  [[nodiscard]] bool english_is_foreign() const;
  /// Whether people may call index by `text`: English name, local name, or the number itself.
  [[nodiscard]] bool is_called(std::uint32_t index, std::string_view text) const;
};

/// The counter that `text` means inside this object, never outside of it: by English name, local name or
/// index. Null where none is, or where the object has it not.
[[nodiscard]] const CounterView* find_counter(const DataBlock& block, const ObjectView& object,
                                              const Names& names, std::string_view text);

/// Indexes that are the same on every Windows.
namespace known {
inline constexpr std::uint32_t kSystem = 2;
inline constexpr std::uint32_t kMemory = 4;
inline constexpr std::uint32_t kProcess = 230;
inline constexpr std::uint32_t kThread = 232;
inline constexpr std::uint32_t kPhysicalDisk = 234;
inline constexpr std::uint32_t kLogicalDisk = 236;
inline constexpr std::uint32_t kProcessor = 238;
inline constexpr std::uint32_t kNetworkInterface = 510;
inline constexpr std::uint32_t kElapsedTime = 684;
inline constexpr std::uint32_t kIdProcess = 784;
inline constexpr std::uint32_t kIdThread = 804;
}  // namespace known

}  // namespace countertop::perflib
