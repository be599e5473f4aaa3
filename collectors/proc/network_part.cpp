#include "collectors/proc/network_part.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "collectors/proc/instance_names.hpp"
#include "collectors/proc/network_parser.hpp"
#include "collectors/proc/object_table.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

constexpr auto kRate = CounterType::bulk_count;
constexpr std::size_t kSpeed = kNetworkColumnCount;
constexpr std::size_t kWidth = kSpeed + 1;

// The columns of /proc/net/dev, then the speed.
constexpr FieldRow kFields[] = {
    {"rx bytes"},
    {"rx packets"},
    {"rx errs"},
    {"rx drop"},
    {"rx fifo"},
    {"rx frame"},
    {"rx compressed"},
    {"rx multicast"},
    {"tx bytes"},
    {"tx packets"},
    {"tx errs"},
    {"tx drop"},
    {"tx fifo"},
    {"tx colls"},
    {"tx carrier"},
    {"tx compressed"},
    {"speed", Backward::gauge},
};

constexpr CounterRow kCounters[] = {
    {"received bytes/s", "bytes/s", kRate, "rx bytes", "", 1,
     "Bytes received, headers of the link included. Source: /proc/net/dev, receive bytes."},
    {"sent bytes/s", "bytes/s", kRate, "tx bytes", "", 1,
     "Bytes sent, headers of the link included. Source: /proc/net/dev, transmit bytes."},
    {"received packets/s", "1/s", kRate, "rx packets", "", 1,
     "Packets received. Source: /proc/net/dev, receive packets. A card that joins packets (GRO, LRO) may "
     "count joined ones."},
    {"sent packets/s", "1/s", kRate, "tx packets", "", 1,
     "Packets sent. Source: /proc/net/dev, transmit packets. Large sends that the card cuts up may count "
     "once."},
    {"receive errors/s", "1/s", kRate, "rx errs", "", 1,
     "Packets that arrived damaged. Source: /proc/net/dev, receive errs: checksum, length, frame and overrun "
     "errors together, as the driver counts them."},
    {"send errors/s", "1/s", kRate, "tx errs", "", 1,
     "Packets that could not be sent. Source: /proc/net/dev, transmit errs."},
    {"received drops/s", "1/s", kRate, "rx drop", "", 1,
     "Packets received and thrown away: no room, or nobody speaks their protocol. Source: /proc/net/dev, "
     "receive drop."},
    {"sent drops/s", "1/s", kRate, "tx drop", "", 1,
     "Packets thrown away before they were sent, since a queue was full. Source: /proc/net/dev, transmit "
     "drop."},
    {"received multicast/s", "1/s", kRate, "rx multicast", "", 1,
     "Multicast packets received. Source: /proc/net/dev, receive multicast."},
    {"receive overruns/s", "1/s", kRate, "rx fifo", "", 1,
     "Packets lost because the card's buffer was full. Source: /proc/net/dev, receive fifo."},
    {"frame errors/s", "1/s", kRate, "rx frame", "", 1,
     "Packets with a wrong length, frame or checksum. Source: /proc/net/dev, receive frame."},
    {"collisions/s", "1/s", kRate, "tx colls", "", 1,
     "Collisions on a shared cable. Source: /proc/net/dev, transmit colls. Not 0 means half duplex, mostly "
     "by mistake."},
    {"carrier losses/s", "1/s", kRate, "tx carrier", "", 1,
     "Sends that found no link. Source: /proc/net/dev, transmit carrier."},
    {"speed", "bit/s", CounterType::large_raw_count, "speed", "", 1e6,
     "Speed of the link. Source: /sys/class/net/NAME/speed, in Mbit/s, read once a minute. No value for "
     "interfaces without a link or without a speed of their own; virtual ones often report one that means "
     "nothing."},
};

/// Readings between two looks at an interface's speed, which drivers may take long to answer.
constexpr int kSpeedEvery = 60;

class NetworkPart final : public MachinePart {
 public:
  explicit NetworkPart(std::string folder)
      : object_(make_network_object()), path_(std::move(folder) + "/dev") {}

  [[nodiscard]] std::string_view name() const override { return "network"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }

  Result<void> read(PartReading& reading) override {
    Snapshot snapshot = begin_snapshot(object_, read_time_base(reading.clock));
    const auto text = reading.files.read(Tree::proc, path_);
    if (!text) return tl::unexpected(text.error());
    const std::size_t malformed = parse_network(*text, rows_);
    if (malformed > 0) reading.out.problems.push_back(not_understood("/proc/net/dev", malformed));

    std::array<std::int64_t, kWidth> values{};
    for (const NetworkRow& row : rows_) {
      std::ranges::copy(row.values, values.begin());
      const auto known = speeds_.find(row.name);
      values[kSpeed] = known == speeds_.end() ? kNoValue : known->second;
      add_instance(snapshot, readable_name(row.name), values);
    }
    make_unique(snapshot.instances);
    refresh_speeds(reading.files, snapshot);
    reading.out.snapshots.push_back(std::move(snapshot));
    return {};
  }

 private:
  /// Reads the speed of interfaces that are new, and now and then of all. Ends what the rows point into.
  void refresh_speeds(FileTree& files, Snapshot& snapshot) {
    const bool all = --until_refresh_ <= 0;
    if (all) until_refresh_ = kSpeedEvery;
    const bool any_new =
        std::ranges::any_of(rows_, [&](const NetworkRow& row) { return !speeds_.contains(row.name); });
    if (!all && !any_new) return;

    std::vector<std::string> names;
    for (const NetworkRow& row : rows_) names.emplace_back(row.name);
    std::map<std::string, std::int64_t, std::less<>> speeds;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto known = speeds_.find(names[i]);
      const std::int64_t speed = all || known == speeds_.end() ? read_speed(files, names[i]) : known->second;
      snapshot.values[i * kWidth + kSpeed] = speed;
      speeds.insert_or_assign(names[i], speed);
    }
    speeds_ = std::move(speeds);
  }

  static std::int64_t read_speed(FileTree& files, const std::string& name) {
    if (name == "." || name == ".." || name.find('/') != std::string::npos) return kNoValue;
    const auto text = files.read_once(Tree::sys, "class/net/" + name + "/speed");
    if (!text) return kNoValue;
    const auto megabits = parse_number(trim(*text));
    // -1, also as an unsigned number of 32 bits, is the kernel's word for unknown.
    constexpr std::int64_t kUnknown = 0xFFFF'FFFF;
    return megabits && *megabits > 0 && *megabits < kUnknown ? *megabits : kNoValue;
  }

  const ObjectHandle object_;
  const std::string path_;
  std::vector<NetworkRow> rows_;
  std::map<std::string, std::int64_t, std::less<>> speeds_;  // Mbit/s by name
  int until_refresh_ = 0;
};

}  // namespace

ObjectHandle make_network_object() {
  return make_object("network", "Network interfaces, by the kernel's name.", Instances::many, kFields,
                     kCounters);
}

std::string network_folder(FileTree& files, bool foreign_root) {
  if (foreign_root && files.read_once(Tree::proc, "1/net/dev")) return "1/net";
  return "net";
}

std::unique_ptr<MachinePart> make_network_part(std::string folder) {
  return std::make_unique<NetworkPart>(std::move(folder));
}

}  // namespace countertop::proc
