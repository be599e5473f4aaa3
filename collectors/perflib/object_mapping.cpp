#include "collectors/perflib/object_mapping.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "collectors/perflib/wide_text.hpp"

namespace countertop::perflib {
namespace {

// Bits of a counter type, winperf.h.
constexpr std::uint32_t kKindMask = 0xC00;
constexpr std::uint32_t kKindNumber = 0x000;
constexpr std::uint32_t kKindCounter = 0x400;
constexpr std::uint32_t kSubtypeMask = 0x70000;
constexpr std::uint32_t kSubtypeBase = 0x30000;
constexpr std::uint32_t kDeltaCounter = 0x400000;
constexpr std::uint32_t kMultiCounter = 0x2000000;

// A 4-byte counter cannot be measured once a second beyond half its range: a larger step is a restart of the
// provider, which would otherwise show as four thousand million.
constexpr double kFastest4ByteGrowth = 2147483648.0;

// A process becomes a history of its own after five ticks or a tenth of a second of CPU time.
constexpr std::uint32_t kNotableTicks = 5;
constexpr std::int64_t kNotableWork100ns = 1'000'000;
constexpr std::uint32_t kProcessorTime = 6;

bool is_base(std::uint32_t type) {
  return (type & kSubtypeMask) == kSubtypeBase && (type & kKindMask) == kKindCounter;
}
bool is_number(std::uint32_t type) {
  const std::uint32_t kind = type & kKindMask;
  return (kind == kKindNumber || kind == kKindCounter) && type != 0x80000000;
}

/// Names that are unique inside their object: the second "Bytes" is "Bytes #2".
class UniqueNames {
 public:
  std::string take(const std::string& name) {
    std::string unique = name;
    for (int number = 2; !taken_.insert(unique).second; ++number)
      unique = name + " #" + std::to_string(number);
    return unique;
  }

 private:
  std::unordered_set<std::string> taken_;
};

FieldDefinition make_field(std::string name, const CounterView& counter, bool grows) {
  FieldDefinition field{std::move(name), Backward::gauge};
  if (!grows) return field;
  if (counter.size == 4) {
    field.backward = Backward::wrap_32bit;
    field.max_per_second = kFastest4ByteGrowth;
  } else {
    field.backward = Backward::reset;
  }
  return field;
}

class Mapper {
 public:
  Mapper(const ObjectView& object, std::span<const CounterView> counters, const Names& names)
      : object_(object), counters_(counters), names_(names) {}

  ObjectMapping map() {
    ObjectMapping mapping;
    mapping.made_of.assign(counters_.begin(), counters_.end());
    begin_part();
    for (std::size_t index = 0; index < counters_.size(); ++index) add_counter(index, mapping);
    end_part(mapping);
    return mapping;
  }

 private:
  void begin_part() {
    part_ = ObjectDefinition{};
    sources_.clear();
    field_names_ = UniqueNames();
    part_.name = object_name(names_.name_of(object_.name_index));
    if (number_ > 1) part_.name += " " + std::to_string(number_);
    part_.help = std::string(names_.help_of(object_.help_index));
    add_local_name(object_.name_index, names_.name_of(object_.name_index), part_.help);
    part_.instanced = object_.instanced;
    part_.grouped = object_.instanced && object_.name_index == known::kProcess;
  }

  void end_part(ObjectMapping& mapping) {
    if (part_.fields.empty()) return;
    if (part_.grouped && number_ == 1) add_notable_rule();
    if (std::string why = why_invalid(part_); !why.empty()) {
      mapping.left_out.push_back(part_.name + ": " + why);
      return;
    }
    mapping.objects.push_back({std::make_shared<const ObjectDefinition>(std::move(part_)), sources_});
  }

  void add_notable_rule() {
    for (std::size_t field = 0; field < sources_.size(); ++field) {
      if (counters_[sources_[field].counter].name_index != kProcessorTime) continue;
      part_.notable = NotableRule{kNotableTicks, {{static_cast<std::uint16_t>(field)}}, kNotableWork100ns};
    }
  }

  void add_local_name(std::uint32_t index, const std::string& english, std::string& help) const {
    const std::string_view local = names_.local_name_of(index);
    if (local.empty() || local == english) return;
    if (!help.empty()) help += " ";
    help += "In this system's language: " + std::string(local) + ".";
  }

