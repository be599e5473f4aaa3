// The handlers of all addresses, one file for each resource, and the table that names them.
#pragma once

#include <span>

#include "server/api/router.hpp"

namespace countertop::api {

[[nodiscard]] std::span<const Route> routes();

Answered<Response> get_index(const Call& call);
Answered<Response> get_status(const Call& call);
Answered<Response> get_objects(const Call& call);
Answered<Response> get_object(const Call& call);
Answered<Response> get_instances(const Call& call);
Answered<Response> get_latest(const Call& call);
Answered<Response> get_query(const Call& call);
Answered<Response> get_export(const Call& call);
Answered<Response> get_stream(const Call& call);
Answered<Response> get_processes(const Call& call);
Answered<Response> get_marks(const Call& call);
Answered<Response> post_mark(const Call& call);
Answered<Response> delete_mark(const Call& call);
Answered<Response> get_openapi(const Call& call);
Answered<Response> get_docs(const Call& call);
Answered<Response> get_docs_style(const Call& call);
Answered<Response> get_health(const Call& call);
Answered<Response> get_ready(const Call& call);
Answered<Response> get_metrics(const Call& call);

}  // namespace countertop::api
