// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds element types that a backend computes and does not declare.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_UNDECLARED_TYPES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_UNDECLARED_TYPES_H_

#include <chrono>
#include <string>
#include <vector>

#include "conformance/interface/backend.h"
#include "oracle/element_type.h"

namespace conformance {

/// The undeclared types for which the backend computes a plain case correctly. A crash or hang with such a type is no
/// fault, so each type gets a process of its own. `limit`: the time limit of a run.
std::vector<oracle::ElementType> ComputedButUndeclared(const std::string& backend, const Capabilities& declared,
                                                       std::chrono::nanoseconds limit);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_UNDECLARED_TYPES_H_
