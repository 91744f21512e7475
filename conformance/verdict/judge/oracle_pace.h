// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates how long the oracle needs for a large case. The program prints the estimate, so that a user does not
// mistake the wait for a hang.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_

#include <string>

#include "conformance/case/case.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {

/// Returns for example "3.3e+10 products take the oracle about 96 s" if the case keeps the oracle busy for at least
/// `shortest` seconds, else an empty string. Always empty for laws and sweeps, which are many small operators. The
/// first call for a large case measures the oracle on a small layer.
std::string LongWorkText(const Case& test_case, const ResourceEstimate& estimate, double shortest = 5);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_
