#include "collectors/core/object.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace countertop {
namespace {

bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string why_invalid_terms(const ObjectDefinition& object, const std::vector<Term>& terms) {
  for (const Term term : terms) {
    if (term.field >= object.fields.size())
      return "refers to field " + std::to_string(term.field) + ", which does not exist";
    if (term.sign != 1 && term.sign != -1) return "has a term whose sign is neither 1 nor -1";
  }
  return {};
}

std::string why_invalid_field(const FieldDefinition& field) {
  if (field.name.empty()) return "a field has no name";
  if (has_control_characters(field.name)) return "a field's name has control characters";
  if (field.step_back_tolerance < 0) return "field " + quoted(field.name) + " has a negative tolerance";
  if (!std::isfinite(field.max_per_second) || field.max_per_second < 0)
    return "field " + quoted(field.name) + " has a bound that is no positive number";
  return {};
}

std::string why_invalid_counter(const ObjectDefinition& object, const CounterDefinition& counter) {
  if (counter.name.empty()) return "a counter has no name";
  const std::string who = "counter " + quoted(counter.name) + " ";
  if (has_control_characters(counter.name)) return who + "has control characters in its name";
  if (!std::isfinite(counter.scale)) return who + "has a scale that is no finite number";
  for (const auto* terms : {&counter.value, &counter.base}) {
    if (std::string why = why_invalid_terms(object, *terms); !why.empty()) return who + why;
  }
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->formula == Formula::none) return {};
  if (counter.value.empty()) return who + "has no value";
  if (type->has_base && counter.base.empty()) return who + "has a type that needs a base, and has none";
  if (!type->has_base && !counter.base.empty()) return who + "has a base, which its type does not use";
  return {};
}

std::string why_invalid_object(const ObjectDefinition& object) {
  if (object.name.empty()) return "the object has no name";
  if (object.name.find_first_of("()/\\*") != std::string::npos || has_control_characters(object.name))
    return "the object's name holds one of ( ) / \\ * or a control character";
  if (object.grouped && !object.instanced) return "only an object with instances can be grouped";
  if (object.fields.size() > kMaxFieldsPerObject)
    return "more than " + std::to_string(kMaxFieldsPerObject) + " fields";
  if (object.counters.size() > kMaxCountersPerObject)
    return "more than " + std::to_string(kMaxCountersPerObject) + " counters";
  if (object.fields.empty()) return "the object has no fields";
  return {};
}

}  // namespace

const CounterDefinition* ObjectDefinition::find_counter(std::string_view counter_name) const {
  const auto found = std::ranges::find(counters, counter_name, &CounterDefinition::name);
  return found == counters.end() ? nullptr : &*found;
}

std::string why_invalid(const ObjectDefinition& object) {
  if (std::string why = why_invalid_object(object); !why.empty()) return why;
  std::unordered_set<std::string_view> names;
  for (const FieldDefinition& field : object.fields) {
    if (std::string why = why_invalid_field(field); !why.empty()) return why;
    if (!names.insert(field.name).second) return "two fields are named " + quoted(field.name);
  }
  names.clear();
  for (const CounterDefinition& counter : object.counters) {
    if (std::string why = why_invalid_counter(object, counter); !why.empty()) return why;
    if (!names.insert(counter.name).second) return "two counters are named " + quoted(counter.name);
  }
  if (object.notable) {
    if (std::string why = why_invalid_terms(object, object.notable->work); !why.empty())
      return "the rule for notable instances " + why;
  }
  return {};
}

}  // namespace countertop
