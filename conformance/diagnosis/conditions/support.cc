// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts for each statement of a condition the cases that test it.

#include "conformance/diagnosis/conditions/support.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace conformance {
namespace {

/// Cases that satisfy all statements of a conjunction but one.
struct StatementTests {
  std::size_t passes = 0;
  std::size_t failures = 0;
  std::size_t new_cases = 0;                                 ///< made after the conjunction was learned
  std::size_t passes_of_others = 0, failures_of_others = 0;  ///< of all cases that satisfy the other statements

  bool Support() const {
    constexpr std::size_t kLeastPasses = 3;  // fewer may pass for another reason
    constexpr std::size_t kCasesForFailure = 10;
    return new_cases > 0 && passes >= kLeastPasses && kCasesForFailure * failures <= passes + failures;
  }
};

Conjunction WithoutStatement(const Conjunction& conjunction, std::size_t t) {
  Conjunction others = conjunction;
  others.terms.erase(others.terms.begin() + static_cast<std::ptrdiff_t>(t));
  return others;
}

StatementTests TestsOf(const std::deque<TrainingRow>& rows, const Condition& condition, const Alternative& alternative,
                       std::size_t t) {
  const Conjunction others = WithoutStatement(alternative.conjunction, t);
  StatementTests tests;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const TrainingRow& row = rows[i];
    if (!others.Holds(row.features)) continue;
    ++(row.fails ? tests.failures_of_others : tests.passes_of_others);
    // A failure for which another alternative is true has its reason there.
    if (alternative.conjunction.Holds(row.features) || (row.fails && condition.Holds(row.features))) continue;
    ++(row.fails ? tests.failures : tests.passes);
    tests.new_cases += i >= alternative.learned_at ? 1 : 0;
  }
  return tests;
}

/// "A and B" and "A and C" are both "A" if neither B nor C has support.
void EraseEqualAlternatives(Condition& condition) {
  std::vector<Alternative>& all = condition.alternatives;
  for (std::size_t a = all.size(); a-- > 1;) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(a);
    const bool is_equal = std::any_of(all.begin(), end, [&](const Alternative& earlier) {
      return earlier.conjunction.Text() == all[a].conjunction.Text();
    });
    if (is_equal) all.erase(end);
  }
}

}  // namespace

void LeaveOutUnsupported(const std::deque<TrainingRow>& rows, Condition& condition) {
  constexpr std::size_t kFailuresForPass = 40;
  for (Alternative& alternative : condition.alternatives) {
    if (alternative.confirmed + alternative.refuted < LeastInside(alternative.conjunction)) continue;
    for (std::size_t t = alternative.conjunction.terms.size(); t-- > 0;) {
      if (alternative.conjunction.terms.size() == 1) break;
      const StatementTests tests = TestsOf(rows, condition, alternative, t);
      if (tests.Support() || kFailuresForPass * tests.passes_of_others > tests.failures_of_others) continue;
      alternative.conjunction = WithoutStatement(alternative.conjunction, t);
    }
  }
  EraseEqualAlternatives(condition);
}

void NoteSupport(const std::deque<TrainingRow>& rows, const Condition& explaining, Condition& condition) {
  for (Alternative& alternative : condition.alternatives) {
    alternative.supported = true;
    for (std::size_t t = 0; t < alternative.conjunction.terms.size(); ++t) {
      alternative.supported = alternative.supported && TestsOf(rows, explaining, alternative, t).Support();
    }
  }
}

}  // namespace conformance
