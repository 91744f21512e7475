// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains why a backend fails. The planted faults are the hypotheses. Each one is compared with what the backend does
// on failing cases and on some passing cases. conformance/diagnosis/diagnosis.md defines what a diagnosis claims.

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

#include "conformance/diagnosis/cause_condition.h"
#include "conformance/diagnosis/sample.h"
#include "conformance/mutants/faults/fault.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

struct DiagnosisOptions {
  std::string backend;
  JudgeLimits limits;
  SampleLimits sample;
  double seconds = 20;  ///< time limit; afterwards the diagnosis returns what it knows
};

/// A hypothesis, or several equal ones, for some of the failures.
struct Explanation {
  /// Equal on every compared case. If none reproduces the failures: the most similar ones, best first.
  std::vector<const faults::Fault*> hypotheses;
  /// "P1": the class of the first hypothesis if it reproduces all failures and contradicts no pass; else the class to
  /// which failures and passes point most.
  std::string_view mutant_class;
  bool reproduces = true;
  double likeness = 0;                ///< of the nearest: 0 to 1
  std::vector<std::size_t> failures;  ///< results that the first hypothesis reproduces (or to which it is similar)
  std::size_t tried = 0;              ///< failures on which it was tried: those that earlier explanations leave
  std::size_t contradictions = 0;     ///< passing cases that would have failed
  std::size_t passes = 0;             ///< passing cases that were tried
  std::size_t compared = 0;           ///< cases on which all hypotheses gave the same answer
};

struct Diagnosis {
  std::vector<Explanation> explanations;  ///< in the order in which they were found, the one that explains most first
  std::vector<std::size_t> unexplained;   ///< failures that no hypothesis reproduces
  std::string_view unexplained_class;     ///< the class to which they point by themselves, or empty
  std::vector<std::size_t> vanished;      ///< failures that did not happen again
  std::size_t failures = 0;               ///< of the run
  std::size_t tried = 0;  ///< failures that were run again; the others are large, laws, sweeps, or too many
  bool out_of_time = false;
  double seconds = 0;
};

/// Observes the backend again on a sample of a run's cases, and explains its failures.
class Diagnoser {
 public:
  /// `results` outlive it.
  Diagnoser(std::span<const CaseResult> results, DiagnosisOptions options);
  ~Diagnoser();
  Diagnoser(const Diagnoser&) = delete;
  Diagnoser& operator=(const Diagnoser&) = delete;

  std::optional<BackendError> Observe();
  /// With these faults left out of the hypotheses.
  Diagnosis Explain(const std::set<std::string_view>& without = {});
  /// Finds the conditions of the failures with questions to the backend, for at most so long.
  RunConditions FindConditions(double seconds);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

/// "P1" in words: "an odd total of pads is split wrongly".
std::string_view ClassTitle(std::string_view mutant_class);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_DIAGNOSE_H_
