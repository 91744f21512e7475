// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds one line for each run to the history file, with the time and the revision of the backend's source.

#include "conformance/cli/history/history_file.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

#include "conformance/report/history.h"

namespace conformance {
namespace {

std::string Now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

/// The revision that the CI system tells in a variable, or an empty string.
std::string RevisionOfCi() {
  for (const char* name : {"GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

std::string CheckHistory(const std::string& path) { return path.empty() ? "" : AppendHistory(path, ""); }

bool WriteHistory(const std::string& path, std::span<const RunSummary> runs, const RunDescription& description,
                  const std::string& revision) {
  if (path.empty()) return true;
  const auto entries = HistoryOf(runs, description, Now(), revision.empty() ? RevisionOfCi() : revision);
  const std::string error = AppendHistory(path, HistoryLines(entries));
  if (!error.empty()) fmt::print(stderr, "deconv-cts: {}\n", error);
  return error.empty();
}

}  // namespace conformance
