// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Distinguishes a slow backend from a backend that hangs. If the backend still computed at the time limit, the case is
// judged again with a longer limit: the second look. Only its verdict counts. A backend may be slow because it compiles
// an operator in its first run.

#ifndef DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_
#define DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_

#include "conformance/run/hang_limit.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Whether the case gets a second look before it counts as a hang. Each true uses up one of the second looks of
/// `limit`.
bool NeedsSecondLook(const CaseResult& first, HangLimit& limit);

/// The limits for the judge of second looks. With the usual 10 s, a run of little work may take a minute.
JudgeLimits LimitsOfSecondLook(JudgeLimits limits);

/// The verdict of the second look. Its message also states the result of the first try.
CaseResult VerdictOfSecondLook(const CaseResult& first, CaseResult second);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_
