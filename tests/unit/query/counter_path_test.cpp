#include "server/query/counter_path.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

namespace countertop::query {
namespace {

CounterPath parsed(std::string_view text) {
  const auto path = parse_counter_path(text);
  INFO(text);
  REQUIRE(path.has_value());
  return *path;
}

TEST_CASE("Paths are read as people write and paste them", "[path]") {
  struct Row {
    std::string_view text, host, object;
    std::optional<std::string> instance;
    std::string_view counter;
  };
  const std::vector<Row> rows{
      {"cpu(total)/busy", "", "cpu", "total", "busy"},
      {"memory/used", "", "memory", std::nullopt, "used"},
      {"disk(vda)/read bytes/s", "", "disk", "vda", "read bytes/s"},
      {R"(\\HOST\Processor(_Total)\% Processor Time)", "HOST", "Processor", "_Total", "% Processor Time"},
      {R"(\Processor(_Total)\% Processor Time)", "", "Processor", "_Total", "% Processor Time"},
      {R"(\\.\Memory\Available Bytes)", "", "Memory", std::nullopt, "Available Bytes"},
      {"//web-3/cpu(total)/busy", "web-3", "cpu", "total", "busy"},
      {"/cpu(0)/user", "", "cpu", "0", "user"},
      {"process(nginx)/cpu", "", "process", "nginx", "cpu"},
      {"process(a) S 1 (b:12@1764500000)/cpu of machine", "", "process", "a) S 1 (b:12@1764500000",
       "cpu of machine"},
      {"process(a%29/b:1@2)/cpu", "", "process", "a)/b:1@2", "cpu"},
      {R"(Network Interface(Intel(R) Ethernet (2))\Bytes Total/sec)", "", "Network Interface",
       "Intel(R) Ethernet (2)", "Bytes Total/sec"},
      {"thread(svchost#3/12)/% Processor Time (all)", "", "thread", "svchost#3/12", "% Processor Time (all)"},
      {"disk()/x", "", "disk", "", "x"},
      {"load/1 min", "", "load", std::nullopt, "1 min"},
      {"x(50%)/y", "", "x", "50%", "y"},
      {"x(\xE4\xB8\xAD\xE6\x96\x87)/y", "", "x", "\xE4\xB8\xAD\xE6\x96\x87", "y"},
      {"memory/used (a)/(b)", "", "memory", std::nullopt, "used (a)/(b)"},
  };
  for (const Row& row : rows) {
    const CounterPath path = parsed(row.text);
    CHECK(path.host == row.host);
    CHECK(path.object == row.object);
    CHECK(path.instance == row.instance);
    CHECK(path.counter == row.counter);
  }
}

TEST_CASE("Paths that miss a part are refused, saying which and showing one", "[path]") {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"", "names no object"},
      {"cpu", "names no counter"},
      {"cpu/", "names no counter"},
      {"cpu(total)", "names no counter after its instance"},
      {"cpu(total)/", "names no counter"},
      {"cpu(total/busy", "no ')' and slash close"},
      {"(total)/busy", "names no object"},
      {"cpu)/busy", "has a ')' without a '('"},
      {"//web-3", "no host and object"},
      {"///cpu/busy", "no host and object"},
  };
  for (const auto& [text, why] : rows) {
    INFO(text);
    const auto path = parse_counter_path(text);
    REQUIRE_FALSE(path.has_value());
    CHECK(path.error().code == ErrorCode::invalid_argument);
    CHECK(path.error().message.find(why) != std::string::npos);
    CHECK(path.error().fix.find("cpu(total)/busy") != std::string::npos);
  }
  CHECK_FALSE(parse_counter_path(std::string(kMaxPathBytes + 1, 'x')).has_value());
}

TEST_CASE("Printed paths are readable: only what must be is escaped", "[path]") {
  CHECK(make_path("cpu", "total", "busy") == "cpu(total)/busy");
  CHECK(make_path("memory", std::nullopt, "used") == "memory/used");
  CHECK(make_path("Processor", "_Total", "% Processor Time", "HOST") ==
        "//HOST/Processor(_Total)/% Processor Time");
  CHECK(make_path("process", "a) S 1 (b:12@1764500000", "cpu") == "process(a) S 1 (b:12@1764500000)/cpu");
  CHECK(make_path("process", "a)/b", "cpu") == "process(a%29/b)/cpu");
  CHECK(make_path("process", "a*", "cpu") == "process(a%2A)/cpu");
  CHECK(make_path("process", "50%", "cpu") == "process(50%)/cpu");
  CHECK(make_path("process", "%41", "cpu") == "process(%2541)/cpu");
  CHECK(make_path("process", "a\nb\xFF", "cpu") == "process(a%0Ab%FF)/cpu");
  CHECK(make_path("x", std::nullopt, "a*%2A") == "x/a%2A%252A");
  ObjectDefinition cpu;
  cpu.name = "cpu";
  CHECK(make_path(cpu, "", "busy") == "cpu/busy");
  cpu.instanced = true;
  CHECK(make_path(cpu, "", "busy") == "cpu()/busy");
}

