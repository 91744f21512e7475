// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a report so that its file is complete or absent: writes a temporary file beside the target, flushes it to the
// disk, and renames it.

#include "conformance/report/report_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace conformance {

namespace {

constexpr std::string_view kPartial = ".partial-";

/// Removes partial files of earlier runs that were killed. A process that still writes one holds its lock.
void RemoveAbandoned(const std::string& path) {
  const std::filesystem::path report(path);
  const std::string begin = report.filename().string() + std::string(kPartial);
  const auto folder = report.has_parent_path() ? report.parent_path() : std::filesystem::path(".");
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(begin) || name.find_first_not_of("0123456789", begin.size()) != std::string::npos) continue;
    const int file = open(at->path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) continue;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) unlink(at->path().c_str());
    close(file);
  }
}

}  // namespace

ReportFile::~ReportFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

std::string ReportFile::Open(const std::string& path) {
  path_ = path;
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    return fmt::format("{}: is a directory; expected a path of a file to write", path);
  // A device or pipe, such as /dev/stdout, is written directly.
  const bool direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!direct) {
    RemoveAbandoned(path);
    partial_ = fmt::format("{}{}{}", path, kPartial, getpid());
  }
  // "e": workers do not inherit the file, else its lock would outlive the run.
  file_ = std::fopen((direct ? path_ : partial_).c_str(), "wbe");
  if (file_ != nullptr) {
    if (!direct) flock(fileno(file_), LOCK_EX | LOCK_NB);
    return {};
  }
  partial_.clear();
  return fmt::format("{}: cannot be written: {}", path, std::strerror(errno));
}

std::string ReportFile::Commit(std::string_view content) {
  std::FILE* file = std::exchange(file_, nullptr);
  bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
  if (!partial_.empty()) written = written && fsync(fileno(file)) == 0;
  int error = errno;
  if (std::fclose(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (written && !partial_.empty() && std::rename(partial_.c_str(), path_.c_str()) != 0) {
    written = false;
    error = errno;
  }
  if (!written) return fmt::format("{}: cannot be written: {}", path_, std::strerror(error));
  partial_.clear();
  return {};
}

}  // namespace conformance
