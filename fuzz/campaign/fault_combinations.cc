// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the search: it tries the planted faults of the causes alone, in twos and in threes, and compares their
// answers with the backend's.

#include "fuzz/campaign/fault_combinations.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "conformance/diagnosis/likeness.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/mutants/faults/combined_fault.h"

namespace fuzz {
namespace {

using conformance::faults::Fault;

// The causes that explain most come first; of more, each would be tried on every case.
constexpr std::size_t kMostCauses = 8;

}  // namespace

Combinations::Combinations(const std::vector<std::string>& causes, const std::string& backend,
                           const conformance::JudgeLimits& limits)
    : judge_(backend, limits, std::make_shared<conformance::TrialSetup>()), started_(!judge_.Start()) {
  const std::size_t count = std::min(kMostCauses, causes.size());
  std::vector<std::vector<std::size_t>> subsets;
  for (std::size_t i = 0; i < count; ++i) subsets.push_back({i});
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) subsets.push_back({i, j});
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      for (std::size_t k = j + 1; k < count; ++k) subsets.push_back({i, j, k});
    }
  }
  for (std::vector<std::size_t>& subset : subsets) {
    std::vector<const Fault*> faults;
    for (const std::size_t cause : subset) faults.push_back(conformance::faults::FindFault(causes[cause]));
    const Fault* const combined = conformance::faults::CombineFaults(faults);
    if (combined == nullptr) continue;
    conformance::Hypothesis hypothesis(*combined);
    if (!hypothesis.NeedsWorker()) combinations_.push_back({std::move(subset), std::move(hypothesis)});
  }
}

std::vector<std::size_t> Combinations::Explaining(const conformance::SuiteCase& suite_case) {
  if (!started_ || combinations_.empty()) return {};
  auto setup = conformance::PrepareCase(suite_case.test_case, judge_.capabilities());
  if (setup == nullptr) return {};
  const conformance::Trial trial =
      conformance::TrialOf(0, std::move(setup), judge_.Observe(suite_case), judge_.capabilities());
  if (!trial.failed) return {};
  for (Combination& combination : combinations_) {
    const conformance::Likeness likeness = ReproductionOf(trial, combination.hypothesis, judge_.capabilities());
    if (likeness != conformance::Likeness::kNone) return combination.causes;
  }
  return {};
}

}  // namespace fuzz
