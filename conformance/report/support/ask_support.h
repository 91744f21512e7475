// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks a backend (the library under test) which cases of a list it supports, without running them.

#ifndef DECONV_CONFORMANCE_REPORT_SUPPORT_ASK_SUPPORT_H_
#define DECONV_CONFORMANCE_REPORT_SUPPORT_ASK_SUPPORT_H_

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Returns one result for each case whose operator is valid, or left open by the specification. Sweeps (many operators
/// in one case) are left out. Its status is pass if the backend supports the operator, undeclared or unsupported with
/// the reason, or fail if the backend gave no valid answer. After three hangs no further case is asked. The worker must
/// have been started.
std::vector<CaseResult> AskSupport(Worker& worker, std::span<const SuiteCase> case_list, std::chrono::nanoseconds limit,
                                   const std::function<bool()>& interrupted);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_REPORT_SUPPORT_ASK_SUPPORT_H_
