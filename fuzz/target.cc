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

}  // namespace

void RunTarget(const std::string& backend_name, const conformance::Case& test_case) {
  // A sanitizer's report ends the process before the finding could be printed: then the line printed last is the case.
  static const bool prints_cases = std::getenv("DECONV_FUZZ_CASES") != nullptr;
  if (prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(test_case).c_str());
  if (const auto finding = JudgeInProcess(BackendOf(backend_name), test_case)) {
    Report(FindingText(*finding, test_case, backend_name));
  }
}

}  // namespace fuzz
