// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of data set `boundaries`: sums that lie at, just below and just above the places where a conversion to a
// floating type changes its result. They are documented in conformance/case/data_sets.md.

#ifndef DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_
#define DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_

#include <array>
#include <cstdint>

#include "oracle/element_type.h"

namespace conformance {

/// A sum as elements of the type, which holds each of them exactly.
struct BoundarySum {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t third = 0;  ///< zero in all sums but the last two
};

inline constexpr std::size_t kBoundarySums = 23;

/// The sums at the boundaries of a floating type. Sums 12 to 20 are meant for the small data, the others for data of 1.
std::array<BoundarySum, kBoundarySums> BoundarySums(oracle::ElementType type);

/// Data elements: 1, -1, a small power of two and its negative, in turn along the last axis.
inline constexpr std::size_t kBoundaryFactors = 4;
std::array<std::uint64_t, kBoundaryFactors> BoundaryFactors(oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_BOUNDARY_SUMS_H_
