// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the costs of the table of CPU classes by name. A cost is the CPU cycles of one part of an algorithm, such as a
// product. Estimates the cycles of an algorithm with any costs, and says how often each cost counts in an estimate. The
// tool ci/fit_costs fits costs to measured times by these counts.
#ifndef DECONV_KERNEL_BENCH_ESTIMATOR_H_
#define DECONV_KERNEL_BENCH_ESTIMATOR_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"

namespace deconv::bench {

struct CostField {
  const char* name;             // the member of Costs
  double& (*of)(Costs& costs);  // returns this member of `costs`
};

// All fields of Costs, in their order.
std::span<const CostField> CostFields();

// Estimates as plans do, with any costs.
struct Estimator {
  int64_t target = 0;
  CacheSizes caches;  // the CPU's caches

  // The cycles that `algorithm` takes for one sample. 0 if it does not fit.
  double Cycles(const Geometry& geometry, const char* algorithm, const Costs& costs) const;
};

// The parts of an estimate: cycles = fixed + sum of count * cost. Some terms of an estimate are the maximum of two
// sums. So the counts are right only for costs near those for which they were computed.
struct EstimateParts {
  double fixed = 0;                                    // cycles
  std::vector<std::pair<std::string, double>> counts;  // by the name of the cost, without costs that do not count
};
// Returns the parts of the estimate that Estimator::Cycles returns for the same arguments.
EstimateParts PartsOf(const Estimator& estimator, const Geometry& geometry, const char* algorithm, const Costs& costs);

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_ESTIMATOR_H_
