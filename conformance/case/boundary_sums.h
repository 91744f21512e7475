// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of data set `boundaries`, which tests rounding. Each output sums two or three terms. The exact sum lies
// at, just below or just above a number where rounding to the floating type changes its result, such as half way
// between two values. conformance/case/data_sets.md documents the data set.

#ifndef DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_
#define DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_

#include <array>
#include <cstdint>

#include "oracle/element_type.h"

namespace conformance {

/// The terms of one sum, as bits of elements of the type.
struct BoundarySum {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t third = 0;  ///< zero in all sums but the last two
};

inline constexpr std::size_t kBoundarySums = 23;

/// The sums for a floating type. Sums 12 to 20, counted from 0, reach their boundaries when multiplied by the small
/// factor of BoundaryFactors, the others when multiplied by 1.
std::array<BoundarySum, kBoundarySums> BoundarySums(oracle::ElementType type);

/// The values of the data elements, as bits. They repeat along the last axis: 1, -1, s, -s, with s =
/// 2^(min_exponent+1).
inline constexpr std::size_t kBoundaryFactors = 4;
std::array<std::uint64_t, kBoundaryFactors> BoundaryFactors(oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_
