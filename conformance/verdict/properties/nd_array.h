// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors of exact numbers: the operations from which laws are built (windows, inserted zeros, permutations, parts),
// and their conversion to tensor elements and back.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_ND_ARRAY_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_ND_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/element_type.h"
#include "oracle/operator.h"

namespace conformance::properties {

/// A tensor of doubles.
struct NdArray {
  oracle::Dims dims;
  std::vector<double> values;  ///< row-major

  bool operator==(const NdArray&) const = default;
};

/// The number of elements of an array with these dims.
std::int64_t CountOf(const oracle::Dims& dims);
NdArray Zeros(oracle::Dims dims);

/// The elements from begin to begin + size - 1 along an axis; zero where the array has none.
NdArray Window(const NdArray& array, std::size_t axis, std::int64_t begin, std::int64_t size);
/// The array with step - 1 zeros between neighbours along an axis.
NdArray Spread(const NdArray& array, std::size_t axis, std::int64_t step);
/// The array with its elements along an axis in the reverse order.
NdArray Reversed(const NdArray& array, std::size_t axis);
/// The array whose elements at index i along the axis are those of `array` at indices[i].
NdArray Taken(const NdArray& array, std::size_t axis, std::span<const std::int64_t> indices);
/// Permutes the axes: axis order[i] of the array becomes axis i of the result.
NdArray Transposed(const NdArray& array, std::span<const std::size_t> order);
/// The same values with other dims of the same count.
NdArray Reshaped(NdArray array, oracle::Dims dims);
/// Joins arrays of equal dims except along the axis; at least one part.
NdArray Concatenated(std::span<const NdArray> parts, std::size_t axis);
/// The sum, element by element. The dims are equal.
NdArray Sum(NdArray left, const NdArray& right);
NdArray Scaled(NdArray array, double factor);  ///< each element times the factor

/// Flat index of the first element that differs (NaN differs from everything); -1 if none. The dims are equal.
std::int64_t FirstDifference(const NdArray& a, const NdArray& b);

// Laws (relations between the outputs of related operators) use only numbers that their type represents exactly.

/// Writes numbers as elements of the type. Each value must be 0 or a normal number of the type.
void Encode(oracle::ElementType type, std::span<const double> values, std::span<std::byte> elements);

/// Reads elements, which may hold any bits. NaN and infinities are kept. Integers beyond 2^53 are rounded to double.
std::vector<double> Decode(oracle::ElementType type, std::span<const std::byte> elements);

/// The largest M such that a sum of integers is exact in the type, in any order, if their magnitudes add up to at most
/// M.
double LargestExactSum(oracle::ElementType type);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_ND_ARRAY_H_
