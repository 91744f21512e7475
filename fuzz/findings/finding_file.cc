// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the file of findings, the failing cases that a campaign keeps as lines of JSON. Appends whole lines, and
// skips and counts lines that are no findings.

#include "fuzz/findings/finding_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace fuzz {
namespace {

/// Writes all of `text`; returns 0 or the errno. On a full disk, write() may write a part and fail at the next call.
int WriteAll(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Whether the file ends in the middle of a line.
bool EndsInsideLine(int file) {
  char last = '\n';
  const off_t size = lseek(file, 0, SEEK_END);
  return size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

}  // namespace

bool HasRoomForFindings(const std::string& path) {
  std::error_code error;  // a file that is not there yet has room
  const auto size = std::filesystem::file_size(path, error);
  return error || size < kMostFindingBytes;
}

std::string AppendFinding(const std::string& path, const FoundCase& found) {
  nlohmann::ordered_json object = {
      {"case", found.line}, {"failure", found.failure}, {"message", found.message}, {"time", found.time}};
  if (found.unexplained) object["unexplained"] = true;
  const std::string line = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return fmt::format("{}: cannot be opened: {}", path, std::strerror(errno));
  // The text starts on a new line, so that it does not continue a line that a killed process left unfinished.
  const std::string text = (EndsInsideLine(file) ? "\n" : "") + line + "\n";
  int error = WriteAll(file, text);
  if (close(file) != 0 && error == 0) error = errno;
  return error == 0 ? "" : fmt::format("{}: cannot be written: {}", path, std::strerror(error));
}

std::vector<FoundCase> ReadFindings(const std::string& path, std::size_t* unreadable) {
  std::vector<FoundCase> findings;
  std::size_t skipped = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const auto object = nlohmann::json::parse(line, nullptr, false);
    const auto text = [&](const char* key) {
      const auto member = object.find(key);  // returns end() if `object` is no JSON object
      return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
    };
    FoundCase found{.line = text("case"), .failure = text("failure"), .message = text("message")};
    if (const auto time = object.find("time"); time != object.end() && time->is_number()) found.time = *time;
    const auto unexplained = object.find("unexplained");
    found.unexplained = unexplained != object.end() && *unexplained == true;
    if (found.line.empty()) {
      ++skipped;
    } else {
      findings.push_back(std::move(found));
    }
  }
  if (unreadable != nullptr) *unreadable = skipped;
  return findings;
}

std::string EarlierCasesPath(const std::string& findings_path, const std::string& line) {
  const std::filesystem::path state = std::filesystem::path(findings_path).parent_path() / "state";
  return (state / fmt::format("before-{:016x}.txt", std::hash<std::string>{}(line))).string();
}

void WriteEarlierCases(const std::string& findings_path, const std::string& line,
                       const std::vector<std::string>& earlier) {
  const std::filesystem::path path = EarlierCasesPath(findings_path, line);
  std::error_code error;
  std::size_t written = 0;
  for (std::filesystem::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    written += entry->path().filename().string().starts_with("before-") ? 1 : 0;
  }
  if (written >= kMostEarlierCasesFiles) return;
  std::ofstream file(path);  // if this fails, the finding has no earlier cases
  for (const std::string& earlier_line : earlier) file << earlier_line << '\n';
}

std::vector<std::string> ReadEarlierCases(const std::string& findings_path, const std::string& line) {
  std::vector<std::string> earlier;
  std::ifstream file(EarlierCasesPath(findings_path, line));
  for (std::string earlier_line; std::getline(file, earlier_line);) earlier.push_back(earlier_line);
  return earlier;
}

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace fuzz
