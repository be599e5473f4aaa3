#include "server/history/definition_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace countertop::history {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxJsonBytes = std::size_t{4} << 20;

/// A fraction or a number beyond 64 bits has no integer that it could be taken for.
std::int64_t integer_of(const Json& json) {
  if (!json.is_number_integer()) throw std::out_of_range("a number is not whole");
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw std::out_of_range("a number is too large");
  return json.get<std::int64_t>();
}

Json terms_to_json(const std::vector<Term>& terms) {
  // Signed numbers from 1 on: 3 is "+ field 2", -1 is "- field 0".
  Json array = Json::array();
  for (const Term& term : terms)
    array.push_back((static_cast<int>(term.field) + 1) * (term.sign < 0 ? -1 : 1));
  return array;
}

std::vector<Term> terms_from_json(const Json& array) {
  std::vector<Term> terms;
  for (const Json& item : array) {
    constexpr auto kMost = static_cast<std::int64_t>(kMaxFieldsPerObject);
    const std::int64_t number = integer_of(item);
    if (number == 0 || number > kMost || number < -kMost) throw std::out_of_range("term");
    terms.push_back(number < 0 ? Term{static_cast<std::uint16_t>(-number - 1), -1}
                               : Term{static_cast<std::uint16_t>(number - 1), 1});
  }
  return terms;
}

Json field_to_json(const FieldDefinition& field) {
  Json json{{"name", field.name}, {"backward", static_cast<int>(field.backward)}};
  if (field.step_back_tolerance != 0) json["tolerance"] = field.step_back_tolerance;
  if (field.max_per_second != 0) json["max_per_second"] = field.max_per_second;
  return json;
}

FieldDefinition field_from_json(const Json& json) {
  FieldDefinition field;
  field.name = json.at("name").get<std::string>();
  const auto backward = integer_of(json.at("backward"));
  if (backward < 0 || backward > static_cast<int>(Backward::wrap_32bit)) throw std::out_of_range("backward");
  field.backward = static_cast<Backward>(backward);
  field.step_back_tolerance = json.contains("tolerance") ? integer_of(json["tolerance"]) : 0;
  field.max_per_second = json.value("max_per_second", 0.0);
  if (!std::isfinite(field.max_per_second)) throw std::out_of_range("max_per_second");
  return field;
}

Json counter_to_json(const CounterDefinition& counter) {
  Json json{{"name", counter.name},
            {"unit", counter.unit},
            {"type", static_cast<std::uint32_t>(counter.type)},
            {"value", terms_to_json(counter.value)}};
  if (!counter.base.empty()) json["base"] = terms_to_json(counter.base);
  if (counter.scale != 1.0) json["scale"] = counter.scale;
  json["help"] = counter.help;
  return json;
}

CounterDefinition counter_from_json(const Json& json) {
  CounterDefinition counter;
  counter.name = json.at("name").get<std::string>();
  counter.unit = json.at("unit").get<std::string>();
  const auto type = integer_of(json.at("type"));
  if (type < 0 || type > std::numeric_limits<std::uint32_t>::max()) throw std::out_of_range("type");
  counter.type = static_cast<CounterType>(static_cast<std::uint32_t>(type));
  counter.value = terms_from_json(json.at("value"));
  if (json.contains("base")) counter.base = terms_from_json(json["base"]);
  counter.scale = json.value("scale", 1.0);
  if (!std::isfinite(counter.scale)) throw std::out_of_range("scale");
  counter.help = json.value("help", std::string());
  return counter;
}

ObjectDefinition object_from_json(const Json& json) {
  ObjectDefinition object;
  object.name = json.at("name").get<std::string>();
  object.help = json.value("help", std::string());
  object.instanced = json.value("instanced", false);
  object.grouped = json.value("grouped", false);
  for (const Json& field : json.at("fields")) object.fields.push_back(field_from_json(field));
  for (const Json& counter : json.at("counters")) object.counters.push_back(counter_from_json(counter));
  if (json.contains("notable")) {
    const Json& notable = json["notable"];
    NotableRule rule;
    const auto min_ticks = integer_of(notable.at("min_ticks"));
    if (min_ticks < 0 || min_ticks > std::numeric_limits<std::uint32_t>::max())
      throw std::out_of_range("min_ticks");
    rule.min_ticks = static_cast<std::uint32_t>(min_ticks);
    rule.work = terms_from_json(notable.at("work"));
    rule.min_work = integer_of(notable.at("min_work"));
    object.notable = std::move(rule);
  }
  return object;
}

}  // namespace

std::string definition_to_json(const ObjectDefinition& object) {
  Json json{{"name", object.name}, {"instanced", object.instanced}, {"grouped", object.grouped}};
  Json fields = Json::array();
  for (const FieldDefinition& field : object.fields) fields.push_back(field_to_json(field));
  Json counters = Json::array();
  for (const CounterDefinition& counter : object.counters) counters.push_back(counter_to_json(counter));
  json["fields"] = std::move(fields);
  json["counters"] = std::move(counters);
  if (object.notable)
    json["notable"] = Json{{"min_ticks", object.notable->min_ticks},
                           {"work", terms_to_json(object.notable->work)},
                           {"min_work", object.notable->min_work}};
  json["help"] = object.help;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<ObjectHandle> definition_from_json(std::string_view text) {
  if (text.size() > kMaxJsonBytes)
    return fail(ErrorCode::malformed, "a stored object definition is too long");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail(ErrorCode::malformed, "a stored object definition is no JSON");
  try {
    auto object = std::make_shared<ObjectDefinition>(object_from_json(json));
    if (const std::string reason = why_invalid(*object); !reason.empty())
      return fail(ErrorCode::malformed, "a stored object definition is not sound: " + reason);
    return ObjectHandle(std::move(object));
  } catch (const std::exception& error) {
    return fail(ErrorCode::malformed, std::string("a stored object definition is damaged: ") + error.what());
  }
}

}  // namespace countertop::history
