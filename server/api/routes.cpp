// Every address of the API in one table.
#include <array>

#include "server/api/paging.hpp"
#include "server/api/resources.hpp"

namespace countertop::api {
namespace {

template <std::size_t N>
using Names = std::array<ParameterName, N>;

template <std::size_t A, std::size_t B>
constexpr Names<A + B> joined(const Names<A>& a, const Names<B>& b) {
  Names<A + B> all{};
  for (std::size_t i = 0; i < A; ++i) all[i] = a[i];
  for (std::size_t i = 0; i < B; ++i) all[A + i] = b[i];
  return all;
}

constexpr Names<1> kSeries{{kSeriesParameter}};
constexpr auto kSeriesAndRange = joined(kSeries, kRangeParameters);
constexpr auto kQuery =
    joined(kSeriesAndRange,
           Names<6>{{{"step"}, {"points"}, {"maxDataPoints", "points"}, {"agg"}, {"raw"}, {"fill"}}});
constexpr auto kExport = joined(kSeriesAndRange, Names<1>{{{"check"}}});
constexpr auto kLatest = joined(kSeries, Names<1>{{{"raw"}}});
constexpr auto kStream = joined(kSeries, Names<2>{{{"since"}, {"interval"}}});
constexpr auto kRangeAndPage = joined(kRangeParameters, kPageParameters);
constexpr Names<3> kProcesses{{{"at"}, {"sort"}, {"limit"}}};

constexpr std::array<Route, 20> kRoutes{{
    {"GET", "/api/v1", get_index, {}, false},
    {"GET", "/api/v1/status", get_status, {}, false},
    {"GET", "/api/v1/objects", get_objects, {}, true},
    {"GET", "/api/v1/objects/{object}", get_object, {}, true},
    {"GET", "/api/v1/objects/{object}/instances", get_instances, kRangeAndPage, true},
    {"GET", "/api/v1/latest", get_latest, kLatest, true},
    {"GET", "/api/v1/query", get_query, kQuery, true},
    {"GET", "/api/v1/export", get_export, kExport, true},
    {"GET", "/api/v1/stream", get_stream, kStream, false},
    {"GET", "/api/v1/processes", get_processes, kProcesses, true},
    {"GET", "/api/v1/marks", get_marks, kRangeAndPage, true},
    {"POST", "/api/v1/marks", post_mark, {}, false},
    {"DELETE", "/api/v1/marks/{id}", delete_mark, {}, false},
    {"GET", "/api/v1/openapi.json", get_openapi, {}, false},
    {"GET", "/api/v1/", get_index, {}, false},
    {"GET", "/docs", get_docs, {}, false},
    {"GET", "/docs.css", get_docs_style, {}, false},
    {"GET", "/healthz", get_health, {}, false},
    {"GET", "/readyz", get_ready, {}, false},
    {"GET", "/metrics", get_metrics, {}, false},
}};

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace countertop::api
