// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds which bits of deconv_unsupported_bit (abilities that a backend may lack) apply to an operator, by the classes
// of the operator and of its axes. Also finds its largest number, because a backend may declare a limit of numbers.

#include "conformance/interface/unsupported.h"

#include <algorithm>

namespace conformance {
namespace {

/// The magnitude of `value`; INT64_MAX for the lowest number, whose magnitude does not fit.
std::int64_t Magnitude(std::int64_t value) {
  if (value >= 0) return value;
  return value == INT64_MIN ? INT64_MAX : -value;
}

}  // namespace

std::uint32_t RequiredBits(const oracle::Operator& op, const oracle::Geometry& geometry) {
  std::uint32_t required = 0;
  for (const UnsupportedName& row : kUnsupportedNames) {
    if (HasClassOf(row.property, row.classes, op, geometry)) required |= row.bit;
  }
  return required;
}

std::int64_t LargestAttribute(const oracle::Operator& op, const oracle::Geometry& geometry) {
  std::int64_t largest = 0;
  const auto include = [&largest](std::int64_t value) { largest = std::max(largest, Magnitude(value)); };
  ForEachNumber(op, include);
  for (const oracle::Axis& axis : geometry.axes) {
    for (const std::int64_t value : {axis.pads_begin, axis.pads_end, axis.output}) include(value);
  }
  return largest;
}

}  // namespace conformance
