// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads the journal, a file that receives each verdict at once so that a killed run can be resumed. Each
// line is appended with one write(2).

#include "conformance/report/journal.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/case/text/files.h"
#include "conformance/run/shard.h"

namespace conformance {
namespace {

// The first bytes of a journal. A file that begins with other bytes is not overwritten.
constexpr std::string_view kBegin = R"({"record":"run",)";
// How the line of a verdict begins, and a line that only a complete report has.
constexpr std::string_view kVerdict = "\n{\"record\":\"case\"";
constexpr std::string_view kSummary = "\n{\"record\":\"summary\"";

// The folder of journals whose path the user did not give.
std::filesystem::path DefaultFolder() {
  if (const auto state = ProcessEnvironment("XDG_STATE_HOME"); state && !state->empty()) {
    return std::filesystem::path(*state) / "deconv-cts";
  }
  if (const auto home = ProcessEnvironment("HOME"); home && !home->empty()) {
    return std::filesystem::path(*home) / ".local/state/deconv-cts";
  }
  std::error_code error;
  return std::filesystem::temp_directory_path(error) / fmt::format("deconv-cts-{}", getuid());
}

}  // namespace

std::string JournalPath(std::string_view key) { return (DefaultFolder() / fmt::format("{}.jsonl", key)).string(); }

Journal::~Journal() {
  if (file_ >= 0) close(file_);
}

std::string Journal::Open(const std::string& path) {
  path_ = path;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file_ < 0) return fmt::format("{}: cannot be written: {}", path, std::strerror(errno));
  const auto refuse = [&](std::string_view why) {
    close(std::exchange(file_, -1));
    return fmt::format("{}: {}", path, why);
  };
  if (flock(file_, LOCK_EX | LOCK_NB) != 0) return refuse("another run of the same cases is writing this journal");
  // A run that has just ended may have removed the file after it was opened here.
  struct stat opened{};
  struct stat named{};
  if (fstat(file_, &opened) != 0 || stat(path.c_str(), &named) != 0 || opened.st_ino != named.st_ino) {
    return refuse("another run of the same cases has just removed this journal");
  }
  std::string begin(kBegin.size(), '\0');
  const ssize_t size = pread(file_, begin.data(), begin.size(), 0);
  if (size > 0 && begin != kBegin)
    return refuse("is not a journal, and will not be overwritten; give --journal another path");
  if (size > 0) {
    const auto text = ReadWholeFile(path);
    if (!text) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
    if (text->find(kSummary) != std::string::npos)
      return refuse("is a complete report, and will not be overwritten; give --journal another path");
  }
  return "";
}

bool Journal::HasVerdicts() const {
  return file_ >= 0 && ReadWholeFile(path_).value_or("").find(kVerdict) != std::string::npos;
}

std::string Journal::MoveAside(std::string& moved) {
  const std::string path = path_;
  moved = path + ".old";
  // Unlike rename(), link() replaces no file.
  int linked = link(path.c_str(), moved.c_str());
  for (int number = 2; linked != 0 && errno == EEXIST; ++number) {
    moved = fmt::format("{}.old{}", path, number);
    linked = link(path.c_str(), moved.c_str());
  }
  const bool done = linked == 0 && unlink(path.c_str()) == 0;
  const std::string error = done ? "" : fmt::format("{}: cannot be renamed: {}", path, std::strerror(errno));
  close(std::exchange(file_, -1));
  return done ? Open(path) : error;
}

std::variant<std::optional<ReportContent>, std::string> Journal::Read() const {
  const std::string lines = ReadWholeFile(path_).value_or("");
  if (lines.find('\n') == std::string::npos) return std::optional<ReportContent>();
  auto content = ReadJsonReport(lines);
  if (const auto* complaint = std::get_if<std::string>(&content)) return fmt::format("{}: {}", path_, *complaint);
  return std::optional(std::get<ReportContent>(std::move(content)));
}

void Journal::Clear() {
  if (file_ >= 0 && ftruncate(file_, 0) != 0) close(std::exchange(file_, -1));
}

void Journal::DropIncompleteLine() {
  if (file_ < 0) return;
  off_t end = lseek(file_, 0, SEEK_END);
  char last = '\0';
  while (end > 0 && pread(file_, &last, 1, end - 1) == 1 && last != '\n') --end;
  if (ftruncate(file_, end) != 0) close(std::exchange(file_, -1));
}

void Journal::Append(std::string_view lines) {
  while (file_ >= 0 && !lines.empty()) {
    const ssize_t written = write(file_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {  // a full disk: the run is worth more than its journal
      close(std::exchange(file_, -1));
      return;
    }
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Journal::Remove() {
  if (file_ >= 0) unlink(path_.c_str());
}

}  // namespace conformance
