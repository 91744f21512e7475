// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The values of a case's tensors. They are documented in conformance/case/data_sets.md and counter-based, so that any
// language can compute any element from the case line.

#ifndef DECONV_CONFORMANCE_CASE_DATA_SET_H_
#define DECONV_CONFORMANCE_CASE_DATA_SET_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "oracle/resolve.h"

namespace conformance {

enum class DataSet {
  kIntegers,      ///< small non-zero integers whose sums are exact in the accumulator: finds wrong indices
  kReals,         ///< full significands, exponents close together: finds lost precision
  kWide,          ///< exponents spread over most of the type's range; integers over all of it
  kCancellation,  ///< large terms that nearly cancel
  kSubnormals,    ///< operands or products below the normal range
  kSpecials,      ///< some NaN and infinities among small integers
  kOverflow,      ///< partial sums beyond the type's range that come back, and sums around its largest number
  kZeros,         ///< zeros of both signs in data against some infinities in the filter, or the other way round
  kExtremes,      ///< the smallest and largest numbers of an integer type
  kTaps,          ///< powers of two, such that each output spells its products: for small tensors
  kSwamping,      ///< a large power of two, its negative and small numbers: a narrow accumulator loses the small ones
  kBoundaries,    ///< sums at, just below and just above the places where a conversion changes its result
};

inline constexpr std::array kDataSets = {DataSet::kIntegers,     DataSet::kReals,      DataSet::kWide,
                                         DataSet::kCancellation, DataSet::kSubnormals, DataSet::kSpecials,
                                         DataSet::kOverflow,     DataSet::kZeros,      DataSet::kExtremes,
                                         DataSet::kTaps,         DataSet::kSwamping,   DataSet::kBoundaries};

/// "integers", "reals", "wide", "cancellation", "subnormals", "specials", "overflow", "zeros", "extremes", "taps",
/// "swamping", "boundaries".
std::string_view DataSetName(DataSet set);
std::optional<DataSet> ParseDataSet(std::string_view name);

/// Whether the set means anything for the type: integer types know `integers`, `wide`, `extremes` and `taps`, floating
/// types all but `extremes`.
bool Suits(DataSet set, oracle::ElementType type);

/// Whether `taps` of tensors with so many elements have sums that are exact in the type. They are filled with
/// `integers` where not.
bool TapsFit(std::int64_t data_count, std::int64_t filter_count, oracle::ElementType type);

enum class Tensor : std::uint8_t { kData = 0, kFilter = 1 };

/// Fills `bytes` (a whole tensor of the geometry's type: DataCount() or FilterCount() elements, any alignment).
/// The same (set, seed, geometry, tensor) always gives the same bytes, on every machine.
void FillTensor(DataSet set, std::uint64_t seed, const oracle::Geometry& geometry, Tensor tensor,
                std::span<std::byte> bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DATA_SET_H_
