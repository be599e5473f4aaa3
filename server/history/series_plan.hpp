// A query taken apart: which instances of which object have to be read for which of the wanted series.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/core/object.hpp"
#include "server/history/column_cook.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

/// One counter of one instance goes into one series.
struct SeriesUse {
  std::size_t series = 0;
  std::size_t cook = 0;    // index into ObjectPlan::cooks
  bool is_shared = false;  // other instances of the object go into the same series: their values are added up
};

/// The last row an instance had, for the interval that crosses a window's edge.
struct CarriedRow {
  std::int64_t segment = -1;
  TimeBase time;
  std::array<std::int64_t, kMaxFieldsPerObject> values{};
};

struct InstancePlan {
  std::uint32_t id = 0;
  std::int64_t first_ms = 0;  // of its first sample ever; together with from_zero
  std::int64_t last_ms = 0;   // exact to a window; INT64_MAX when it has no sealed row yet
  bool from_zero = false;
  std::vector<SeriesUse> uses;
  CarriedRow carried;
};

/// One definition of one object.
struct ObjectPlan {
  std::uint32_t id = 0;
  std::int64_t host = 0;
  ObjectHandle definition;
  std::vector<std::uint32_t> clocks;  // ids of its clock instance; more than one only after odd histories
  std::vector<std::unique_ptr<ColumnCook>> cooks;
  std::vector<std::uint16_t> fields;  // that the cooks need, ascending
  std::vector<InstancePlan> instances;
  TimeBase carried_time;  // of the object's last row
  std::int64_t carried_segment = -1;
};

struct SeriesPlan {
  query::SeriesAnswer header;
  bool is_sum = false;    // over the members of a group
  bool is_exact = false;  // named without wildcard: shown even when there is nothing
};

struct QueryPlan {
  std::vector<SeriesPlan> series;
  std::vector<ObjectPlan> objects;
  std::vector<std::string> warnings;
};

}  // namespace countertop::history
