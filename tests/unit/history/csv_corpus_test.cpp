#include "tests/support/csv_corpus.hpp"

#include <catch_amalgamated.hpp>

namespace countertop::test {
namespace {

std::string why_refused(std::string_view text) {
  const Result<Corpus> corpus = parse_corpus(text);
  return corpus ? "" : corpus.error().message;
}

}  // namespace

TEST_CASE("A recording is read with its comments, kinds and rows", "[parse]") {
  const Result<Corpus> corpus =
      parse_corpus("# kind: c counter\ntime_ms,cpu.user:c,load.1:h\r\n1000,5,12\r\n2000,7,-3\n");
  REQUIRE(corpus.has_value());
  CHECK(corpus->time_ms == std::vector<std::int64_t>{1000, 2000});
  REQUIRE(corpus->series.size() == 2);
  CHECK(corpus->series[0].name == "cpu.user");
  CHECK(corpus->series[0].kind == SeriesKind::counter);
  CHECK(corpus->series[1].kind == SeriesKind::hundredths);
  CHECK(corpus->series[1].values == std::vector<std::int64_t>{12, -3});
  CHECK(corpus->series[0].changes());
}

TEST_CASE("A recording that breaks its form is refused with line and column", "[parse]") {
  CHECK(why_refused("") == "There is no header line.");
  CHECK(why_refused("time_ms,a:c\n1,2\n") == "At least two rows are needed.");
  CHECK(why_refused("time,a:c\n") == "Line 1, column 1: the first column must be time_ms.");
  CHECK(why_refused("time_ms,a:x\n") == "Line 1, column 2: the kind must be c, g or h.");
  CHECK(why_refused("time_ms,a\n").starts_with("Line 1, column 2"));
  CHECK(why_refused("time_ms,a:c\n1,2\n2,two\n") == "Line 3, column 2: \"two\" is not a 64-bit integer.");
  CHECK(why_refused("time_ms,a:c\n1,2\n2\n") == "Line 3, column 2: the row is shorter than the header.");
  CHECK(why_refused("time_ms,a:c\n1,2\n2,3,4\n") == "Line 3, column 3: the row is longer than the header.");
  CHECK(why_refused("time_ms,a:c\n1,2\n1,3\n") == "Line 3, column 1: the times do not ascend.");
  CHECK(why_refused("time_ms,a:c\n1,99999999999999999999\n2,3\n").starts_with("Line 2, column 2"));
}

TEST_CASE("Series become objects and instances by their names", "[parse]") {
  const Result<Corpus> corpus = parse_corpus(
      "time_ms,mem.free:g,disk.sda.reads:c,disk.sda.writes:c,disk.sdb.reads:c,disk.sdb.writes:c,disk.odd."
      "other:c\n"
      "1,1,2,3,4,5,6\n2,1,2,3,4,5,6\n");
  REQUIRE(corpus.has_value());
  const std::vector<CorpusObject> objects = objects_of(*corpus);
  REQUIRE(objects.size() == 3);
  CHECK(objects[0].definition->name == "mem");
  CHECK_FALSE(objects[0].definition->instanced);
  CHECK(objects[1].definition->name == "disk");
  REQUIRE(objects[1].instances.size() == 2);
  CHECK(objects[1].instances[1].name == "sdb");
  CHECK(objects[2].definition->name == "disk.odd");
  for (const CorpusObject& object : objects) CHECK(why_invalid(*object.definition).empty());

  const std::vector<query::CounterPath> paths = paths_of(*corpus, objects);
  CHECK(paths[0] == query::CounterPath{"", "mem", std::nullopt, "free"});
  CHECK(paths[4] == query::CounterPath{"", "disk", "sdb", "writes"});
}

TEST_CASE("More than 64 series of one name are spread over several objects", "[parse]") {
  std::string header = "time_ms";
  std::string row;
  for (int i = 0; i < 130; ++i) {
    header += ",vm.field" + std::to_string(i) + ":g";
    row += ",1";
  }
  const Result<Corpus> corpus = parse_corpus(header + "\n1" + row + "\n2" + row + "\n");
  REQUIRE(corpus.has_value());
  const std::vector<CorpusObject> objects = objects_of(*corpus);
  REQUIRE(objects.size() == 3);
  CHECK(objects[1].definition->name == "vm 2");
  CHECK(objects[2].definition->fields.size() == 2);
}

}  // namespace countertop::test
