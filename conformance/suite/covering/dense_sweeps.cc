// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the sweeps of suite `dense`, each a case that stands for many small operators. Takes kernels and strides from
// the table of common geometries, and chooses the element types of each kind of operator.

#include "conformance/suite/covering/dense_sweeps.h"

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/dense_operators.h"
#include "conformance/case/operator_draft.h"
#include "conformance/suite/covering/common_array.h"
#include "conformance/suite/covering/common_geometries.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

/// The types that libraries have special code for. Suite `common` has the other integers.
std::vector<ElementType> DenseTypesOf(OperatorKind kind) {
  if (kind == OperatorKind::kConvTranspose) return {ElementType::kF32};
  if (kind == OperatorKind::kConvolutionBackwardData) return {ElementType::kF32, ElementType::kBf16, ElementType::kF16};
  return {ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kF64,
          ElementType::kI8,  ElementType::kU8,  ElementType::kI32,  ElementType::kI64};
}

/// Whether a geometry has at most 64 taps. With more, few channels and sizes fit the limit of multiply-adds.
bool IsSmall(const CommonGeometry& geometry) {
  constexpr std::int64_t kMostTaps = 64;
  std::int64_t taps = 1;
  for (std::size_t j = 0; j < geometry.axes; ++j) taps *= geometry.kernel;
  return geometry.kernel <= kMostDenseExtent && taps <= kMostTaps;
}

}  // namespace

std::vector<DenseSweep> DenseSweeps() {
  std::vector<DenseSweep> sweeps;
  std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> known;
  for (const CommonGeometry& geometry : CommonGeometries()) {
    if (!IsSmall(geometry) || !known.emplace(geometry.axes, geometry.kernel, geometry.stride).second) continue;
    for (const OperatorKind kind : oracle::kOperatorKinds) {
      for (const ElementType type : DenseTypesOf(kind)) {
        sweeps.push_back({.name = fmt::format("{}d-k{}s{}.{}.{}", geometry.axes, geometry.kernel, geometry.stride,
                                              ShortName(kind), oracle::ElementTypeName(type)),
                          .sweep = {.of = SweepOf::kDense,
                                    .kind = kind,
                                    .dialect = CommonDialectOf(kind),
                                    .type = type,
                                    .stride = geometry.stride,
                                    .kernel = geometry.kernel,
                                    .axes = static_cast<std::int64_t>(geometry.axes)}});
      }
    }
  }
  return sweeps;
}

}  // namespace conformance
