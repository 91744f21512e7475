// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a JSON report from a file and names the file in every error.

#include "conformance/cli/report_input.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

namespace conformance {

std::variant<ReportContent, std::string> LoadReport(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return fmt::format("{}: is a directory; expected a report of run --json", path);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);  // a pipe will do
  if (!file) return fmt::format("{}: cannot be read: {}", path, std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  auto content = ReadJsonReport(std::move(text).str());
  if (const auto* complaint = std::get_if<std::string>(&content)) return fmt::format("{}: {}", path, *complaint);
  return content;
}

}  // namespace conformance
