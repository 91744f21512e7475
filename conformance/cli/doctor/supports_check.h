// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a backend twice whether it supports each of a few operators. The two answers must be equal.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_SUPPORTS_CHECK_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_SUPPORTS_CHECK_H_

#include <chrono>
#include <cstddef>
#include <span>
#include <string>

#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"

namespace conformance {

/// The number of supported operators, up to the first fault.
struct SupportsCheck {
  std::size_t supported = 0;
  std::string fault;  ///< no proper answer, or two different answers to one question; empty if all is right
};

/// Checks the operators of `cases`, which are valid and declared. `limit`: the time limit of each answer.
SupportsCheck CheckSupports(Worker& worker, const Capabilities& declared, std::span<const SuiteCase> cases,
                            std::chrono::nanoseconds limit);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_SUPPORTS_CHECK_H_
