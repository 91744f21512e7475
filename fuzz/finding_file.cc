// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See finding_file.h.

#include "fuzz/finding_file.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace fuzz {

std::string AppendFinding(const std::string& path, const FoundCase& found) {
  const nlohmann::ordered_json object = {
      {"case", found.line}, {"failure", found.failure}, {"message", found.message}, {"time", found.time}};
  const std::string line = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // In front of it too: what a killed process left of a line is not continued.
  const std::string text = "\n" + line + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return fmt::format("{}: cannot be opened: {}", path, std::strerror(errno));
  const bool whole = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string error = whole ? "" : fmt::format("{}: cannot be written: {}", path, std::strerror(errno));
  close(file);
  return error;
}

std::vector<FoundCase> ReadFindings(const std::string& path) {
  std::vector<FoundCase> findings;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) continue;
    const auto text = [&](const char* key) {
      const auto member = object.find(key);
      return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
    };
    FoundCase found{.line = text("case"), .failure = text("failure"), .message = text("message")};
    if (const auto time = object.find("time"); time != object.end() && time->is_number()) found.time = *time;
    if (!found.line.empty()) findings.push_back(std::move(found));
  }
  return findings;
}

bool FindingFilter::Takes(const Finding& finding, const conformance::Case& test_case) {
  const std::string kind = fmt::format("{} {} {}", static_cast<int>(finding.failure),
                                       static_cast<int>(test_case.op.kind), static_cast<int>(test_case.op.data.type));
  auto entry = std::ranges::find(kinds_, kind, &std::pair<std::string, int>::first);
  if (entry == kinds_.end()) entry = kinds_.insert(kinds_.end(), {kind, 0});
  return ++entry->second <= kEach;
}

double SecondsSince1970() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace fuzz
