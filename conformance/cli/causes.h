// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes that `run` and `replay` print after a run that failed, and the measurements of diagnoses that `power
// --diagnosis` and `power --minimize` make.

#ifndef DECONV_CONFORMANCE_CLI_CAUSES_H_
#define DECONV_CONFORMANCE_CLI_CAUSES_H_

#include <string>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/run/runner.h"

namespace conformance {

/// Puts the causes of a run's failures into its record and prints them; does nothing if there are none. `seconds`: how
/// long it may look for them.
void FindCauses(RunRecord& record, const JudgeLimits& limits, double seconds);

/// What `replay` tells of a failure beyond the console's lines: the products of the first wrong output, and the
/// picture. Empty if no output is wrong.
std::string DetailsOf(const CaseResult& result, bool colours);

/// `faults`: backends' names. Returns the exit code.
int ExecuteDiagnosisPower(const std::vector<SuiteCase>& case_list, const std::vector<std::string>& faults, int jobs,
                          double least_named, double least_class);

/// The same for conditions: at least `least` percent of the faults have a condition that predicts new cases.
/// `seconds`: for each fault.
int ExecuteConditionPower(const std::vector<SuiteCase>& case_list, const std::vector<std::string>& faults, int jobs,
                          double seconds, double least);

/// The same for `power --minimize`: at least `least` percent of the failures become small.
int ExecuteMinimizePower(const std::vector<SuiteCase>& case_list, const std::vector<std::string>& faults, int jobs,
                         double least);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_CAUSES_H_
