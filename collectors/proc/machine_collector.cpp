#include "collectors/proc/machine_collector.hpp"

#include <exception>
#include <string>
#include <utility>

#include "collectors/proc/cpu_part.hpp"
#include "collectors/proc/disk_part.hpp"
#include "collectors/proc/load_part.hpp"
#include "collectors/proc/memory_part.hpp"
#include "collectors/proc/network_part.hpp"
#include "collectors/proc/pressure_part.hpp"
#include "collectors/proc/socket_part.hpp"

namespace countertop::proc {
namespace {

constexpr std::uint32_t kReadingsToRest = 60;

Result<void> read_guarded(MachinePart& part, PartReading& reading) {
  const std::size_t snapshots = reading.out.snapshots.size();
  std::string thrown;
  try {
    return part.read(reading);
  } catch (const std::exception& exception) {
    thrown = exception.what();
  } catch (...) {
    thrown = "unknown exception";
  }
  reading.out.snapshots.resize(snapshots);
  return fail(ErrorCode::internal, thrown);
}

}  // namespace

MachineCollector::MachineCollector(std::unique_ptr<FileTree> files,
                                   std::vector<std::unique_ptr<MachinePart>> parts)
    : files_(std::move(files)) {
  for (auto& part : parts) slots_.push_back({std::move(part), std::nullopt, 0});
}

std::vector<ObjectHandle> MachineCollector::objects() const {
  std::vector<ObjectHandle> all;
  for (const Slot& slot : slots_)
    for (ObjectHandle& object : slot.part->objects()) all.push_back(std::move(object));
  return all;
}

Result<Collected> MachineCollector::collect(const Clock& clock) {
  Collected out;
  out.snapshots.reserve(slots_.size() * 2);
  PartReading reading{*files_, clock, out};
  for (Slot& slot : slots_) read_part(slot, reading);
  if (!out.snapshots.empty() || out.problems.empty()) return out;
  // Nothing at all: the first refusal stands for the others, which have mostly the same cause.
  return tl::unexpected(std::move(out.problems.front()));
}

void MachineCollector::read_part(Slot& slot, PartReading& reading) {
  if (slot.rest > 0) {
    --slot.rest;
    reading.out.problems.push_back(*slot.absent);
    return;
  }
  auto result = read_guarded(*slot.part, reading);
  slot.absent.reset();
  if (result) return;
  Error error = std::move(result.error());
  error.message = "no " + std::string(slot.part->name()) + ": " + error.message;
  if (error.code == ErrorCode::unavailable || error.code == ErrorCode::not_found) {
    slot.absent = error;
    slot.rest = kReadingsToRest;
  }
  reading.out.problems.push_back(std::move(error));
}

std::unique_ptr<MachineCollector> make_machine_collector(std::unique_ptr<FileTree> files,
                                                         const MachineFacts& facts, bool foreign_root) {
  const std::string folder = network_folder(*files, foreign_root);
  std::vector<std::unique_ptr<MachinePart>> parts;
  parts.push_back(make_cpu_part(facts.ticks_per_second, read_most_cpus(*files)));
  parts.push_back(make_memory_part(facts.page_bytes));
  parts.push_back(make_load_part());
  parts.push_back(make_pressure_part());
  parts.push_back(make_disk_part());
  parts.push_back(make_network_part(folder));
  parts.push_back(make_socket_part(folder, facts.page_bytes));
  return std::make_unique<MachineCollector>(std::move(files), std::move(parts));
}

}  // namespace countertop::proc
