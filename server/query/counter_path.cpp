#include "server/query/counter_path.hpp"

#include <algorithm>
#include <charconv>

#include "collectors/core/utf8.hpp"

namespace countertop::query {
namespace {

constexpr char kEscape = '\x1B';
constexpr std::string_view kExample = "write it like cpu(total)/busy";

bool is_separator(char c) { return c == '/' || c == '\\'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

/// The byte that %XX at `at` stands for, -1 when there is no such escape.
int escaped_byte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size() || text[at] != '%') return -1;
  const int high = hex_digit(text[at + 1]);
  const int low = hex_digit(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_percent(std::string& out, char c) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  out += '%';
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

void append_literal(std::string& out, char c) {
  if (c == '*' || c == kEscape) out += kEscape;
  out += c;
}

/// One item of a pattern: a character that stands for itself, or the wildcard.
struct Item {
  char c = 0;
  bool wildcard = false;
  std::size_t next = 0;  // position behind the item
};

Item item_at(std::string_view pattern, std::size_t at) {
  const char c = pattern[at];
  if (c == kEscape && at + 1 < pattern.size() && (pattern[at + 1] == '*' || pattern[at + 1] == kEscape))
    return {pattern[at + 1], false, at + 2};
  return {c, c == '*', at + 1};
}

/// Inside the parentheses: decodes escapes, ends at the first ')' before a separator. Null when it never
/// ends.
std::optional<std::size_t> parse_instance(std::string_view text, std::size_t at, std::string& out) {
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == ')' && at + 1 < text.size() && is_separator(text[at + 1])) return at + 1;
    if (const int byte = escaped_byte(text, at); byte >= 0) {
      append_literal(out, static_cast<char>(byte));
      at += 2;
    } else if (c == '*') {
      out += c;
    } else {
      append_literal(out, c);
    }
  }
  return std::nullopt;
}

/// Length of "%2A", "%252A", "%25252A" ... at `at`, 0 when there is none.
std::size_t star_escape_length(std::string_view text, std::size_t at) {
  if (text[at] != '%') return 0;
  std::size_t end = at + 1;
  while (text.substr(end, 2) == "25") end += 2;
  return text.substr(end, 2) == "2A" ? end + 2 - at : 0;
}

std::string parse_counter(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t length = star_escape_length(text, at);
    if (length == 3) {
      append_literal(out, '*');
      at += 2;
    } else if (length > 3) {
      out += '%';
      out += text.substr(at + 3, length - 3);
      at += length - 1;
    } else if (text[at] == '*') {
      out += '*';
    } else {
      append_literal(out, text[at]);
    }
  }
  return out;
}

std::string parse_host(std::string_view text) {
  if (text == ".") return {};
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const int byte = escaped_byte(text, at);
    out += byte >= 0 ? static_cast<char>(byte) : text[at];
    if (byte >= 0) at += 2;
  }
  return out;
}

/// A pattern as plain characters; `stars` says which of them are wildcards.
struct Plain {
  std::string text;
  std::string stars;
};

Plain plain(std::string_view pattern) {
  Plain result;
  for (std::size_t at = 0; at < pattern.size();) {
    const Item item = item_at(pattern, at);
    result.text += item.c;
    result.stars += item.wildcard ? '*' : ' ';
    at = item.next;
  }
  return result;
}

void append_instance(std::string& out, std::string_view pattern) {
  const auto [text, stars] = plain(pattern);
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const auto code = static_cast<unsigned char>(c);
    const bool ends = c == ')' && at + 1 < text.size() && is_separator(text[at + 1]);
    const bool star = c == '*' && stars[at] != '*';
    // A wildcard is no hexadecimal digit, so looking at the plain text is enough here.
    const bool percent = escaped_byte(text, at) >= 0;
    const std::size_t length = utf8_length(text, at);
    if (ends || star || percent || code < 0x20 || code == 0x7F || length == 0) {
      append_percent(out, c);
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
}

void append_counter(std::string& out, std::string_view pattern) {
  const auto [text, stars] = plain(pattern);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '*' && stars[at] != '*') {
      out += "%2A";
    } else if (star_escape_length(text, at) > 0) {
      out += "%25";
    } else {
      out += text[at];
    }
  }
}

void append_host(std::string& out, std::string_view host) {
  if (host.empty()) return;
  out += "//";
  for (std::size_t at = 0; at < host.size(); ++at) {
    const bool dot = host == ".";
    if (is_separator(host[at]) || escaped_byte(host, at) >= 0 || dot) {
      append_percent(out, host[at]);
    } else {
      out += host[at];
    }
  }
  out += '/';
}

