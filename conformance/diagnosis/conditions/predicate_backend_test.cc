// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the predicate backend of the tests. It holds no test itself.

#include "conformance/diagnosis/conditions/predicate_backend.h"

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "conformance/backends/open_backend.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {

const Capabilities& Declared() {
  static const auto kBackend = OpenBackend("fault:none");
  return std::get<std::unique_ptr<Backend>>(kBackend)->capabilities();
}

Case CaseOfLine(const std::string& line) { return std::get<Case>(ParseCaseLine(line)); }

/// A search whose backend fails exactly if `fails` is true.
ConditionSearch SearchOf(const Fails& fails, std::uint64_t seed) {
  return {.declared = Declared(),
          .ask = [&fails](const Case& test_case) -> std::optional<bool> {
            return fails(*SketchOf(test_case), FeaturesOf(test_case, test_case.EffectiveDialect()));
          },
          .late = [] { return false; },
          .seed = seed};
}

std::vector<KnownCase> KnownCases(const Fails& fails, const std::vector<std::string>& more) {
  std::vector<std::string> lines = DiverseLines();
  lines.insert(lines.end(), more.begin(), more.end());
  std::vector<KnownCase> known;
  for (const std::string& line : lines) {
    KnownCase one{.test_case = CaseOfLine(line), .dialect = {}, .fails = false};
    one.dialect = one.test_case.EffectiveDialect();
    const FeatureRow row = FeaturesOf(one.test_case, one.dialect);
    if (!row.valid()) continue;
    one.fails = fails(*SketchOf(one.test_case), row);
    known.push_back(std::move(one));
  }
  return known;
}

}  // namespace conformance
