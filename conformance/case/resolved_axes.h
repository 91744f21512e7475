// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the different resolved axes within a sweep's bounds, from all dialects, and makes operators that have them.

#ifndef DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_
#define DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "conformance/case/sweep.h"

namespace conformance {

/// All numbers that decide an axis' values.
struct ResolvedAxis {
  std::int64_t data = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;
  std::int64_t output = 1;

  /// stride * (data - 1) + (kernel - 1) * dilation + 1
  std::int64_t Natural() const { return stride * (data - 1) + (kernel - 1) * dilation + 1; }
  auto operator<=>(const ResolvedAxis&) const = default;
};

/// Every axis that an operator within the bounds resolves to in some dialect (and some to which none does), sorted by
/// how an operator can have them: first those with pads alone, then those with pads or an output shape, then those
/// with an output shape alone, which shift the data (pads_begin < 0).
std::vector<ResolvedAxis> ResolvedAxesWithin(const SweepBounds& bounds);

/// Whether some output shape and output_padding split to this pads_begin by the formulas of the specification.
bool HasOutputShapeForm(const ResolvedAxis& axis);

/// Whether ResolvedAxesWithin(bounds) has the axis, without making the list.
bool IsWithin(const ResolvedAxis& axis, const SweepBounds& bounds);

/// An operator of `kind`, in the words of its document, with these axes, batch and channels 1. Either no axis shifts
/// the data, or all of them have a form with an output shape.
oracle::Operator OperatorWith(std::span<const ResolvedAxis> axes, oracle::OperatorKind kind, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_
