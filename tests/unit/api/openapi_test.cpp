// The description of the API is held against the routes and against live answers.
#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "server/api/resources.hpp"
#include "tests/support/api_world.hpp"

using namespace countertop;
using nlohmann::json;
using test::ApiWorld;

namespace {

const json& description() {
  static const json parsed = [] {
    ApiWorld world;
    return json::parse(world.get("/api/v1/openapi.json").body);
  }();
  return parsed;
}

const json& resolve(const json& node) {
  if (!node.contains("$ref")) return node;
  const std::string reference = node["$ref"];
  return description().at(json::json_pointer(reference.substr(1)));
}

bool has_type(const json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

/// The part of JSON Schema that the description uses. "" when the value fits.
std::string misfit(const json& value, const json& node, const std::string& where) {
  const json& schema = resolve(node);
  if (const auto type = schema.find("type"); type != schema.end()) {
    const json types = type->is_array() ? *type : json::array({*type});
    if (std::ranges::none_of(types, [&](const json& one) { return has_type(value, one); }))
      return where + " is " + value.dump().substr(0, 40) + ", not " + types.dump();
  }
  if (const auto allowed = schema.find("enum"); allowed != schema.end()) {
    if (std::ranges::find(*allowed, value) == allowed->end()) return where + " is none of " + allowed->dump();
  }
  if (value.is_object()) {
    const json required = schema.value("required", json::array());
    const json properties = schema.value("properties", json::object());
    for (const json& name : required) {
      if (!value.contains(name.get<std::string>())) return where + " has no " + name.get<std::string>();
    }
    for (const auto& [name, property] : properties.items()) {
      if (!value.contains(name)) continue;
      if (const auto wrong = misfit(value[name], property, where + "." + name); !wrong.empty()) return wrong;
    }
  }
  if (value.is_array() && schema.contains("items")) {
    for (const json& item : value) {
      if (const auto wrong = misfit(item, schema["items"], where + "[]"); !wrong.empty()) return wrong;
    }
  }
  return {};
}

std::string lower(std::string_view text) { return api::to_lower(text); }

}  // namespace

TEST_CASE("Every address is described with exactly its parameters", "[openapi]") {
  std::set<std::string> described, known;
  for (const auto& [path, item] : description()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      if (operation.is_object()) described.insert(method + " " + path);
    }
  }
  for (const api::Route& route : api::routes()) {
    if (route.pattern == "/api/v1/" || route.pattern == "/docs.css") continue;
    known.insert(lower(route.method) + " " + std::string(route.pattern));
    const json& operation = description()["paths"][std::string(route.pattern)][lower(route.method)];
    std::set<std::string> names, expected;
    const json parameters = operation.value("parameters", json::array());
    for (const json& parameter : parameters) names.insert(resolve(parameter)["name"]);
    for (const api::ParameterName& name : route.parameters) expected.insert(std::string(name.name));
    if (route.has_formats) {
      for (const api::ParameterName& name : api::kPresentationParameters)
        expected.insert(std::string(name.name));
    }
    INFO(route.pattern);
    CHECK(names == expected);
  }
  CHECK(described == known);
}

TEST_CASE("Live answers are as described, and every example works", "[openapi]") {
  ApiWorld world;
  world.tick();
  world.tick();
  CHECK(world.write("POST", "/api/v1/marks", R"({"text":"x"})").status == 201);
  CollectorStatus collector;
  collector.name = "cpu";
  world.status.collectors = {collector};
  for (const auto& [path, item] : description()["paths"].items()) {
    if (!item.contains("get")) continue;
    const json& get = item["get"];
    const std::string example = get["x-example"];
    INFO(example);
    const auto response = world.get(example);
    CHECK(response.status == 200);
    const json& content = get["responses"]["200"]["content"];
    std::string type(response.header("Content-Type"));
    type.resize(std::min(type.size(), type.find(';')));
    CHECK(content.contains(type));
    if (type != "application/json") continue;
    if (response.stream) continue;
    CHECK(misfit(json::parse(response.body), content["application/json"]["schema"], "answer").empty());
  }
  const auto raw = world.get("/api/v1/query?series=cpu(0)/busy&raw=1&from=-10s");
  CHECK(misfit(json::parse(raw.body), json{{"$ref", "#/components/schemas/Query"}}, "answer").empty());
  CHECK(misfit(json::parse(world.get("/api/v1/querry").body), json{{"$ref", "#/components/schemas/Problem"}},
               "problem")
            .empty());
}

TEST_CASE("The checker of schemas finds what does not fit", "[openapi]") {
  const json schema{{"$ref", "#/components/schemas/Problem"}};
  CHECK_FALSE(misfit(json{{"title", "x"}, {"status", 1}}, schema, "x").empty());
  CHECK_FALSE(misfit(json{{"type", "x"}, {"title", "x"}, {"status", "1"}}, schema, "x").empty());
}

TEST_CASE("The readable description names every address and runs no script", "[docs]") {
  ApiWorld world;
  const auto docs = world.get("/docs");
  CHECK(docs.header("Content-Type") == "text/html; charset=utf-8");
  for (const auto& [path, item] : description()["paths"].items())
    CHECK(docs.body.find(path) != std::string::npos);
  CHECK(docs.body.find("<script") == std::string::npos);
  CHECK(docs.body.find("style=") == std::string::npos);
  CHECK(world.get("/docs.css").header("Content-Type") == "text/css; charset=utf-8");
  const json index = json::parse(world.get("/api/v1").body);
  CHECK(index["links"].size() > 15);
}
