// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the sizes of a case on one backend in this process, without any values.

#ifndef DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_
#define DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_

#include <optional>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"

namespace fuzz {

/// Resolves the case as the backend does and compares refusal, output dimensions and pads_begin if the backend
/// reports it. Returns nothing for a backend without a function that resolves.
std::optional<Finding> ResolveInProcess(conformance::Backend& backend, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_RESOLVE_IN_PROCESS_H_
