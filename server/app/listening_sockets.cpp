#include <charconv>

#include "server/app/processes.hpp"

namespace countertop::app {
namespace {

std::string_view next_word(std::string_view& line) {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  const std::size_t end = line.find(' ');
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(word.size());
  return word;
}

template <typename T>
bool parse_number(std::string_view word, int base, T& number) {
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  return problem == std::errc{} && end == word.data() + word.size();
}

}  // namespace

// sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
std::vector<ListeningSocket> parse_listening_sockets(std::string_view text) {
  std::vector<ListeningSocket> sockets;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);

    next_word(line);  // slot
    const std::string_view local = next_word(line);
    next_word(line);  // remote address
    if (next_word(line) != "0A") continue;
    for (int skipped = 0; skipped < 5; ++skipped) next_word(line);
    ListeningSocket socket;
    const std::size_t colon = local.rfind(':');
    if (colon == std::string_view::npos || !parse_number(local.substr(colon + 1), 16, socket.port)) continue;
    if (!parse_number(next_word(line), 10, socket.inode)) continue;
    sockets.push_back(socket);
  }
  return sockets;
}

}  // namespace countertop::app
