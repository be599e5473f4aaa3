// What stands in a row for which a series has no value: fill=null, none or prev.
#pragma once

#include "server/api/call.hpp"
#include "server/api/problem.hpp"
#include "server/query/model.hpp"

namespace countertop::api {

enum class Fill : std::uint8_t {
  null,  // nothing: null or an empty cell
  none,  // rows in which no series has a value are left out
  prev,  // the value before; never across a gap, which stays empty
};

[[nodiscard]] Answered<Fill> read_fill(const Call& call);
void apply_fill(Fill fill, const query::Request& request, query::Answer& answer);

}  // namespace countertop::api
