// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes estimates of cycles by creating the algorithms with other costs. The count of a cost in an estimate follows
// from the estimate with a slightly larger cost. Example: if a change of 0.00001 cycles adds 3 cycles, the cost counts
// 300000 times.
#include "kernel/bench/estimator.h"

#include <memory>

#include "kernel/bench/cost_fields.h"
#include "kernel/plan/registry.h"

namespace deconv::bench {
namespace {

// The change of a cost, in cycles, by which its count is computed. It is so small that the larger term of a maximum
// stays the larger one.
constexpr double kEstimatorStep = 1e-5;

}  // namespace

double Estimator::Cycles(const Geometry& geometry, const char* algorithm, const Costs& costs) const {
  const CpuClass cpu = {"estimated", "", nullptr, caches, &costs, &costs, &costs, &costs};
  std::unique_ptr<Algorithm> created;
  return ChooseAlgorithm(geometry, algorithm, {target, &cpu, false}, created) == nullptr ? 0 : created->Cycles();
}

EstimateParts PartsOf(const Estimator& estimator, const Geometry& geometry, const char* algorithm, const Costs& costs) {
  EstimateParts parts;
  const double cycles = estimator.Cycles(geometry, algorithm, costs);
  parts.fixed = cycles;
  for (const CostField& field : CostFields()) {
    Costs changed = costs;
    double& cost = field.of(changed);
    const double before = cost;
    cost += kEstimatorStep;
    const double count = (estimator.Cycles(geometry, algorithm, changed) - cycles) / (cost - before);
    if (count == 0) continue;
    parts.fixed -= count * before;
    parts.counts.emplace_back(field.name, count);
  }
  return parts;
}

}  // namespace deconv::bench
