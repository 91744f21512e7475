// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the settings of a fuzz target from environment variables, and refuses values that are not allowed.

#include "fuzz/cases/settings.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace fuzz {
namespace {

/// Prints what was found and what was expected, and ends the process with exit code 2.
[[noreturn]] void Refuse(const char* variable, std::string_view found, const char* expected) {
  std::fprintf(stderr, "%s: found '%.*s', expected %s\n", variable, static_cast<int>(found.size()), found.data(),
               expected);
  std::_Exit(2);
}

/// The value of an environment variable; empty if it is not set.
std::string_view ValueOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string_view() : value;
}

/// The paths in a list such as "/usr:/opt". Empty parts are left out.
std::vector<std::string> PathsIn(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) paths.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return paths;
}

Settings ReadEnvironment() {
  Settings settings;
  if (const auto backend = ValueOf(kBackendVariable); !backend.empty()) settings.backend = backend;
  if (const auto mutation = ValueOf(kMutationVariable); !mutation.empty()) {
    if (mutation == "bytes") {
      settings.mutation = Mutation::kBytes;
    } else if (mutation == "uniform") {
      settings.mutation = Mutation::kUniform;
    } else if (mutation != "cases") {
      Refuse(kMutationVariable, mutation, "cases, bytes or uniform");
    }
  }
  settings.findings = ValueOf(kFindingsVariable);
  settings.state = ValueOf(kStateVariable);
  settings.expect = ValueOf(kExpectVariable);
  if (const auto readable = ValueOf(kSandboxVariable); !readable.empty()) settings.sandbox = PathsIn(readable);
  settings.isolated = ValueOf(kIsolatedVariable) == "1" || settings.sandbox;
  if (const auto timeout = ValueOf(kTimeoutVariable); !timeout.empty()) {
    const auto [end, error] = std::from_chars(timeout.data(), timeout.data() + timeout.size(), settings.timeout);
    if (error != std::errc() || end != timeout.data() + timeout.size() || !(settings.timeout > 0)) {
      Refuse(kTimeoutVariable, timeout, "seconds above 0");
    }
  }
  settings.judges = ValueOf(kJudgesVariable) != "0";
  settings.prints_cases = std::getenv(kCasesVariable) != nullptr;
  return settings;
}

}  // namespace

const Settings& EnvironmentSettings() {
  static const Settings settings = ReadEnvironment();
  return settings;
}

}  // namespace fuzz
