// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs that a case line records, as if a backend had just computed them. No backend runs.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_

#include <string>

#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Returns an empty string, or which values of the case cannot be read and why. A file may be missing, changed, cut
/// short or of another type. Cases that are not judged anyhow are not read.
std::string UnreadableRecorded(const SuiteCase& suite_case, const JudgeLimits& limits);

/// `declared`: the arithmetic that the outputs are judged by. Outputs for an operator that the dialect refuses, and
/// outputs of another shape, are failures.
CaseResult JudgeRecorded(const SuiteCase& suite_case, const Capabilities& declared, const JudgeLimits& limits);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_JUDGE_RECORDED_H_
