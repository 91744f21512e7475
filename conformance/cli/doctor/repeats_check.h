// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one case many times, and compares the bits.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_

#include <optional>
#include <span>
#include <string>

#include "conformance/cli/doctor/doctor.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

/// Whether the backend gives the same bits in several runs and with several numbers of threads, as far as it declares
/// it. The first case that the backend computes tells; nothing if it computes none of them.
std::optional<ExaminedStep> CheckRepeats(Judge& judge, std::span<const SuiteCase> cases, const std::string& backend);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_REPEATS_CHECK_H_
