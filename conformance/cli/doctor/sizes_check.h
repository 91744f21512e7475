// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a backend to compute into an output buffer that is one element too small. In a run, a buffer is too small if the
// backend and the dialect resolve an operator to different shapes.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_SIZES_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_SIZES_CHECK_H_

#include <chrono>
#include <string>

#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/worker.h"
#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// `suite_case`: a case that the backend computes correctly. `limit`: its time limit. Returns an empty string if the
/// backend answers other-shape, as it should; otherwise what it does.
std::string CheckSizes(Worker& worker, Arena& arena, const Capabilities& declared, const SuiteCase& suite_case,
                       std::chrono::nanoseconds limit);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_SIZES_CHECK_H_
