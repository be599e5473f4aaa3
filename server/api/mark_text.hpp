#pragma once

#include <string>

#include "server/api/presentation.hpp"
#include "server/query/model.hpp"

namespace countertop::api {

/// {"id":1,"time":...,"until":null,"kind":"note","text":"..."}; id null where it is not known.
[[nodiscard]] std::string mark_json(const query::StoredMark& mark, const Presentation& presentation);

}  // namespace countertop::api
