// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes of a run's failures. A cause is a group of failures that probably have the same defect. A diagnosis finds
// the causes and stores them in the run's record, from which reports show them.

#ifndef DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
#define DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "conformance/case/text/names.h"

namespace conformance {

/// The kinds of failures, the worst first: an application does not notice wrong outputs, but it notices a refusal.
enum class CauseKind {
  kWrongOutput,      ///< wrong outputs or sizes, damaged memory, leaks, and outputs that differ from run to run
  kDeath,            ///< the process died, hung, or sent no valid answer
  kRefusal,          ///< a valid operator was refused, or an error reported
  kAcceptedInvalid,  ///< an invalid operator was accepted
  kSuite,            ///< the file or the suite is wrong
};

inline constexpr std::array kCauseKinds = {
    Named<CauseKind>{CauseKind::kWrongOutput, "wrong-output"}, Named<CauseKind>{CauseKind::kDeath, "death"},
    Named<CauseKind>{CauseKind::kRefusal, "refusal"}, Named<CauseKind>{CauseKind::kAcceptedInvalid, "accepted-invalid"},
    Named<CauseKind>{CauseKind::kSuite, "suite"}};

/// A cause: a group of failures that probably have the same defect.
struct Cause {
  CauseKind kind = CauseKind::kWrongOutput;
  std::string title;                    ///< one sentence: how the cases fail, and where
  std::string condition;                ///< a condition that all failing cases meet and no passing one, or empty
  std::string wrong_outputs;            ///< says which outputs are wrong, or empty
  std::vector<std::string> hypotheses;  ///< names of planted faults (faulty backends) that give the same answers
  std::vector<std::string> details;     ///< more sentences: the planted faults, the new cases that confirm the cause
  std::vector<std::size_t> failures;    ///< the case_index of each failure
  std::size_t presumed = 0;             ///< failures that the diagnosis did not run again, but that look the same
  std::size_t smallest = 0;             ///< the case_index of the failure with the smallest case
  bool vanished = false;                ///< the failures did not happen again; not in reports
};

/// Sorts by kind, then by the number of failures.
void SortWorstFirst(std::vector<Cause>& causes);

/// The causes of a run, the worst first. Every failure of the run belongs to exactly one cause.
struct FailureCauses {
  std::vector<Cause> causes;
  std::size_t failures = 0;  ///< failures of the run
  std::size_t tried = 0;     ///< failures that the diagnosis ran again
  double seconds = 0;
  bool out_of_time = false;    ///< the diagnosis is incomplete: its time or its number of backend runs was used up
  std::string not_looked_for;  ///< why no causes were looked for; empty if they were
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_FAILURE_CAUSES_H_
