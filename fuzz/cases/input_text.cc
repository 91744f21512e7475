// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits inputs into lines, parses case lines, and checks their size.

#include "fuzz/cases/input_text.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "conformance/case/sketch.h"

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

bool TooLarge(const oracle::Geometry& geometry) { return Exceeds(geometry, conformance::CaseLimits().Large()); }

bool TooLarge(const conformance::Case& test_case) {
  const oracle::Resolution resolution =
      oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  return resolution.geometry && TooLarge(*resolution.geometry);
}

}  // namespace fuzz
