// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs that a case line (the one-line text of a test) records, as if a backend had just computed them. No
// backend runs. So outputs that a library computed elsewhere can be judged.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_

#include <string>

#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Says which values of the case cannot be read, and why. Empty if all can be read, or if the case is not judged
/// anyway. A file may be missing, changed, truncated or of another type.
std::string UnreadableRecorded(const SuiteCase& suite_case, const JudgeLimits& limits);

/// Judges the recorded outputs of a case by the arithmetic in `declared`. Outputs for an operator that the dialect
/// refuses, and outputs of a wrong shape, are failures.
CaseResult JudgeRecorded(const SuiteCase& suite_case, const Capabilities& declared, const JudgeLimits& limits);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_
