// `countertop perflib decode`: a saved block of performance data as text, on every system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "collectors/core/result.hpp"
#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/name_table.hpp"

namespace countertop::app {

/// What the block says, for people or as JSON. `names_file` may be empty: then counters are known by their
/// fixed names or indexes.
[[nodiscard]] Result<std::string> decode_perflib_file(const std::filesystem::path& file,
                                                      const std::filesystem::path& names_file, bool as_json);

/// The table's own text, whatever language that is; else the fixed name; else "#INDEX".
[[nodiscard]] std::string shown_name(const perflib::Names& names, std::uint32_t index);

/// objects[].{index,name,help,counters[].{index,name,help,type,size},instances[].{name,parent,unique_id,values[]}},
/// dropped[].{offset,reason}. values[] follows counters[]: a number, a text, or null.
[[nodiscard]] std::string perflib_json(const perflib::DataBlock& block, const perflib::Names& names);
[[nodiscard]] std::string perflib_text(const perflib::DataBlock& block, const perflib::Names& names);

}  // namespace countertop::app
