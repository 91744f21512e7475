// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Write beside, synchronise, rename.

#include "conformance/report/report_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace conformance {

ReportFile::~ReportFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

std::string ReportFile::Open(const std::string& path) {
  path_ = path;
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) return fmt::format("{}: is a directory, expected a file to write", path);
  const bool direct = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!direct) partial_ = fmt::format("{}.partial-{}", path, getpid());
  file_ = std::fopen((direct ? path_ : partial_).c_str(), "wb");
  if (file_ != nullptr) return {};
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
