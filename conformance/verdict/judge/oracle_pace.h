// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says how long the oracle will need for a case, so that nobody takes a large layer of a model for a hang.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_

#include <string>

#include "conformance/case/case.h"
#include "conformance/verdict/judge/resource_estimate.h"

namespace conformance {

/// Empty, or for a case that keeps the oracle busy for more than `shortest` seconds: "3.3e+10 products take the oracle
/// about 96 s". The first call measures the oracle on a small layer. Laws and sweeps are many small operators: they
/// have no text.
std::string LongWorkText(const Case& test_case, const ResourceEstimate& estimate, double shortest = 5);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_ORACLE_PACE_H_
