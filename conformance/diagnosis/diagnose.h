// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains failures by planted faults, that is by backends with one known defect. Each planted fault is a hypothesis.
// Its answers are compared with those of the backend on failing cases, on passing cases and on new cases.
// conformance/diagnosis/diagnosis.md defines what a diagnosis claims.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_DIAGNOSE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_DIAGNOSE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/conditions/wrong_outputs.h"
#include "conformance/diagnosis/question_budget.h"
#include "conformance/diagnosis/sample.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

struct DiagnosisOptions {
  std::string backend;
  JudgeLimits limits;
  SampleLimits sample;
  QuestionBudget budget;
  std::optional<Capabilities> recorded = {};  ///< the declaration that judges recorded outputs; absent for a backend
  bool tries_state = true;  ///< whether faults that remember earlier calls are hypotheses for wrong outputs
};

/// A hypothesis, or several equal ones, for some of the failures.
struct Explanation {
  std::vector<const faults::Fault*> hypotheses;  ///< they give the same answers on every compared case
  std::vector<std::size_t> failures;             ///< indices of the results that the hypotheses reproduce
  std::size_t compared = 0;                      ///< cases on which all hypotheses gave the same answer
  NewCases tested;                               ///< new cases, by what the first hypothesis does on them
  /// The implementations that ran the failures, if others pass cases that the first hypothesis fails; else empty.
  std::set<std::string> implementations = {};
};

/// Failures that would be none if the backend declared its arithmetic, for example that it flushes subnormals.
struct Excuse {
  std::string meaning;                ///< "zeros that multiply"
  std::set<std::string> words;        ///< "known_deviations = structural-nan"
  std::vector<std::size_t> failures;  ///< indices of results
};

struct Diagnosis {
  std::vector<Explanation> explanations;  ///< in the order in which they were found, the one that explains most first
  std::vector<Excuse> excuses;            ///< for failures that no hypothesis reproduces
  std::vector<std::size_t> unexplained;   ///< all other failures that no hypothesis reproduces
  std::vector<std::size_t> vanished;      ///< failures that did not happen again when the case was run again
  std::size_t failures = 0;               ///< number of failures in the run
  std::size_t tried = 0;  ///< failures that were run again; the others are large, laws, sweeps, or too many
};

/// Observes the backend again on a sample of a run's cases, and explains its failures.
class Diagnoser {
 public:
  /// `results` outlive it.
  Diagnoser(std::span<const CaseResult> results, DiagnosisOptions options);
  ~Diagnoser();
  Diagnoser(const Diagnoser&) = delete;
  Diagnoser& operator=(const Diagnoser&) = delete;

  /// Runs the sample on the backend. Returns an error if the backend cannot be started.
  std::optional<BackendError> Observe();
  /// Explains the failures. The faults in `without` are no hypotheses.
  Diagnosis Explain(const std::set<std::string_view>& without = {});
  /// Returns the wrong outputs of a failure; nullptr if the failure was not run again, or has no output.
  std::unique_ptr<WrongOutputs> WrongOutputsOf(std::size_t result) const;
  const DiagnosisOptions& options() const;
  QuestionBudget& budget();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// "P1" in words: "an odd total of pads is split wrongly".
std::string_view ClassTitle(std::string_view mutant_class);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_DIAGNOSE_H_
