// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the list of the costs of a class of CPUs, and computes estimates of cycles by creating the algorithms with
// other costs. The count of a cost in an estimate follows from the estimate with a slightly larger cost. Example: if a
// change of 0.00001 cycles adds 3 cycles, the cost counts 300000 times.
#include "kernel/bench/estimator.h"

#include <iterator>
#include <memory>

#include "kernel/plan/registry.h"

namespace deconv::bench {
namespace {

#define DECONV_COST(field) {#field, [](Costs& costs) -> double& { return costs.field; }}

// clang-format off: a list.
constexpr CostField kCostFields[] = {
    DECONV_COST(channels_product),
    DECONV_COST(channels_pairs),
    DECONV_COST(channels_integer),
    DECONV_COST(channels_permuted),
    DECONV_COST(phased_product),
    DECONV_COST(phased_load),
    DECONV_COST(aligned_product),
    DECONV_COST(phased_integer),
    DECONV_COST(rows.product),
    DECONV_COST(rows.load),
    DECONV_COST(rows.broadcast),
    DECONV_COST(rows.branch),
    DECONV_COST(rows.call),
    DECONV_COST(channels_cell),
    DECONV_COST(channels_tile),
    DECONV_COST(channels_tap),
    DECONV_COST(converted_store),
    DECONV_COST(quad_output),
    DECONV_COST(quad_narrow_output),
    DECONV_COST(quad_unit),
    DECONV_COST(quad_row),
    DECONV_COST(transposed_read),
    DECONV_COST(row),
    DECONV_COST(tile_call),
    DECONV_COST(interleaved_output),
    DECONV_COST(interleaved_half),
    DECONV_COST(paired_output),
    DECONV_COST(interleaved_byte),
    DECONV_COST(narrowed_output),
    DECONV_COST(channels_last_output),
    DECONV_COST(revisited_output),
    DECONV_COST(single_output),
    DECONV_COST(single_position),
    DECONV_COST(scattered_output),
    DECONV_COST(regrouped_product),
    DECONV_COST(regrouped_unit),
    DECONV_COST(regrouped_sums),
    DECONV_COST(source_row),
    DECONV_COST(source_vector),
};
// clang-format on
#undef DECONV_COST

static_assert(sizeof(Costs) == std::size(kCostFields) * sizeof(double), "the list names each field of Costs once");

// The change of a cost, in cycles, by which its count is computed. It is so small that the larger term of a maximum
// stays the larger one.
constexpr double kEstimatorStep = 1e-5;

}  // namespace

std::span<const CostField> CostFields() { return kCostFields; }

double Estimator::Cycles(const Geometry& geometry, const char* algorithm, const Costs& costs) const {
  // A class of CPUs with the same costs for every target.
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
    const double unchanged_cost = cost;
    cost += kEstimatorStep;
    const double count = (estimator.Cycles(geometry, algorithm, changed) - cycles) / (cost - unchanged_cost);
    if (count == 0) continue;
    parts.fixed -= count * unchanged_cost;
    parts.counts.emplace_back(field.name, count);
  }
  return parts;
}

}  // namespace deconv::bench
