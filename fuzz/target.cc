// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See target.h. An abort is how a fuzz target tells its engine of a finding.

#include "fuzz/target.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "conformance/backend.h"
#include "fuzz/judge_in_process.h"

namespace fuzz {
namespace {

[[noreturn]] void Report(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::abort();
}

conformance::Backend& BackendOf(const std::string& name) {
  static std::map<std::string, std::unique_ptr<conformance::Backend>> backends;
  std::unique_ptr<conformance::Backend>& backend = backends[name];
  if (backend == nullptr) {
    auto opened = conformance::OpenBackend(name);
    if (const auto* error = std::get_if<conformance::BackendError>(&opened)) Report(error->message + "\n");
    backend = std::move(std::get<std::unique_ptr<conformance::Backend>>(opened));
  }
  return *backend;
}

// A sanitizer's report ends the process before the finding could be printed: then the line printed last is the case.
void Announce(const conformance::Case& test_case) {
  static const bool prints_cases = std::getenv("DECONV_FUZZ_CASES") != nullptr;
  if (prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(test_case).c_str());
}

}  // namespace

void RunTarget(const std::string& backend_name, const conformance::Case& test_case) {
  Announce(test_case);
  if (const auto finding = JudgeInProcess(BackendOf(backend_name), test_case)) {
    Report(FindingText(*finding, test_case, backend_name));
  }
}

void ResolveTarget(const std::string& backend_name, const conformance::Case& test_case) {
  Announce(test_case);
  if (const auto finding = ResolveInProcess(BackendOf(backend_name), test_case)) {
    Report(FindingText(*finding, test_case, backend_name));
  }
}

void Require(bool holds, const std::string& otherwise) {
  if (!holds) Report(otherwise + "\n");
}

void RequireLine(const conformance::Case& test_case) {
  const std::string line = ToLine(test_case);
  const auto again = conformance::ParseCaseLine(line);
  const auto* same = std::get_if<conformance::Case>(&again);
  Require(same != nullptr && *same == test_case, "the line of a case says another case: " + line);
}

}  // namespace fuzz
