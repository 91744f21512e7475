// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures how often the diagnosis, which is the search for the causes of failures, names the right cause (`power
// --diagnosis`). Each planted fault serves once as the backend, and its name is the right answer.

#ifndef DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_
#define DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_

#include <string>
#include <vector>

#include "conformance/suite/suite.h"

namespace conformance {

struct DiagnosisPowerInput {
  const std::vector<SuiteCase>& case_list;
  const std::vector<std::string>& faults;  ///< names of backends, as "fault:filter_flipped"
  int jobs = 1;                            ///< number of faults that are diagnosed at the same time
};

/// Prints the result and returns the exit code. `json_lines` gets one JSON object for each fault and one for the
/// summary.
int MeasureDiagnosisPower(const DiagnosisPowerInput& input, std::string& json_lines);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DIAGNOSIS_POWER_H_
