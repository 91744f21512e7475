// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes a report so that its file is complete or absent: writes a temporary file beside the target, flushes it to the
// disk, and renames it.

#include "conformance/report/report_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace conformance {

namespace {

constexpr std::string_view kPartial = ".partial-";  // between a report's name and the number of the process

/// Whether `path` is a name of the open file.
bool IsNamed(int file, const std::string& path) {
  struct stat opened{};
  struct stat named{};
  return fstat(file, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

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
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && IsNamed(file, at->path().string())) unlink(at->path().c_str());
    close(file);
  }
}

/// Follows links to the file that they name, which need not exist. Else the report would replace the link. Returns
/// nothing for a link of /proc, as behind /dev/fd/3: it is an open file, whose name may be gone.
std::optional<std::string> FileBehindLinks(std::string path) {
  constexpr int kMostLinks = 40;  // as Linux
  std::error_code error;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path link = std::filesystem::absolute(path, error);
    if (std::filesystem::weakly_canonical(link.parent_path(), error).string().starts_with("/proc/"))
      return std::nullopt;
    path = (link.parent_path() / std::filesystem::read_symlink(link, error)).string();
  }
  return path;
}

/// Returns a new descriptor of stdout or stderr if it writes to the file `path`, as /dev/stdout does, else -1.
int OutputStreamTo(const std::string& path) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (IsNamed(stream, path)) return fcntl(stream, F_DUPFD_CLOEXEC, 0);
  }
  return -1;
}

/// Opens and locks a partial file. Another run that looks whether it is abandoned holds its lock for a moment, and may
/// have removed it: then it is made again.
std::FILE* OpenPartial(const std::string& path) {
  for (int attempt = 0;; ++attempt) {
    std::FILE* const file = std::fopen(path.c_str(), "wbe");  // "e": workers do not inherit the file and its lock
    constexpr int kMostAttempts = 1000;                       // a file system without locks must not stop the run
    if (file == nullptr || attempt == kMostAttempts) return file;
    if (flock(fileno(file), LOCK_EX | LOCK_NB) == 0 && IsNamed(fileno(file), path)) return file;
    std::fclose(file);
    usleep(100);  // with kMostAttempts, 0.1 s in all
  }
}

/// The path without links and dots, by which files are compared. The file need not exist.
std::string CanonicalPath(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? path : canonical.string();
}

}  // namespace

std::string FileNamedTwice(std::span<const NamedFile> files) {
  std::map<std::string, const NamedFile*> known;
  for (const NamedFile& file : files) {
    if (file.path.empty()) continue;
    const auto [at, is_new] = known.emplace(CanonicalPath(file.path), &file);
    if (is_new) continue;
    if (file.is_written || at->second->is_written) {
      return fmt::format("{}: named by both {} and {}; give each a file of its own", file.path, at->second->by,
                         file.by);
    }
  }
  return "";
}

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
  const auto behind = FileBehindLinks(path);
  if (const int stream = OutputStreamTo(path); stream >= 0) {
    file_ = fdopen(stream, "wb");
  } else if (!behind || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
    file_ = std::fopen(path.c_str(), "wbe");
  } else {
    path_ = *behind;
    RemoveAbandoned(path_);
    partial_ = fmt::format("{}{}{}", path_, kPartial, getpid());
    file_ = OpenPartial(partial_);
  }
  if (file_ != nullptr) return {};
  partial_.clear();
  return fmt::format("{}: cannot be written: {}", path, std::strerror(errno));
}

std::string ReportFile::Commit(std::string_view content) {
  std::FILE* file = std::exchange(file_, nullptr);
  std::fflush(stdout);  // the report may go to stdout
  bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
  if (!partial_.empty()) written = written && fsync(fileno(file)) == 0;
  // The file is renamed while it is locked. Else another run could take it for abandoned, and remove it.
  if (written && !partial_.empty()) written = std::rename(partial_.c_str(), path_.c_str()) == 0;
  int error = errno;
  if (std::fclose(file) != 0 && written) {
    written = false;
    error = errno;
  }
  if (!written) return fmt::format("{}: cannot be written: {}", path_, std::strerror(error));
  partial_.clear();
  return {};
}

}  // namespace conformance
