// Object definitions as JSON, the way they lie in the `object` table, readable in the sqlite3 shell.
#pragma once

#include <string>
#include <string_view>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"

namespace countertop::history {

/// Deterministic: equal definitions give equal texts. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string definition_to_json(const ObjectDefinition& object);

/// Checks everything (why_invalid included): the text comes from a file that a user can edit.
/// ErrorCode::malformed.
[[nodiscard]] Result<ObjectHandle> definition_from_json(std::string_view text);

}  // namespace countertop::history
