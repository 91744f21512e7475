// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests hypotheses on new cases: one that fits the cases of a run by chance fails here.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_TEST_HYPOTHESES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_TEST_HYPOTHESES_H_

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/evidence.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/question_budget.h"

namespace conformance {

/// A hypothesis while new cases test it.
struct TestedHypothesis {
  std::size_t hypothesis = 0;  ///< index in the evidence
  NewCases counts;             ///< inside: the hypothesis fails; a failure counts if the hypothesis reproduces it
  bool fails = false;          ///< the case at hand
  bool refuted = false;
};

struct TestResources {
  Evidence& evidence;
  ObservingJudge& judge;
  QuestionBudget& budget;
  const std::vector<std::size_t>& told;  ///< hypotheses that were told before; cases that they fail say nothing
  std::size_t most_otherwise = 1;        ///< new cases that a hypothesis may fail otherwise than the backend does
};

/// Makes new cases out of the failures that the hypotheses reproduce, and runs the backend on some that the first of
/// them fails, on some that it does not, and on some on which they differ. A hypothesis is refuted if it fails a case
/// that the backend passes, or too many cases otherwise than the backend. `known`: failures that all candidates
/// reproduce, and passes.
void TestOnNewCases(std::span<const KnownCase> known, const TestResources& means,
                    std::vector<TestedHypothesis>& candidates);

/// Whether at least one of these hypotheses fails the case.
bool AnyFails(const std::vector<std::size_t>& hypotheses, const PreparedCase& prepared, Evidence& evidence);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_TEST_HYPOTHESES_H_
