// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a backend is deterministic: it runs one case many times and compares the bits of the outputs.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_

#include <optional>
#include <span>
#include <string>

#include "conformance/cli/doctor/doctor.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// Checks whether the backend gives the same bits in several runs, and with several numbers of threads if it declares
/// that. Uses the first of `cases` that the backend computes; nullopt if it computes none.
std::optional<ExaminedStep> CheckRepeats(Judge& judge, std::span<const SuiteCase> cases, const std::string& backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_
