// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the sizes that a backend resolves for a case with those of the oracle. It runs in this process and computes
// no values.

#ifndef DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_
#define DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_

#include <optional>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"

namespace fuzz {

/// Calls the backend's resolve function. Compares refusal, output dimensions, and pads_begin if the backend reports it.
/// Returns the finding, or nothing if all agree. It also returns nothing if the backend has no resolve function, or if
/// the operator is undefined or not supported.
std::optional<Finding> ResolveInProcess(conformance::Backend& backend, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_
