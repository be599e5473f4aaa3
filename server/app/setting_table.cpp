#include "server/app/setting_table.hpp"

#include <array>
#include <cctype>

namespace countertop::app {
namespace {

constexpr std::array kSettings{
    SettingDefinition{
        "server", "listen", SettingType::address, "127.0.0.1:7177", "--listen",
        "address and port of the page and the API; beyond loopback every request needs the token"},
    SettingDefinition{"server", "allowed_hosts", SettingType::list, "", "",
                      "further names, separated by commas, under which browsers may reach the page"},
    SettingDefinition{"server", "query_timeout", SettingType::duration, "10s", "",
                      "longest time that one query may take"},
    SettingDefinition{"store", "directory", SettingType::path, "", "--data",
                      "where history and token lie; default $XDG_STATE_HOME/countertop"},
    SettingDefinition{"store", "max_size", SettingType::size, "2GiB", "",
                      "hard cap on the whole data directory, at least 16MiB"},
    SettingDefinition{"store", "raw", SettingType::duration, "30d", "", "how long every second is kept"},
    SettingDefinition{"store", "minute", SettingType::duration, "1y", "", "how long minutes are kept"},
    SettingDefinition{"store", "hour", SettingType::duration, "10y", "", "how long hours are kept"},
    SettingDefinition{"collect", "interval", SettingType::duration, "1s", "",
                      "time between two samples, 100ms to 60s"},
    SettingDefinition{"collect", "off", SettingType::list, "", "",
                      "collectors that shall not run, separated by commas, such as process,sensors"},
    SettingDefinition{
        "collect", "proc_root", SettingType::path, "/proc", "",
        "where the kernel's process files are; /host/proc in a container that watches its host"},
    SettingDefinition{"collect", "sys_root", SettingType::path, "/sys", "",
                      "where the kernel's device files are; /host/sys in a container"},
    SettingDefinition{"collect", "filesystem_root", SettingType::path, "", "",
                      "goes in front of mount points; /host/root in a container"},
    SettingDefinition{"log", "level", SettingType::text, "info", "", "debug, info, warning or error"},
};

std::string joined(const SettingDefinition& setting, std::string_view prefix, char separator) {
  std::string name(prefix);
  name += setting.section;
  name += separator;
  name += setting.key;
  return name;
}

}  // namespace

std::span<const SettingDefinition> setting_table() { return kSettings; }

std::string dotted_name(const SettingDefinition& setting) { return joined(setting, "", '.'); }

std::string environment_name(const SettingDefinition& setting) {
  std::string name = joined(setting, "COUNTERTOP_", '_');
  for (char& letter : name) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return name;
}

std::string flag_name(const SettingDefinition& setting) {
  std::string name = joined(setting, "--", '-');
  for (char& letter : name) {
    if (letter == '_') letter = '-';
  }
  return name;
}

}  // namespace countertop::app