  void add_counter(std::size_t index, ObjectMapping& mapping) {
    const CounterView& counter = counters_[index];
    if (is_base(counter.type)) return;  // belongs to the counter before it
    std::string name = names_.name_of(counter.name_index);
    const auto leave_out = [&](const char* why) {
      mapping.left_out.push_back(part_.name + "/" + name + ": " + why);
    };
    if (counter.type == static_cast<std::uint32_t>(CounterType::no_data)) return;  // a label
    if (!is_number(counter.type)) {
      leave_out("it is no number");
      return;
    }
    if (counter.size != 4 && (counter.size < 8 || counter.size > 16)) {
      leave_out("its size is neither 4 nor 8 bytes");
      return;
    }
    const CounterTypeDescription* const type = find_description(CounterType{counter.type});
    const bool has_base = type != nullptr && type->has_base;
    const bool base_follows = index + 1 < counters_.size() && is_base(counters_[index + 1].type);
    const bool counts_behind = has_base && !base_follows && (counter.type & kMultiCounter) != 0;
    if (has_base && !base_follows && !counts_behind) {
      leave_out("its base is missing");
      return;
    }
    if (part_.fields.size() + (has_base ? 2 : 1) > kMaxFieldsPerObject) {
      end_part(mapping);
      ++number_;
      begin_part();
    }
    push(index, name, type, base_follows && has_base, counts_behind);
  }

  void push(std::size_t index, const std::string& name, const CounterTypeDescription* type, bool base_follows,
            bool counts_behind) {
    const CounterView& counter = counters_[index];
    CounterDefinition shown;
    shown.name = field_names_.take(name);
    shown.help = std::string(names_.help_of(counter.help_index));
    add_local_name(counter.name_index, name, shown.help);
    shown.type = CounterType{counter.type};
    shown.unit = unit_of(shown.type, name);
    shown.value = {
        add_field(shown.name, {index, false}, counter, (counter.type & kDeltaCounter) != 0 || grows(type))};
    if (base_follows) {
      const bool delta = type->formula != Formula::percent_of_base && type->formula != Formula::multi_percent;
      shown.base = {add_field(field_names_.take(shown.name + " base"), {index + 1, false},
                              counters_[index + 1], delta)};
    } else if (counts_behind) {
      shown.base = {add_field(field_names_.take(shown.name + " instances"), {index, true}, counter, false)};
    }
    part_.counters.push_back(std::move(shown));
  }

  /// PERF_AVERAGE_* lack the delta bit and are differences all the same.
  static bool grows(const CounterTypeDescription* type) {
    return type != nullptr &&
           (type->formula == Formula::average || type->formula == Formula::average_seconds);
  }

  Term add_field(std::string name, FieldSource source, const CounterView& counter, bool grows) {
    part_.fields.push_back(make_field(std::move(name), counter, grows));
    sources_.push_back(source);
    return {static_cast<std::uint16_t>(part_.fields.size() - 1)};
  }

  const ObjectView& object_;
  const std::span<const CounterView> counters_;
  const Names& names_;
  ObjectDefinition part_;
  std::vector<FieldSource> sources_;
  UniqueNames field_names_;
  int number_ = 1;
};

bool speaks_of_bytes(std::string_view name) {
  for (std::size_t at = name.find("Bytes"); at != std::string_view::npos; at = name.find("Bytes", at + 1)) {
    // MBytes and KBytes are other units.
    if (at == 0 || name[at - 1] == ' ' || name[at - 1] == '/' || name[at - 1] == '(') return true;
  }
  return false;
}

}  // namespace

std::string object_name(std::string_view name) {
  constexpr std::string_view kReserved = "()/\\*";
  constexpr std::string_view kInstead = "[]--x";
  std::string result = clean_text(name);
  for (char& letter : result) {
    if (const std::size_t at = kReserved.find(letter); at != std::string_view::npos) letter = kInstead[at];
  }
  return result;
}

std::string unit_of(CounterType type, std::string_view english_name) {
  const CounterTypeDescription* const description = find_description(type);
  if (description == nullptr) return {};
  switch (description->formula) {
    case Formula::rate:
      return speaks_of_bytes(english_name) ? "bytes/s" : "1/s";
    case Formula::percent_of_time:
    case Formula::multi_percent:
    case Formula::percent_of_base:
    case Formula::percent_of_delta:
      return "%";
    case Formula::average_seconds:
    case Formula::elapsed:
      return "s";
    case Formula::value:
    case Formula::difference:
    case Formula::average:
      return speaks_of_bytes(english_name) ? "bytes" : "";
    default:
      return {};
  }
}

ObjectMapping map_object(const ObjectView& object, std::span<const CounterView> counters,
                         const Names& names) {
  return Mapper(object, counters, names).map();
}

}  // namespace countertop::perflib
