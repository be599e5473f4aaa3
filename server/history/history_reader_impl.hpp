// The parts of HistoryReader, which lie in several files. For those files only.
#pragma once

#include <filesystem>
#include <utility>

#include "server/history/history_reader.hpp"
#include "server/history/reader_session.hpp"

namespace countertop::history {

class HistoryReader::Impl {
 public:
  explicit Impl(std::filesystem::path directory) : session(std::move(directory)) {}

  ReaderSession session;
};

}  // namespace countertop::history
