// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on a case that names a law: the case and its related operators on the backend's worker, compared with
// one another, and the smallest case that breaks the law in the same way.

#ifndef DECONV_CONFORMANCE_PROPERTIES_JUDGE_LAW_H_
#define DECONV_CONFORMANCE_PROPERTIES_JUDGE_LAW_H_

#include "conformance/judge.h"

namespace conformance {

/// `shrink_seconds`: what may be spent on the smallest case, and what is left of it afterwards.
void JudgeLaw(const Case& test_case, oracle::Dialect dialect, const JudgeLimits& limits, Arena& arena, Worker& worker,
              double& shrink_seconds, CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_PROPERTIES_JUDGE_LAW_H_
