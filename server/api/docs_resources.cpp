// /api/v1, /api/v1/openapi.json and /docs: what there is, for people and for programs, out of one
// description.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/api/embedded_api.hpp"
#include "server/api/resources.hpp"

namespace countertop::api {
namespace {

using Json = nlohmann::ordered_json;

std::string_view embedded_text(std::string_view name) {
  const auto files = embedded::api_files();
  const auto found = std::ranges::find(files, name, &EmbeddedFile::path);
  return found == files.end() ? std::string_view() : found->bytes;
}

const Json& description() {
  static const Json parsed = Json::parse(embedded_text("openapi.json"));
  return parsed;
}

std::string html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string text_of(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string upper(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

const Json& resolve(const Json& parameter) {
  const std::string reference = text_of(parameter, "$ref");
  if (reference.empty()) return parameter;
  return description()["components"]["parameters"][reference.substr(reference.rfind('/') + 1)];
}

/// Calls `visit(path, method, operation)` for every operation.
template <typename Visit>
void for_each_operation(Visit visit) {
  for (const auto& [path, item] : description()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      if (operation.is_object()) visit(path, method, operation);
    }
  }
}

std::string operation_html(const std::string& path, const std::string& method, const Json& operation) {
  std::string out = "<h2 id=\"" + method + html(path) + "\"><code>" + upper(method) + " " + html(path) +
                    "</code></h2>\n<p>" + html(text_of(operation, "summary")) + ". " +
                    html(text_of(operation, "description")) + "</p>\n";
  if (operation.contains("security"))
    out += "<p>Needs the token: <code>Authorization: Bearer TOKEN</code>.</p>\n";
  if (const std::string example = text_of(operation, "x-example"); !example.empty())
    out += "<p>Example: <a href=\"" + html(example) + "\"><code>" + html(example) + "</code></a></p>\n";
  if (!operation.contains("parameters")) return out;
  out += "<table><tr><th>Parameter</th><th></th></tr>\n";
  for (const Json& reference : operation["parameters"]) {
    const Json& parameter = resolve(reference);
    out += "<tr><td><code>" + html(text_of(parameter, "name")) + "</code></td><td>" +
           html(text_of(parameter, "description"));
    if (parameter.contains("schema") && parameter["schema"].contains("enum")) {
      out += " One of";
      for (const Json& value : parameter["schema"]["enum"])
        out += " <code>" + html(value.get<std::string>()) + "</code>";
      out += '.';
    }
    out += "</td></tr>\n";
  }
  return out + "</table>\n";
}

std::string make_docs() {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Countertop: the API</title>\n"
      "<meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" "
      "href=\"/docs.css\"></head>\n"
      "<body><main><h1>Countertop: the API</h1>\n<p>" +
      html(text_of(description()["info"], "description")) +
      "</p>\n<p>The same for programs: <a "
      "href=\"/api/v1/openapi.json\"><code>/api/v1/openapi.json</code></a>. "
      "Errors are problem documents (RFC 9457); their member <code>fix</code> says what to do.</p>\n";
  for_each_operation([&](const std::string& path, const std::string& method, const Json& operation) {
    out += operation_html(path, method, operation);
  });
  return out + "</main></body></html>\n";
}

Response cached_text(std::string_view type, std::string body) {
  Response response = make_response(200, type, std::move(body));
  response.set_header("Cache-Control", "no-cache");
  return response;
}

}  // namespace

Answered<Response> get_index(const Call& /*call*/) {
  Json links = Json::array();
  for_each_operation([&](const std::string& path, const std::string& method, const Json& operation) {
    links.push_back({{"path", path},
                     {"method", upper(method)},
                     {"what", text_of(operation, "summary")},
                     {"example", text_of(operation, "x-example")}});
  });
  Json index;
  index["docs"] = "/docs";
  index["links"] = std::move(links);
  return json_response(index.dump(1) + "\n");
}

Answered<Response> get_openapi(const Call& /*call*/) {
  return cached_text("application/json", std::string(embedded_text("openapi.json")));
}

Answered<Response> get_docs(const Call& /*call*/) {
  static const std::string page = make_docs();
  return cached_text("text/html; charset=utf-8", page);
}

Answered<Response> get_docs_style(const Call& /*call*/) {
  return cached_text("text/css; charset=utf-8", std::string(embedded_text("docs.css")));
}

}  // namespace countertop::api
