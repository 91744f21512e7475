// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The diagnosis, which is the search for the causes of failures, on the command line. Prints causes for `run`, `replay`
// and `judge-recorded`, and measures how often the diagnosis names the right cause (`power --diagnosis`). A cause is a
// condition that the failing cases have in common, or a planted fault (a built-in backend that is wrong in one known
// way) that gives the same answers.

#ifndef DECONV_CONFORMANCE_CLI_CAUSES_H_
#define DECONV_CONFORMANCE_CLI_CAUSES_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/run/runner.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// Searches for the causes of a run's failures, stores them in its record and prints them. Does nothing if no case
/// failed unexpectedly or `given_seconds` is 0. This is about the time of the backend that the search may take. If it
/// is absent, DefaultSeconds gives the time.
void PrintCauses(RunRecord& record, const JudgeLimits& limits, std::optional<double> given_seconds);

/// Returns the details that `replay` prints after a failure: the products of the first wrong output, and a picture of
/// the wrong outputs. Empty if no output is wrong. `colours`: whether the picture may have the colours of a terminal.
std::string DetailsOf(const CaseResult& result, bool colours);

/// `power --diagnosis`: each planted fault serves once as the backend, and its name is the right answer.
struct DiagnosisPowerInput {
  const std::vector<SuiteCase>& case_list;
  const std::vector<std::string>& faults;  ///< names of backends, as "fault:filter_flipped"
  int jobs = 1;                            ///< number of faults that are diagnosed at the same time
};

/// Prints the result and returns the exit code. `json_lines` gets one JSON object for each fault and one for the
/// summary.
int MeasureDiagnosisPower(const DiagnosisPowerInput& input, std::string& json_lines);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_CAUSES_H_
