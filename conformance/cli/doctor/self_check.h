// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the suite itself before it judges an adapter: mutants with known behaviour run through the same kind of
// interface and the same judge. A fault of the suite is then never reported as a fault of the adapter.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_SELF_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_SELF_CHECK_H_

#include <string>

#include "conformance/verdict/judge/limits.h"

namespace conformance {

/// Returns an empty string if every mutant gets the verdict that it must get, else the first mutant that does not.
/// `through_process`: the mutants run behind the process protocol, like "cmd:" backends.
std::string SelfCheck(bool through_process, const JudgeLimits& limits);

/// "none, echo, ...": the mutants of the check.
std::string CheckedMutants();

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_SELF_CHECK_H_
