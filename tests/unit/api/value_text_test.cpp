#include "server/api/value_text.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "server/api/table.hpp"

using namespace countertop::api;

namespace {

std::string number(double value, char decimal = '.') {
  std::string out;
  append_number(out, value, decimal);
  return out;
}

std::string cell(std::string_view text, char separator = ',') {
  std::string out;
  append_cell_text(out, text, separator);
  return out;
}

std::string time_cell(std::int64_t ms, TimeStyle style, const char* zone = "UTC") {
  Presentation presentation;
  presentation.format = Format::csv;
  presentation.time = style;
  presentation.zone = *countertop::query::TimeZone::find(zone);
  std::string out;
  append_cell_time(out, ms, presentation);
  return out;
}

}  // namespace

TEST_CASE("Numbers are written as short as they read back", "[value_text]") {
  CHECK(number(0.1) == "0.1");
  CHECK(number(1.0 / 3) == "0.3333333333333333");
  CHECK(number(16'384'000'000) == "16384000000");
  CHECK(number(-5) == "-5");
  CHECK(number(-0.0) == "0");
  CHECK(number(1e300) == "1e+300");
  CHECK(number(2.5, ',') == "2,5");
}

TEST_CASE("Missing is null in JSON and nothing in CSV, never zero", "[value_text]") {
  std::string json, csv;
  append_json_number(json, std::nan(""));
  append_json_number(json, std::numeric_limits<double>::infinity());
  append_cell_number(csv, std::nan(""), {});
  CHECK(json == "nullnull");
  CHECK(csv.empty());
}

TEST_CASE("Cells are quoted as RFC 4180 has it", "[value_text]") {
  CHECK(cell("plain") == "plain");
  CHECK(cell("a,b") == "\"a,b\"");
  CHECK(cell("a,b", ';') == "a,b");
  CHECK(cell("say \"hi\"") == "\"say \"\"hi\"\"\"");
  CHECK(cell("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("A text that a spreadsheet would run is defused", "[value_text]") {
  CHECK(cell("=1+1") == "'=1+1");
  CHECK(cell("+49") == "'+49");
  CHECK(cell("-x") == "'-x");
  CHECK(cell("@SUM(A1)") == "'@SUM(A1)");
  CHECK(cell("\tx") == "'\tx");
  CHECK(cell("=a,b") == "\"'=a,b\"");
  CHECK(cell("a=b") == "a=b");
}

TEST_CASE("Times are written in each style", "[value_text]") {
  CHECK(time_cell(1'764'503'600'000, TimeStyle::unix_s) == "1764503600");
  CHECK(time_cell(1'764'503'600'250, TimeStyle::unix_s) == "1764503600.25");
  CHECK(time_cell(1'764'503'600'005, TimeStyle::unix_s) == "1764503600.005");
  CHECK(time_cell(1'764'503'600'250, TimeStyle::unix_ms) == "1764503600250");
  CHECK(time_cell(1'764'504'000'000, TimeStyle::iso) == "2025-11-30T12:00:00Z");
  CHECK(time_cell(1'764'504'000'000, TimeStyle::iso, "Europe/Berlin") == "2025-11-30T13:00:00+01:00");
  CHECK(time_cell(0, TimeStyle::excel) == "25569");
  CHECK(time_cell(1'764'504'000'000, TimeStyle::excel, "UTC") == "45991.5");
}

TEST_CASE("A row writer gives all formats from the same cells", "[table]") {
  Table table;
  table.columns = {{"time"}, {"path"}, {"value", "bytes/s"}};
  table.rows = {{Moment{1'764'504'000'000}, std::string("disk(a\"b,c)/read"), 1.5},
                {Cell(), std::string("x"), std::nan("")}};
  Presentation presentation;
  presentation.format = Format::csv;
  CHECK(table_text(table, presentation) ==
        "time,path,value [bytes/s]\n1764504000,\"disk(a\"\"b,c)/read\",1.5\n,x,\n");
  presentation.with_header = false;
  presentation.with_bom = true;
  presentation.separator = ';';
  presentation.decimal = ',';
  CHECK(table_text(table, presentation) ==
        "\xEF\xBB\xBF"
        "1764504000;\"disk(a\"\"b,c)/read\";1,5\n;x;\n");
  presentation = {};
  presentation.format = Format::ndjson;
  CHECK(table_text(table, presentation) ==
        "{\"time\":1764504000,\"path\":\"disk(a\\\"b,c)/read\",\"value\":1.5}\n"
        "{\"time\":null,\"path\":\"x\",\"value\":null}\n");
  presentation.format = Format::json;
  CHECK(table_text(table, presentation).starts_with("[{\"time\":1764504000,"));
  presentation.format = Format::tsv;
  presentation.separator = '\t';
  CHECK(table_text(table, presentation).starts_with("time\tpath\tvalue [bytes/s]\n"));
}