tl::unexpected<Error> refuse(std::string_view path, std::string_view why) {
  constexpr std::size_t kShown = 200;
  std::string message = "the counter path '" + std::string(path.substr(0, kShown));
  message += path.size() > kShown ? "...' " : "' ";
  return fail(ErrorCode::invalid_argument, message + std::string(why), std::string(kExample));
}

}  // namespace

Result<CounterPath> parse_counter_path(std::string_view text) {
  if (text.size() > kMaxPathBytes) return refuse(text, "is longer than 8192 bytes");
  CounterPath path;
  std::size_t at = 0;
  if (text.size() >= 2 && is_separator(text[0]) && is_separator(text[1])) {
    const std::size_t end = text.find_first_of("/\\", 2);
    if (end == std::string_view::npos || end == 2)
      return refuse(text, "has no host and object after its two slashes");
    path.host = parse_host(text.substr(2, end - 2));
    at = end + 1;
  } else if (!text.empty() && is_separator(text[0])) {
    at = 1;
  }
  const std::size_t object_end = text.find_first_of("(/\\", at);
  path.object = text.substr(at, object_end == std::string_view::npos ? object_end : object_end - at);
  if (path.object.empty()) return refuse(text, "names no object");
  if (path.object.find(')') != std::string::npos) return refuse(text, "has a ')' without a '('");
  if (object_end == std::string_view::npos) return refuse(text, "names no counter");
  at = object_end;
  if (text[at] == '(') {
    const auto end = parse_instance(text, at + 1, path.instance.emplace());
    if (!end) {
      return refuse(text, text.back() == ')' ? "names no counter after its instance"
                                             : "has an instance that no ')' and slash close");
    }
    at = *end;
  }
  path.counter = parse_counter(text.substr(at + 1));
  if (path.counter.empty()) return refuse(text, "names no counter");
  return path;
}

std::string format_counter_path(const CounterPath& path) {
  std::string out;
  append_host(out, path.host);
  out += path.object;
  if (path.instance) {
    out += '(';
    append_instance(out, *path.instance);
    out += ')';
  }
  out += '/';
  append_counter(out, path.counter);
  return out;
}

std::string make_path(std::string_view object, std::optional<std::string_view> instance,
                      std::string_view counter, std::string_view host) {
  CounterPath path{std::string(host), std::string(object), std::nullopt, literal(counter)};
  if (instance) path.instance = literal(*instance);
  return format_counter_path(path);
}

std::string make_path(const ObjectDefinition& object, std::string_view instance, std::string_view counter,
                      std::string_view host) {
  return make_path(object.name, object.instanced ? std::optional(instance) : std::nullopt, counter, host);
}

std::string literal(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (const char c : name) append_literal(out, c);
  return out;
}

bool has_wildcard(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size();) {
    const Item item = item_at(pattern, at);
    if (item.wildcard) return true;
    at = item.next;
  }
  return false;
}

std::optional<std::string> exact_name(std::string_view pattern) {
  if (has_wildcard(pattern)) return std::nullopt;
  return plain(pattern).text;
}

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::optional<std::size_t> star;  // pattern position behind the newest wildcard
  std::size_t star_name = 0;        // where in the name it stops standing for text
  while (n < name.size()) {
    const Item item = p < pattern.size() ? item_at(pattern, p) : Item{};
    if (p < pattern.size() && item.wildcard) {
      p = item.next;
      star = p;
      star_name = n;
    } else if (p < pattern.size() && item.c == name[n]) {
      p = item.next;
      ++n;
    } else if (star) {
      p = *star;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && item_at(pattern, p).wildcard) ++p;
  return p == pattern.size();
}

std::string_view group_of(std::string_view instance) { return instance.substr(0, instance.rfind(':')); }

std::optional<ProcessInstance> parse_process_instance(std::string_view instance) {
  const std::size_t colon = instance.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  ProcessInstance result;
  result.name = instance.substr(0, colon);
  const char* const end = instance.data() + instance.size();
  const auto pid = std::from_chars(instance.data() + colon + 1, end, result.pid);
  if (pid.ec != std::errc() || pid.ptr == end || *pid.ptr != '@' || result.pid < 0) return std::nullopt;
  const auto start = std::from_chars(pid.ptr + 1, end, result.start_s);
  if (start.ec != std::errc() || start.ptr != end || result.start_s < 0) return std::nullopt;
  return result;
}

}  // namespace countertop::query
