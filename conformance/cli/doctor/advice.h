// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives advice to the author of an adapter (the code that connects a library to the suite): one sentence for each class
// of failures, and what to do about the failures of one step of `deconv-cts doctor`: declare a limit of the library,
// answer no when the suite asks whether an operator is supported, or mend the adapter.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_ADVICE_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_ADVICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/cli/doctor/judged_cases.h"
#include "conformance/cli/doctor/tried_cases.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Returns the advice for a failure. `backend` is the name on the command line, because a command is debugged in
/// another way than a library. `message` is the message of the failure. `takes_resolved` is the backend's declaration.
std::string_view AdviceFor(FailureClass failure, std::string_view backend, std::string_view message = {},
                           bool takes_resolved = false);

/// Whether an undeclared limit of the library may cause failures of this class.
bool MayBeUndeclaredLimit(FailureClass failure);

/// Advice about a backend that could not be opened. `usage`: its name is not known.
std::string_view AdviceForFailedOpen(std::string_view backend, std::string_view message, bool usage);

/// The sentences of advice on the failures of `judged`, of which there is at least one.
std::vector<std::string> AdviceOn(const JudgedCases& judged, const TriedCases& tried, const std::string& backend,
                                  bool takes_resolved);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_ADVICE_H_
