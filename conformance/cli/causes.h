// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes that `run`, `replay` and `judge-recorded` print after failures.

#ifndef DECONV_CONFORMANCE_CLI_CAUSES_H_
#define DECONV_CONFORMANCE_CLI_CAUSES_H_

#include <string>

#include "conformance/run/runner.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// Puts the causes of a run's failures into its record and prints them; does nothing if there are none. `seconds`:
/// about how much time of the backend the search may take, at the speed of the run.
void PrintCauses(RunRecord& record, const JudgeLimits& limits, double seconds);

/// The lines that `replay` adds to the console's lines on a failure: the products of the first wrong output, and the
/// picture. Empty if no output is wrong.
std::string DetailsOf(const CaseResult& result, bool colours);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_CAUSES_H_
