// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the classes of an operator and of its axes with the classes of each bit of deconv_unsupported_bit.

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
  std::uint32_t asked = 0;
  for (const UnsupportedName& row : kUnsupportedNames) {
    if (HasClassOf(row.property, row.classes, op, geometry)) asked |= row.bit;
  }
  return asked;
}

std::int64_t LargestAttribute(const oracle::Operator& op, const oracle::Geometry& geometry) {
  std::int64_t largest = 0;
  const auto take = [&largest](std::int64_t value) { largest = std::max(largest, Magnitude(value)); };
  ForEachNumber(op, take);
  for (const oracle::Axis& axis : geometry.axes) {
    for (const std::int64_t value : {axis.pads_begin, axis.pads_end, axis.output}) take(value);
  }
  return largest;
}

}  // namespace conformance
