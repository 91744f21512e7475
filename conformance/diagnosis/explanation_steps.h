// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Two steps of an explanation: hypotheses are tested on new cases, and failures that a declaration excuses are removed.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_EXPLANATION_STEPS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_EXPLANATION_STEPS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/evidence.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/question_budget.h"

namespace conformance {

/// A hypothesis while new cases test it.
struct TestedHypothesis {
  std::size_t hypothesis = 0;  ///< index in the evidence
  NewCases counts;             ///< inside: cases that it fails; failed: cases where it gives the backend's answer
  bool fails = false;          ///< whether the hypothesis fails the new case that is being compared
  bool refuted = false;
  /// It fails new cases that the backend passes, but on an implementation that ran no known failure.
  bool others_pass = false;
};

struct TestResources {
  Evidence& evidence;
  ObservingJudge& judge;
  QuestionBudget& budget;
  const std::vector<std::size_t>& confirmed;  ///< hypotheses of earlier rounds; cases that they fail are skipped
  std::size_t most_otherwise = 1;  ///< new cases that a hypothesis may fail with another answer than the backend
};

/// Runs the backend on new cases made from the failures: cases that the first hypothesis fails, cases that it passes,
/// and cases on which hypotheses differ. A hypothesis is refuted if it fails a case that the backend passes, or if it
/// fails too many cases with other answers than the backend. `known`: failures that all candidates reproduce, and
/// passes.
void TestOnNewCases(std::span<const KnownCase> known, const TestResources& resources,
                    std::vector<TestedHypothesis>& candidates);

/// Whether at least one of these hypotheses fails the case.
bool AnyFails(const std::vector<std::size_t>& hypotheses, const PreparedCase& prepared, Evidence& evidence);

/// Finds declarations that excuse the tried failures `left`, and removes these failures from `left`. Some wrong values
/// fit a declaration by chance. So it must excuse most failures of a signature and type.
std::vector<Excuse> RemoveExcused(std::span<const CaseResult> results, const Evidence& evidence,
                                  std::vector<std::size_t>& left);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_EXPLANATION_STEPS_H_
