// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells a slow backend from one that hangs. A case whose backend still computed at the time limit gets a second look
// with a longer limit, and only the verdict of that look counts. The first run of an operator may compile it.

#ifndef DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_
#define DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_

#include "conformance/run/hang_limit.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Whether the case shall be judged again before it counts as a hang. Each yes uses up one of the looks of `limit`.
bool DeservesSecondLook(const CaseResult& first, HangLimit& limit);

/// The limits for the judge of second looks. With the usual 10 s, a run of little work may take a minute.
JudgeLimits LimitsOfSecondLook(JudgeLimits limits);

/// The verdict of the second look, whose message also says what the first look saw.
CaseResult VerdictOfSecondLook(const CaseResult& first, CaseResult second);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_SECOND_LOOK_H_
