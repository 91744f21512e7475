// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates the memory, the work and the time of a case before it runs. So the runner starts only cases that fit in
// memory, and starts the longest cases first.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_

#include <cstdint>
#include <string>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"
#include "oracle/resolve.h"

namespace conformance {

/// The needs of a case. All are 0 for a case that the backend does not declare to support, and for an invalid operator.
struct ResourceEstimate {
  std::uint64_t bytes = 0;  ///< bytes of data, filter and output, and of the oracle's decoded copies
  double products = 0;      ///< multiplications of data and filter elements; for a sweep an estimate in the same unit
};

/// The needs of the case for a backend with these capabilities. The operator is resolved by the dialect that judges the
/// backend's answer (JudgingDialect).
ResourceEstimate EstimateResources(const Case& test_case, const Capabilities& declared);
/// The needs of the case by its own dialect, for any backend.
ResourceEstimate EstimateResources(const Case& test_case);
/// The needs of a case whose operator resolves to `geometry`. The case is no sweep (one case that stands for many small
/// operators).
ResourceEstimate EstimateResources(const Case& test_case, const oracle::Geometry& geometry);

/// Steps of work: the products, and one step for each element that is read or written.
double WorkOf(const oracle::Geometry& geometry);
/// Steps of a slow loop that, for each output, visits stride * data + dilation * kernel positions of one axis, the one
/// with the most. The diagnosis uses it to leave out operators with huge strides or dilations.
double PositionsOf(const oracle::Geometry& geometry);

// How long the oracle needs for a large case. The program prints the estimate, so that a user does not mistake the wait
// for a hang.

/// Returns for example "3.3e+10 products take the oracle about 96 s" if the case keeps the oracle busy for at least
/// `shortest` seconds, else an empty string. Always empty for laws and sweeps, which are many small operators. The
/// first call for a large case measures the oracle on a small layer.
std::string LongWorkText(const Case& test_case, const ResourceEstimate& estimate, double shortest = 5);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_
