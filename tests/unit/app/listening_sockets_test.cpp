#include <catch_amalgamated.hpp>

#include "server/app/processes.hpp"

using namespace countertop::app;

TEST_CASE("listening sockets are found among the others, IPv4 and IPv6") {
  const auto sockets = parse_listening_sockets(
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 0100007F:1C09 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12345 1 "
      "0000 100\n"
      "   1: 0100007F:1C09 0100007F:B2C4 01 00000000:00000000 00:00000000 00000000     0        0 777 1 0000 "
      "20\n"
      "   2: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A "
      "00000000:00000000 "
      "00:00000000 00000000     0        0 99 1 0000 100\n");
  CHECK(sockets == std::vector<ListeningSocket>{{7177, 12345}, {80, 99}});
}

TEST_CASE("rows that are cut or no rows at all are left out") {
  CHECK(parse_listening_sockets("").empty());
  CHECK(parse_listening_sockets("   0: 0100007F:1C09 00000000:0000 0A 00000000").empty());
  CHECK(parse_listening_sockets("   0: 0100007F 00000000:0000 0A a b c d e 5\n").empty());
  CHECK(parse_listening_sockets("   0: 0100007F:XXXX 00000000:0000 0A a b c d e 5\n\n\n").empty());
}
