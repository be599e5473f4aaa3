#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "collectors/proc/network_parser.hpp"
#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {
constexpr std::string_view kHead =
    "Inter-|   Receive                            |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls "
    "carrier "
    "compressed\n";

std::string with_head(std::string_view rows) { return std::string(kHead) + std::string(rows); }
}  // namespace

TEST_CASE("An interface's second: bytes, packets, errors, drops, multicast") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("network") == std::vector<std::string>{"lo", "eth0"});
  files.write("proc/net/dev", with_head("eth0:90001000 120010 4 13 1 2 0 705 20002000 80020 1 6 0 0 4 0\n"));
  watch.tick();
  CHECK(watch.value("network", "eth0", "received bytes/s") == Approx(1000));
  CHECK(watch.value("network", "eth0", "sent bytes/s") == Approx(2000));
  CHECK(watch.value("network", "eth0", "received packets/s") == Approx(10));
  CHECK(watch.value("network", "eth0", "sent packets/s") == Approx(20));
  CHECK(watch.value("network", "eth0", "receive errors/s") == Approx(1));
  CHECK(watch.value("network", "eth0", "received drops/s") == Approx(2));
  CHECK(watch.value("network", "eth0", "sent drops/s") == Approx(1));
  CHECK(watch.value("network", "eth0", "received multicast/s") == Approx(5));
  CHECK(watch.instances("network") == std::vector<std::string>{"eth0"});
}

TEST_CASE("The speed of a link is shown where it is known, and read once a minute") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  for (int i = 0; i < 59; ++i) watch.tick();
  CHECK(watch.value("network", "eth0", "speed") == 1e9);
  CHECK(watch.absence("network", "lo", "speed") == Absence::not_readable);
  CHECK(files.reads_of("sys/class/net/eth0/speed") == 1);
  files.write("sys/class/net/eth0/speed", "100\n");
  watch.tick();
  CHECK(watch.value("network", "eth0", "speed") == 1e9);
  watch.tick();
  CHECK(watch.value("network", "eth0", "speed") == 1e8);
}

TEST_CASE(
    "An interface that comes gets its speed in the same reading, and no spike of what it counted before") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.write("sys/class/net/wg0/speed", "4294967295\n");
  files.write("sys/class/net/veth1/speed", "10000\n");
  files.write("proc/net/dev", files.text("proc/net/dev") +
                                  "  wg0: 7 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
                                  "veth1: 5000000 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n");
  watch.tick();
  CHECK(watch.absence("network", "wg0", "speed") == Absence::not_readable);
  CHECK(watch.value("network", "veth1", "speed") == 1e10);
  CHECK(watch.absence("network", "veth1", "received bytes/s") == Absence::first_sample);
}

TEST_CASE("Names of interfaces may be odd, and stay apart") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/net/dev", with_head("eth0:1: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"
                                        "\xff: 2 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"
                                        "\xfe: 3 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"
                                        "a|b: 4 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"
                                        "w\xc3\xb6: 5 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"));
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("network") ==
        std::vector<std::string>{"eth0:1", "\xef\xbf\xbd", "\xef\xbf\xbd#2", "a|b", "w\xc3\xb6"});
}

TEST_CASE("With the machine's files mounted elsewhere the machine's interfaces are read, not our own") {
  FakeProcRoot files{"container"};
  MachineWatch watch(files, true);
  watch.tick();
  CHECK(watch.instances("network") == std::vector<std::string>{"lo", "enp5s0"});
  CHECK(watch.value("tcp", "", "established") == 17);
}

TEST_CASE("An interface's line that lacks columns is left out and told") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/net/dev", with_head("eth0: 1 2 3\n lo: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"));
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("network") == std::vector<std::string>{"lo"});
  CHECK(watch.has_problem("1 lines not understood"));
}

TEST_CASE("Network: every cut of the text gives whole rows only", "[parse]") {
  const FakeProcRoot files{"two_cpus"};
  const std::string& text = files.text("proc/net/dev");
  std::vector<proc::NetworkRow> whole, part;
  REQUIRE(proc::parse_network(text, whole) == 0);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    (void)proc::parse_network(cut, part);
    for (std::size_t i = 0; i < part.size(); ++i) REQUIRE(part[i].values == whole[i].values);
  }
}

TEST_CASE("TCP: traffic, retransmits, connections") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/net/snmp", replaced(files.text("proc/net/snmp"), "900 450 12 30 17 110000 95000 240 2 61",
                                        "905 452 13 31 18 110500 95200 250 2 63"));
  files.write("proc/net/netstat",
              replaced(files.text("proc/net/netstat"), "TcpExt: 5 7 9 11", "TcpExt: 5 8 11 11"));
  watch.tick();
  CHECK(watch.value("tcp", "", "received segments/s") == Approx(500));
  CHECK(watch.value("tcp", "", "sent segments/s") == Approx(200));
  CHECK(watch.value("tcp", "", "retransmits/s") == Approx(10));
  CHECK(watch.value("tcp", "", "retransmits %") == Approx(5));
  CHECK(watch.value("tcp", "", "connections opened/s") == Approx(5));
  CHECK(watch.value("tcp", "", "resets/s") == Approx(1));
  CHECK(watch.value("tcp", "", "sent resets/s") == Approx(2));
  CHECK(watch.value("tcp", "", "established") == 18);
  CHECK(watch.value("tcp", "", "listen overflows/s") == Approx(1));
  CHECK(watch.value("tcp", "", "listen drops/s") == Approx(2));
  CHECK(watch.value("tcp", "", "time wait") == 14);
  CHECK(watch.value("tcp", "", "orphans") == 1);
  CHECK(watch.value("tcp", "", "sockets used") == 30);
  CHECK(watch.value("tcp", "", "memory") == 6 * 4096);
}

TEST_CASE("UDP is the sum of both versions, and of one where there is no other") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/net/snmp",
              replaced(files.text("proc/net/snmp"), "Udp: 5000 20 9 5100", "Udp: 5010 20 10 5120"));
  files.write("proc/net/snmp6", replaced(files.text("proc/net/snmp6"), "\t300\n", "\t305\n"));
  watch.tick();
  CHECK(watch.value("udp", "", "received datagrams/s") == Approx(15));
  CHECK(watch.value("udp", "", "sent datagrams/s") == Approx(20));
  CHECK(watch.value("udp", "", "receive errors/s") == Approx(1));
  CHECK(watch.value("udp", "", "sockets used") == 8);

  FakeProcRoot without{"old_kernel"};
  MachineWatch old(without);
  old.tick();
  old.tick();
  CHECK(old.value("udp", "", "received datagrams/s") == 0);
  CHECK(old.value("udp", "", "sockets used") == 5);
}

TEST_CASE("UDP of both versions has no value while one of them cannot be read") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.refuse("proc/net/snmp6", ErrorCode::io);
  watch.tick();
  CHECK(watch.absence("udp", "", "received datagrams/s") == Absence::not_readable);
  files.allow("proc/net/snmp6");
  watch.tick();
  watch.tick();
  CHECK(watch.value("udp", "", "received datagrams/s") == 0);
}