/// Texts out of the characters that the grammar is about.
std::string nasty_text(std::mt19937& random, std::size_t max_pieces) {
  static const std::array<std::string, 27> kPieces{
      ")",    "(",    "/",    "\\",   "*",  "%",  "%2A", "%252A",    "%29",
      "%25",  "2A",   "25",   "a",    "Z",  ":1", "@2",  "#",        " ",
      "\x1B", "\x01", "\xFF", "\xC3", "\n", ".",  "//",  "\xC3\xA4", "\xF0\x9F\x98\x80"};
  std::string text;
  for (std::size_t i = random() % (max_pieces + 1); i > 0; --i) text += kPieces[random() % kPieces.size()];
  return text;
}

TEST_CASE("Whatever a name holds, the printed path reads back as the same name", "[path][property]") {
  std::mt19937 random(20261201);
  for (int i = 0; i < 200'000; ++i) {
    CounterPath path;
    path.object = "process";
    if (random() % 8 != 0) path.instance = literal(nasty_text(random, 8));
    path.counter = literal("c" + nasty_text(random, 8));
    if (random() % 4 == 0) path.counter = literal(nasty_text(random, 8) + "c");
    if (random() % 4 == 0) path.host = nasty_text(random, 4);
    if (random() % 4 == 0 && path.instance) *path.instance += "*" + literal(nasty_text(random, 3));
    if (random() % 4 == 0) path.counter += "*" + literal(nasty_text(random, 3));
    const std::string text = format_counter_path(path);
    const auto back = parse_counter_path(text);
    if (!back || *back != path) {
      INFO(text);
      REQUIRE(back.has_value());
      REQUIRE(*back == path);
    }
  }
}

TEST_CASE("Wildcards stand for any text, escaped stars for themselves", "[path]") {
  CHECK(matches("*", ""));
  CHECK(matches("*", "anything/at all"));
  CHECK(matches("sd*", "sda1"));
  CHECK_FALSE(matches("sd*", "vda"));
  CHECK(matches("*:*@17*", "nginx:812@1764500000"));
  CHECK(matches("a**b", "ab"));
  CHECK(matches("*a*a", "banana"));
  CHECK_FALSE(matches("*a*b", "banana"));
  CHECK_FALSE(matches("", "x"));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("cpu", "CPU"));
  const CounterPath star = parsed("process(a%2A*)/cpu");
  CHECK(matches(*star.instance, "a*b"));
  CHECK_FALSE(matches(*star.instance, "ab"));
  CHECK(has_wildcard(*star.instance));
  CHECK_FALSE(has_wildcard(literal("a*b")));
  CHECK(exact_name(literal("a*\x1B*b")) == "a*\x1B*b");
  CHECK_FALSE(exact_name("a*").has_value());
  CHECK(parsed("x/% *").counter == "% *");
}

TEST_CASE("A pattern of many stars against a long name ends soon", "[path]") {
  std::string pattern;
  for (int i = 0; i < 2000; ++i) pattern += "*a";
  CHECK_FALSE(matches(pattern + "b", std::string(4000, 'a')));
}

TEST_CASE("Groups end at the last colon, processes are NAME:PID@START", "[path]") {
  CHECK(group_of("nginx:812@1764500000") == "nginx");
  CHECK(group_of("kworker/u8:0:17@5") == "kworker/u8:0");
  CHECK(group_of("plain") == "plain");
  const auto process = parse_process_instance("a:b) c:12@1764500000");
  REQUIRE(process.has_value());
  CHECK(process->name == "a:b) c");
  CHECK(process->pid == 12);
  CHECK(process->start_s == 1764500000);
  for (const std::string_view bad :
       {"", "a", "a:1", "a:@2", "a:1@", "a:1@2x", "a:-1@2", "a:1@99999999999999999999"}) {
    INFO(bad);
    CHECK_FALSE(parse_process_instance(bad).has_value());
  }
}

}  // namespace
}  // namespace countertop::query
