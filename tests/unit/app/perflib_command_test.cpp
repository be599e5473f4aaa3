#include "server/app/perflib_command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <fstream>

#include "collectors/core/counter_type.hpp"
#include "tests/support/perflib_encoder.hpp"
#include "tests/support/scratch_folder.hpp"

namespace countertop::app {
namespace {

TEST_CASE("a saved block decodes to the JSON that programs read") {
  test::EncodedBlock source;
  constexpr auto kRaw = static_cast<std::uint32_t>(CounterType::raw_count);
  constexpr auto kText = static_cast<std::uint32_t>(CounterType::text);
  source.objects.push_back(
      {9000, {{9002, kRaw, 4}, {9004, kText, 8}}, {{u"a\"b", {7, 0x0000'0000'0069'0068}, 9100, 0, 5}}});
  source.objects.push_back({9100, {{9102, kRaw, 2}}, {{u"up", {1}}}});
  test::ScratchFolder folder;
  const auto file = folder.path() / "block";
  const auto bytes = test::encode_block(source);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size() - 1));
  const auto names = folder.path() / "names.txt";
  std::ofstream(names) << "9000\tProbe\n9001\tExplains it.\n9002\tReads\n";

  const auto json = decode_perflib_file(file, names, true);
  REQUIRE(json);
  CHECK(json->find("{\"index\": 9000, \"name\": \"Probe\", \"help\": \"Explains it.\"") != std::string::npos);
  CHECK(json->find("{\"index\": 9002, \"name\": \"Reads\", \"help\": \"\", \"type\": 65536, \"size\": 4}") !=
        std::string::npos);
  CHECK(json->find("{\"name\": \"a\\\"b\", \"parent\": null, \"unique_id\": 5, \"values\": [7, \"hi\"]}") !=
        std::string::npos);
  // The last byte is missing: the second object is lost, and said to be.
  CHECK(json->find("\"dropped\": [\n    {\"offset\": ") != std::string::npos);

  const auto text = decode_perflib_file(file, {}, false);
  REQUIRE(text);
  CHECK(text->find("#9000  (index 9000, 2 counters, 1 instance)") != std::string::npos);
}

TEST_CASE("a file that is no block, or not there, says so") {
  test::ScratchFolder folder;
  const auto file = folder.path() / "text";
  std::ofstream(file) << "hello";
  CHECK(decode_perflib_file(file, {}, true).error().code == ErrorCode::malformed);
  CHECK(decode_perflib_file(folder.path() / "none", {}, true).error().code == ErrorCode::not_found);
  CHECK(decode_perflib_file(folder.path(), {}, true).error().code == ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace countertop::app
