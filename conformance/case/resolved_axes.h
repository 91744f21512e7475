// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists all resolved axes within the bounds of a sweep (one case that stands for many small operators), and makes
// operators that resolve to given axes. An axis is resolved once pads_begin and output size are known. Different
// attributes often resolve to the same axis, so that a sweep over resolved axes needs fewer operators to cover all
// values.

#ifndef DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_
#define DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "conformance/case/sweep.h"

namespace conformance {

/// All numbers that decide the output values along an axis.
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

/// Every axis that an operator within the bounds resolves to in some dialect, and some other axes. They are sorted by
/// the attributes that can express them. First: only pads. Second: pads or an output shape. Third: only an output
/// shape, because pads_begin is negative (the data are shifted).
std::vector<ResolvedAxis> ResolvedAxesWithin(const SweepBounds& bounds);

/// Whether the specification's formulas can give this pads_begin from an output shape and an output_padding.
bool HasOutputShapeForm(const ResolvedAxis& axis);

/// Whether ResolvedAxesWithin(bounds) has the axis, without making the list.
bool IsWithin(const ResolvedAxis& axis, const SweepBounds& bounds);

/// An operator of `kind` that resolves to these axes, with batch and channels 1. Precondition: either no axis has a
/// negative pads_begin, or all axes fulfil HasOutputShapeForm.
oracle::Operator OperatorWith(std::span<const ResolvedAxis> axes, oracle::OperatorKind kind, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_RESOLVED_AXES_H_
