#include "collectors/proc/process_parser.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fake_process_source.hpp"

using namespace countertop::proc;

namespace {

/// A row of a real kernel (6.12), shortened behind the fields that are used.
std::string row_with(std::string_view comm) {
  return "812 (" + std::string(comm) +
         ") S 1 812 812 0 -1 4194560 2255 913247 7 3 129 58 204 185 20 0 3 0 126605 3133440 408 "
         "18446744073709551615 93854619443200\n";
}

}  // namespace

TEST_CASE("The fields of a process's row are read by their place", "[parse]") {
  const std::string row = row_with("nginx");
  const auto stat = parse_process_stat(row);
  REQUIRE(stat);
  CHECK(stat->comm == "nginx");
  CHECK(stat->state == 'S');
  CHECK_FALSE(stat->kernel_thread);
  CHECK(stat->minor_faults == 2255);
  CHECK(stat->major_faults == 7);
  CHECK(stat->user_ticks == 129);
  CHECK(stat->system_ticks == 58);
  CHECK(stat->threads == 3);
  CHECK(stat->start_ticks == 126605);
  CHECK(stat->virtual_bytes == 3133440);
  CHECK(stat->resident_pages == 408);
}

TEST_CASE("A name with parentheses, blanks or newlines is cut at the last closing parenthesis",
          "[parse][T-L01]") {
  for (const std::string_view comm : {"(a) b", ") S 1", "$$", "two\nlines", "a) S 1 (b", "))))", "((", "",
                                      " ", "(sd-pam)", ") R 1 2 3 4 5 6"}) {
    CAPTURE(comm);
    const std::string row = row_with(comm);
    const auto stat = parse_process_stat(row);
    REQUIRE(stat);
    CHECK(stat->comm == comm);
    CHECK(stat->state == 'S');
    CHECK(stat->user_ticks == 129);
    CHECK(stat->resident_pages == 408);
  }
}

TEST_CASE("A row that was cut anywhere before its last used field is refused", "[parse][T-L01]") {
  const std::string row = row_with("(a) b");
  const std::size_t needed = row.find(" 18446744073709551615") + 1;
  for (std::size_t size = 0; size < row.size(); ++size) {
    CAPTURE(size);
    CHECK(parse_process_stat(std::string_view(row).substr(0, size)).has_value() == (size >= needed));
  }
}

TEST_CASE("Rows with other things than numbers, or too large ones, are refused", "[parse]") {
  CHECK_FALSE(parse_process_stat("812 (a) S 1 1 1 0 -1 x 0 0 0 0 0 0 0 0 20 0 1 0 5 6 7 \n"));
  CHECK_FALSE(parse_process_stat("812 (a) S 1 1 1 0 -1 0 0 0 0 0 0 - 0 0 20 0 1 0 5 6 7 \n"));
  CHECK_FALSE(
      parse_process_stat("812 (a) S 1 1 1 0 -1 0 0 0 0 0 9223372036854775808 0 0 0 20 0 1 0 5 6 7 \n"));
  CHECK(parse_process_stat("812 (a) S 1 1 1 0 -1 0 0 0 0 0 9223372036854775807 0 0 0 20 0 1 0 5 6 7 \n"));
  CHECK_FALSE(parse_process_stat("812 )a( S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 6 7 \n"));
  CHECK_FALSE(parse_process_stat("no row at all"));
}

TEST_CASE("A start that no machine has been up for is refused", "[parse]") {
  const auto row = [](const std::string& start) {
    return "812 (a) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " + start + " 6 7 \n";
  };
  CHECK(parse_process_stat(row("900000000000")));
  CHECK_FALSE(parse_process_stat(row("900000000001")));
  CHECK_FALSE(parse_process_stat(row("9223372036854775807")));
  CHECK_FALSE(parse_process_stat(row("-1")));
}

TEST_CASE("Kernel threads and workqueue workers are told by their flags", "[parse]") {
  countertop::test::FakeStat fake;
  fake.flags = 69238880;
  const std::string row = fake.text(10);
  const auto stat = parse_process_stat(row);
  REQUIRE(stat);
  CHECK(stat->kernel_thread);
  CHECK(stat->workqueue_worker);
  fake.flags = 2129984;
  const std::string plain = fake.text(2);
  CHECK(parse_process_stat(plain)->kernel_thread);
  CHECK_FALSE(parse_process_stat(plain)->workqueue_worker);
}

TEST_CASE("A schedule is read whole or not at all", "[parse]") {
  const auto schedule = parse_process_schedule("2175090 336061 2\n");
  REQUIRE(schedule);
  CHECK(*schedule == ProcessSchedule{2175090, 2});
  for (const std::string_view text :
       {"", "2175090", "2175090 336061 ", "2175090 336061 2", "a b c\n", "1  \n"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_process_schedule(text));
  }
}

TEST_CASE("Bytes to and from storage are found by the names of their lines", "[parse]") {
  const std::string text =
      "rchar: 6976\nwchar: 1\nsyscr: 10\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: "
      "8192\ncancelled_write_bytes: 77\n";
  const auto io = parse_process_io(text);
  REQUIRE(io);
  CHECK(io->read_bytes == 4096);
  CHECK(io->write_bytes == 8192);
  const std::size_t needed = text.find("cancelled");
  for (std::size_t size = 0; size < needed; ++size) {
    CAPTURE(size);
    CHECK_FALSE(parse_process_io(std::string_view(text).substr(0, size)));
  }
  CHECK_FALSE(parse_process_io("read_bytes: 1\nwrite_bytes: many\n"));
}

TEST_CASE("CPUs online are counted from a list with holes", "[parse][T-L04]") {
  CHECK(count_cpu_list("0\n") == 1);
  CHECK(count_cpu_list("0-3\n") == 4);
  CHECK(count_cpu_list("0-3,8,10-11\n") == 7);
  for (const std::string_view text : {"", "\n", "3-0", "a", "0-", "-3", "1,,2", "0-99999999999", "0 1"}) {
    CAPTURE(text);
    CHECK_FALSE(count_cpu_list(text));
  }
}
