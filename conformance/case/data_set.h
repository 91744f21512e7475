// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Data sets: named rules for the values of a case's tensors. Each value is a function of the element's index and of the
// case line, without a state. So a program in any language can compute any element by itself, in any order.
// conformance/case/data_sets.md has the formulas.

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
  kWide,          ///< floating types: exponents from most of the range; integer types: any bits
  kCancellation,  ///< large terms that nearly cancel
  kSubnormals,    ///< operands or products below the normal range
  kSpecials,      ///< some NaN and infinities among small integers
  kOverflow,      ///< partial sums leave the type's range and return; sums around the largest number
  kZeros,         ///< zeros of both signs in data against some infinities in the filter, or the other way round
  kExtremes,      ///< the smallest and largest numbers of an integer type
  kTaps,          ///< each product is a power of two of its own: an output's bits name its products; small tensors only
  kSwamping,      ///< 2^k, -2^k and small numbers: a narrow accumulator loses the small numbers
  kBoundaries,    ///< sums at, just below and just above the numbers where rounding changes its result
};

inline constexpr std::array kDataSets = {DataSet::kIntegers,     DataSet::kReals,      DataSet::kWide,
                                         DataSet::kCancellation, DataSet::kSubnormals, DataSet::kSpecials,
                                         DataSet::kOverflow,     DataSet::kZeros,      DataSet::kExtremes,
                                         DataSet::kTaps,         DataSet::kSwamping,   DataSet::kBoundaries};

/// "integers", "reals", "wide", "cancellation", "subnormals", "specials", "overflow", "zeros", "extremes", "taps",
/// "swamping", "boundaries".
std::string_view DataSetName(DataSet set);
/// The data set with this name, or nullopt.
std::optional<DataSet> ParseDataSet(std::string_view name);

/// Whether a type has the data set. Integer types have `integers`, `wide`, `extremes` and `taps`. Floating types have
/// all sets but `extremes`.
bool IsDefinedFor(DataSet set, oracle::ElementType type);

/// Whether the sums of data set `taps` are exact in the type for these numbers of elements: each product needs a bit of
/// its own. If not, FillTensor uses `integers` instead.
bool TapsFit(std::int64_t data_count, std::int64_t filter_count, oracle::ElementType type);

enum class Tensor : std::uint8_t { kData = 0, kFilter = 1 };

/// Fills `bytes`, a whole tensor of the geometry's type: DataCount() or FilterCount() elements, any alignment. The same
/// (set, seed, geometry, tensor) always gives the same bytes, on every machine.
void FillTensor(DataSet set, std::uint64_t seed, const oracle::Geometry& geometry, Tensor tensor,
                std::span<std::byte> bytes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DATA_SET_H_
