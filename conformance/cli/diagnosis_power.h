// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The measurements of `power --diagnosis` and `power --minimize`. Each planted fault is the backend once.

#ifndef DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_
#define DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_

#include <string>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

struct DiagnosisPowerInput {
  const std::vector<SuiteCase>& case_list;
  const std::vector<std::string>& faults;  ///< names of backends, as "fault:filter_flipped"
  int jobs = 1;                            ///< faults at once
};

/// Each function prints its result and returns the exit code. `json_lines`: gets one JSON object for each fault and one
/// for the summary. ExecuteMinimizePower leaves out faults that fail no case.

/// The first cause must name at least `least_named` percent of the faults. Without the fault among the hypotheses, it
/// must name the class of at least `least_class` percent.
int ExecuteCausePower(const DiagnosisPowerInput& input, double least_named, double least_class,
                      std::string& json_lines);

/// At least `least` percent of the faults must have a condition that predicts new cases. `seconds`: the time limit of
/// the search for each condition.
int ExecuteConditionPower(const DiagnosisPowerInput& input, double seconds, double least, std::string& json_lines);

/// At least `least` percent of the failures must become small.
int ExecuteMinimizePower(const DiagnosisPowerInput& input, double least, std::string& json_lines);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_
