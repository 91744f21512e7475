// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the input of a fuzz target into lines, parses case lines (cases as text), and checks their size. Opens
// built-in backends by name, and prints and records the case of an input.

#include "fuzz/cases/case_input.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>
#include <variant>

#include "conformance/backends/built_in_backends.h"
#include "conformance/case/sketch.h"
#include "fuzz/cases/require.h"
#include "fuzz/cases/settings.h"
#include "fuzz/cases/shared_state.h"

namespace fuzz {

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::optional<conformance::Case> CaseOfText(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  if (line.empty()) {
    conformance::Sketch plainest;
    plainest.axes.resize(1);
    return conformance::CaseOf(plainest);
  }
  auto parsed = conformance::ParseCaseLine(line);
  auto* const test_case = std::get_if<conformance::Case>(&parsed);
  if (test_case == nullptr || test_case->law || test_case->sweep || test_case->repeats || test_case->data_only ||
      test_case->filter_values || test_case->given_data || test_case->given_filter || test_case->recorded) {
    return std::nullopt;
  }
  return std::move(*test_case);
}

bool IsTooLarge(const oracle::Geometry& geometry) { return Exceeds(geometry, conformance::CaseLimits().Large()); }

bool IsTooLarge(const conformance::Case& test_case) {
  const oracle::Resolution resolution =
      oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  return resolution.geometry && IsTooLarge(*resolution.geometry);
}

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

// The case is printed before it runs, because a sanitizer's report ends the process. The last printed case is then the
// one that failed.
std::optional<conformance::Case> ReadCaseOfInput(Input input) {
  const auto test_case = CaseOfText(TextOf(input));
  if (!test_case) return std::nullopt;
  NoteInput(input);
  if (EnvironmentSettings().prints_cases) std::fprintf(stderr, "case: %s\n", ToLine(*test_case).c_str());
  return test_case;
}

void AbortOnFinding(const std::optional<Finding>& finding, const conformance::Case& test_case,
                    const std::string& backend_name) {
  if (finding) AbortWith(FindingText(*finding, test_case, backend_name));
}

}  // namespace fuzz
