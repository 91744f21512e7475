// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates the memory and the work of a case before it runs. So the runner starts only cases that fit in memory, and
// starts the longest cases first.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_

#include <cstdint>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"
#include "oracle/resolve.h"

namespace conformance {

/// The needs of a case. All are 0 for a case that will not run or whose operator is invalid.
struct ResourceEstimate {
  std::uint64_t bytes = 0;  ///< bytes of buffers and oracle
  double products = 0;
};

/// The needs of the case for a backend with these capabilities, by the dialect that judges this backend.
ResourceEstimate EstimateResources(const Case& test_case, const Capabilities& declared);
/// The needs of the case by its own dialect, for any backend.
ResourceEstimate EstimateResources(const Case& test_case);
/// The needs of a case that is no sweep and whose operator resolves to `geometry`.
ResourceEstimate EstimateResources(const Case& test_case, const oracle::Geometry& geometry);

/// Steps of work: the products, and one step for each element that is read or written.
double WorkOf(const oracle::Geometry& geometry);
/// Steps of a naive loop that visits, for every output, all positions of the longest axis with its stride and dilation.
double PositionsOf(const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_RESOURCE_ESTIMATE_H_
