// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates memory and work of a case before it runs: of one operator from its sizes, of a sweep (many small operators)
// from the number of its operators.

#include "conformance/verdict/judge/resource_estimate.h"

#include <algorithm>

#include "conformance/case/sweep_cases.h"

namespace conformance {
namespace {

using oracle::Geometry;

ResourceEstimate EstimateSweep(const Sweep& sweep) {
  // A tuple (one operator of the sweep) takes some microseconds. In this time other cases compute 30 products. A tuple
  // of a dense sweep has about 1000 products. Only one batch of tuples is in memory at a time.
  const double products_per_tuple = sweep.of == SweepOf::kDense ? 1000 : 30;
  const SweepCases cases(sweep);
  return {std::uint64_t{8} << 20, products_per_tuple * static_cast<double>(cases.end() - cases.begin())};
}

ResourceEstimate EstimateByDialect(const Case& test_case, oracle::Dialect dialect) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  return resolution.ok() ? EstimateResources(test_case, *resolution.geometry) : ResourceEstimate{};
}

}  // namespace

double WorkOf(const Geometry& geometry) {
  return ProductsOf(geometry) + static_cast<double>(geometry.DataCount()) +
         static_cast<double>(geometry.FilterCount()) + static_cast<double>(geometry.OutputCount());
}

double PositionsOf(const Geometry& geometry) {
  double longest = 1;
  for (const oracle::Axis& axis : geometry.axes) {
    const double data = static_cast<double>(axis.stride) * static_cast<double>(axis.data);
    const double filter = static_cast<double>(axis.dilation) * static_cast<double>(axis.kernel);
    longest = std::max(longest, data + filter);
  }
  return longest * static_cast<double>(geometry.OutputCount());
}

ResourceEstimate EstimateResources(const Case& test_case, const Geometry& geometry) {
  const auto element = static_cast<double>(oracle::ElementBytes(geometry.type));
  const double inputs = static_cast<double>(geometry.DataCount()) + static_cast<double>(geometry.FilterCount());
  // The oracle also stores the inputs decoded, with 16 bytes an element. The sum is a double, because it may pass 2^64.
  double bytes = (inputs + static_cast<double>(geometry.OutputCount())) * element + inputs * 16;
  // A law keeps tensors of several operators, and one or two of their axes are longer. So 16 times the case's
  // elements are counted, at 8 bytes each.
  if (test_case.law) bytes += 16 * 8 * (inputs + static_cast<double>(geometry.OutputCount()));
  constexpr double kMost = 0x1p62;
  return {static_cast<std::uint64_t>(std::min(bytes, kMost)), ProductsOf(geometry)};
}

ResourceEstimate EstimateResources(const Case& test_case, const Capabilities& declared) {
  if (test_case.sweep) return EstimateSweep(*test_case.sweep);
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.UnsupportedReason(test_case.op, *dialect).empty()) return {};
  return EstimateByDialect(test_case, *dialect);
}

ResourceEstimate EstimateResources(const Case& test_case) {
  return test_case.sweep ? EstimateSweep(*test_case.sweep) : EstimateByDialect(test_case, test_case.EffectiveDialect());
}

}  // namespace conformance
