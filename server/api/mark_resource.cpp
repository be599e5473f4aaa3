// /api/v1/marks: what happened, and notes that people write.
#include <charconv>
#include <nlohmann/json.hpp>

#include "server/api/mark_text.hpp"
#include "server/api/paging.hpp"
#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"
#include "server/query/time_range.hpp"

namespace countertop::api {
namespace {

constexpr std::size_t kMostTextBytes = 1000;

Problem bad_body(std::string detail) {
  return {400,
          "bad-body",
          "The body is not understood",
          std::move(detail),
          R"(Send {"text": "what happened"}, with "time" if it was not just now.)",
          {},
          0};
}

Answered<std::int64_t> read_time(const nlohmann::json& body, std::int64_t now_ms) {
  const auto found = body.find("time");
  if (found == body.end() || found->is_null()) return now_ms;
  if (!found->is_number() && !found->is_string())
    return tl::unexpected(bad_body("'time' is neither a number nor a text."));
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  const auto time = query::parse_time(text, "time", now_ms, nullptr);
  if (!time) return tl::unexpected(bad_body(time.error().message));
  return *time;
}

Answered<Mark> read_mark(const Call& call) {
  const auto body = nlohmann::json::parse(call.request.body, nullptr, false);
  if (body.is_discarded() || !body.is_object()) return tl::unexpected(bad_body("It is no JSON object."));
  for (const auto& [name, value] : body.items()) {
    if (name != "text" && name != "time" && name != "kind")
      return tl::unexpected(
          bad_body("There is no member '" + shown(name) + "'; known are text, time and kind."));
  }
  if (const auto kind = body.find("kind"); kind != body.end() && *kind != "note")
    return tl::unexpected(bad_body("Only marks of the kind 'note' can be written."));
  const auto text = body.find("text");
  if (text == body.end() || !text->is_string())
    return tl::unexpected(bad_body("'text' is missing, or no text."));
  Mark mark;
  mark.text = text->get<std::string>();
  if (mark.text.empty() || mark.text.size() > kMostTextBytes)
    return tl::unexpected(
        bad_body("'text' must have between 1 and " + std::to_string(kMostTextBytes) + " bytes."));
  const auto time = read_time(body, call.now_ms);
  if (!time) return tl::unexpected(time.error());
  mark.wall_ms = *time;
  return mark;
}

/// Time and number with leading zeros, which sort as text as they do as numbers.
std::string place_of_mark(const std::vector<Cell>& row) {
  const auto digits = [](std::int64_t number) {
    const std::string text = std::to_string(std::max<std::int64_t>(number, 0));
    return std::string(20 - text.size(), '0') + text;
  };
  return digits(std::get<Moment>(row[1]).unix_ms) + digits(std::get<std::int64_t>(row[0]));
}

}  // namespace

std::string mark_json(const query::StoredMark& mark, const Presentation& presentation) {
  std::string out =
      "{\"id\":" + (mark.id == 0 ? std::string("null") : std::to_string(mark.id)) + ",\"time\":";
  append_json_time(out, mark.mark.wall_ms, presentation);
  out += ",\"until\":";
  mark.mark.until_ms == 0 ? void(out += "null") : append_json_time(out, mark.mark.until_ms, presentation);
  out += ",\"kind\":";
  append_json_text(out, to_string(mark.mark.kind));
  out += ",\"text\":";
  append_json_text(out, mark.mark.text);
  return out + "}";
}

Answered<Response> get_marks(const Call& call) {
  auto range = read_range(call);
  if (!range) return tl::unexpected(range.error());
  if (!call.parameters.text("to")) ++range->to_ms;  // one that was written in this very millisecond
  const auto page = read_page(call);
  if (!page) return tl::unexpected(page.error());
  const auto marks = call.services.history.marks(*range);
  if (!marks) return tl::unexpected(problem_from(marks.error()));
  Table table;
  table.columns = {{"id"}, {"time"}, {"until"}, {"kind"}, {"text"}};
  for (const auto& [id, mark] : *marks) {
    table.rows.push_back({id, Moment{mark.wall_ms}, mark.until_ms == 0 ? Cell() : Cell(Moment{mark.until_ms}),
                          std::string(to_string(mark.kind)), mark.text});
  }
  return page_response(call, *page, std::move(table), "marks", place_of_mark);
}

Answered<Response> post_mark(const Call& call) {
  const auto mark = read_mark(call);
  if (!mark) return tl::unexpected(mark.error());
  const auto id = call.services.history.add_mark(*mark);
  if (!id) return tl::unexpected(problem_from(id.error()));
  const query::StoredMark stored{*id, *mark};
  call.services.marks.add(stored);
  Response response = json_response(mark_json(stored, {}) + "\n");
  response.status = 201;
  response.set_header("Location", "/api/v1/marks/" + std::to_string(*id));
  return response;
}

Answered<Response> delete_mark(const Call& call) {
  const std::string& text = call.captures.front();
  std::int64_t id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
    return tl::unexpected(Problem{404,
                                  "not-found",
                                  "There is no such thing",
                                  "'" + shown(text) + "' is no number of a mark.",
                                  "GET /api/v1/marks lists them.",
                                  {},
                                  0});
  }
  if (const auto deleted = call.services.history.delete_mark(id); !deleted)
    return tl::unexpected(problem_from(deleted.error()));
  Response response;
  response.status = 204;
  return response;
}

}  // namespace countertop::api
