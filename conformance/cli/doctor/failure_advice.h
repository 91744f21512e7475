// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says what the author of an adapter can do about the failures of one step of `deconv-cts doctor`: declare a limit of
// the library, answer no from `supports`, or mend the adapter.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_FAILURE_ADVICE_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_FAILURE_ADVICE_H_

#include <string>
#include <vector>

#include "conformance/cli/doctor/judged_cases.h"
#include "conformance/cli/doctor/tried_cases.h"

namespace conformance {

/// The sentences of advice on the failures of `judged`, of which there is at least one.
std::vector<std::string> AdviceOn(const JudgedCases& judged, const TriedCases& tried, const std::string& backend,
                                  bool takes_resolved);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_FAILURE_ADVICE_H_
