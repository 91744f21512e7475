// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Rounds a double to a floating type, and finds the neighbours of a number of the type. All results are doubles, which
// hold the numbers of every type. The verdict rounds the ends of the error bound with these functions.

#ifndef DECONV_CONFORMANCE_VERDICT_ROUND_H_
#define DECONV_CONFORMANCE_VERDICT_ROUND_H_

#include <limits>

#include "oracle/element_type.h"

namespace conformance {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// The largest finite number of the format.
double LargestFinite(const oracle::FloatFormat& format);

/// Rounds to nearest, ties to even. From half a unit beyond the largest finite number on: infinity.
double RoundToNearest(double value, oracle::ElementType type);

/// The largest number of the type that is at most `value`, and the smallest one that is at least `value`. Infinities
/// count as numbers. `value` is not NaN.
double RoundDown(double value, oracle::ElementType type);
double RoundUp(double value, oracle::ElementType type);

/// The next number of the type below (above) `value`. `value` is a number of the type, but not -Inf (+Inf).
double NextBelow(double value, oracle::ElementType type);
double NextAbove(double value, oracle::ElementType type);

/// The interval of sums that round to one number. The sums `low` and `high` themselves may round to its neighbours.
struct RoundingRange {
  double low = 0;
  double high = 0;
};

/// The sums that round to a finite `value` of the type. For rounding to nearest, the ends of the interval lie half way
/// to the neighbours of `value`. For faithful rounding, the ends are the neighbours.
RoundingRange SumsThatRoundTo(double value, oracle::ElementType type, bool faithful);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ROUND_H_
