// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Opens built-in backends by name, and reads, prints and records the case of an input.

#include "fuzz/cases/case_input.h"

#include <cstdio>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "conformance/backends/built_in_backends.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {

conformance::Backend& OpenedBackend(const std::string& name) {
  static std::map<std::string, std::unique_ptr<conformance::Backend>> backends;
  std::unique_ptr<conformance::Backend>& backend = backends[name];
  if (backend == nullptr) {
    auto opened = conformance::OpenBuiltIn(name);
    if (!opened) AbortWith("backend " + name + ": this program does not have it\n");
    if (const auto* error = std::get_if<conformance::BackendError>(&*opened)) AbortWith(error->message + "\n");
    backend = std::move(std::get<std::unique_ptr<conformance::Backend>>(*opened));
  }
  return *backend;
}

// The case is printed before it runs: a sanitizer's report ends the process, and the last printed line is then the
// case.
std::optional<conformance::Case> BeginInput(Input input) {
  const auto test_case = CaseOfText(TextOf(input));
  if (!test_case) return std::nullopt;
  NoteBegin(input);
  if (EnvironmentSettings().prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(*test_case).c_str());
  return test_case;
}

void EndInput(const std::optional<Finding>& finding, const conformance::Case& test_case,
              const std::string& backend_name) {
  if (finding) AbortWith(FindingText(*finding, test_case, backend_name));
}

}  // namespace fuzz
