// How the series of a recording become objects, instances and fields.
#include <algorithm>
#include <map>
#include <set>

#include "tests/support/csv_corpus.hpp"

namespace countertop::test {
namespace {

struct Prefix {
  std::string text;  // up to the last dot, and " 2", " 3" ... for the second 64 fields and so on
  std::vector<std::size_t> series;
};

std::string before_last_dot(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(0, dot);
}

std::string after_last_dot(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? "value" : name.substr(dot + 1);
}

std::vector<Prefix> prefixes_of(const Corpus& corpus) {
  std::vector<Prefix> prefixes;
  std::map<std::string, std::size_t> open;  // prefix -> where its newest part is
  std::map<std::string, std::size_t> parts;
  for (std::size_t i = 0; i < corpus.series.size(); ++i) {
    const std::string prefix = before_last_dot(corpus.series[i].name);
    const auto found = open.find(prefix);
    if (found != open.end() && prefixes[found->second].series.size() < kMaxFieldsPerObject) {
      prefixes[found->second].series.push_back(i);
      continue;
    }
    const std::size_t part = ++parts[prefix];
    open[prefix] = prefixes.size();
    prefixes.push_back({part == 1 ? prefix : prefix + " " + std::to_string(part), {i}});
  }
  return prefixes;
}

FieldDefinition field_for(const CorpusSeries& series) {
  FieldDefinition field;
  field.name = after_last_dot(series.name);
  field.backward = series.kind == SeriesKind::counter ? Backward::reset : Backward::gauge;
  return field;
}

CounterDefinition counter_for(const CorpusSeries& series, std::size_t field) {
  CounterDefinition counter;
  counter.name = after_last_dot(series.name);
  counter.help = "Recorded as " + series.name + ".";
  counter.type = series.kind == SeriesKind::counter ? CounterType::bulk_count : CounterType::large_raw_count;
  counter.value = {{static_cast<std::uint16_t>(field), 1}};
  counter.scale = series.kind == SeriesKind::hundredths ? 0.01 : 1.0;
  return counter;
}

/// Equal for instances that can share an object.
std::string shape_of(const Corpus& corpus, const Prefix& prefix) {
  std::string shape;
  for (const std::size_t index : prefix.series) {
    const CorpusSeries& series = corpus.series[index];
    shape += after_last_dot(series.name) + ':' + static_cast<char>(series.kind) + '\n';
  }
  return shape;
}

ObjectHandle define(const Corpus& corpus, const Prefix& prefix, std::string name, bool instanced) {
  auto object = std::make_shared<ObjectDefinition>();
  object->name = std::move(name);
  object->help = "From a recording.";
  object->instanced = instanced;
  for (std::size_t field = 0; field < prefix.series.size(); ++field) {
    const CorpusSeries& series = corpus.series[prefix.series[field]];
    object->fields.push_back(field_for(series));
    object->counters.push_back(counter_for(series, field));
  }
  return object;
}

}  // namespace

std::vector<CorpusObject> objects_of(const Corpus& corpus) {
  std::vector<CorpusObject> objects;
  std::map<std::pair<std::string, std::string>, std::size_t> by_shape;  // first word and fields -> object
  std::set<std::string> taken;
  const std::vector<Prefix> prefixes = prefixes_of(corpus);
  for (const Prefix& prefix : prefixes) {
    if (prefix.text.find('.') == std::string::npos) taken.insert(prefix.text);
  }
  for (const Prefix& prefix : prefixes) {
    const std::size_t dot = prefix.text.find('.');
    if (dot == std::string::npos) {
      objects.push_back({define(corpus, prefix, prefix.text, false), {{"", prefix.series}}});
      continue;
    }
    const std::string first = prefix.text.substr(0, dot);
    const std::pair key(first, shape_of(corpus, prefix));
    auto found = by_shape.find(key);
    if (found == by_shape.end()) {
      const std::string name = taken.insert(first).second ? first : prefix.text;
      found = by_shape.emplace(key, objects.size()).first;
      objects.push_back({define(corpus, prefix, name, true), {}});
    }
    objects[found->second].instances.push_back({prefix.text.substr(dot + 1), prefix.series});
  }
  return objects;
}

std::vector<query::CounterPath> paths_of(const Corpus& corpus, const std::vector<CorpusObject>& objects) {
  std::vector<query::CounterPath> paths(corpus.series.size());
  for (const CorpusObject& object : objects) {
    const ObjectDefinition& definition = *object.definition;
    for (const CorpusInstance& instance : object.instances) {
      for (std::size_t field = 0; field < instance.series.size(); ++field) {
        query::CounterPath& path = paths[instance.series[field]];
        path.object = definition.name;
        if (definition.instanced) path.instance = instance.name;
        path.counter = definition.counters[field].name;
      }
    }
  }
  return paths;
}

}  // namespace countertop::test
