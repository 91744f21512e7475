// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Groups the failures of a run by cause. Each failure belongs to exactly one cause: the fault that explains it, or else
// its kind of failure and what the operators have in common.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_

#include <span>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/run/failure_causes.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Of results in the order of their places. Expected failures have no cause: their reason is known.
FailureCauses CausesOf(std::span<const CaseResult> results, const Diagnosis& diagnosis,
                       const RunConditions& conditions = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_GROUP_BY_CAUSE_H_
