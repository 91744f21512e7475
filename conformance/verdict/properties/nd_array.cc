// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the operations on tensors, and converts between doubles and the bits of elements. Windows, inserted zeros
// and permutations of one axis share the function Along: each element of the result is an element of the array or zero.
// f16 is encoded by hand, because C++20 has no type for it.

#include "conformance/verdict/properties/nd_array.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "conformance/verdict/element.h"
#include "oracle/float_bits.h"

namespace conformance::properties {
namespace {

using oracle::Dims;

/// A copy of the array with `size` elements along `axis`. Element i of the result is element from(i) of the array, or
/// zero if from(i) is negative.
template <class From>
NdArray Along(const NdArray& array, std::size_t axis, std::int64_t size, const From& from) {
  NdArray result;
  result.dims = array.dims;
  result.dims[axis] = size;
  result.values.resize(static_cast<std::size_t>(CountOf(result.dims)), 0.0);
  std::int64_t outer = 1;
  std::int64_t inner = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= array.dims[i];
  for (std::size_t i = axis + 1; i < array.dims.size(); ++i) inner *= array.dims[i];
  for (std::int64_t o = 0; o < outer; ++o) {
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t source = from(i);
      if (source < 0) continue;
      std::copy_n(array.values.begin() + (o * array.dims[axis] + source) * inner, inner,
                  result.values.begin() + (o * size + i) * inner);
    }
  }
  return result;
}

}  // namespace

std::int64_t CountOf(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

NdArray Zeros(Dims dims) {
  const auto count = static_cast<std::size_t>(CountOf(dims));
  return {std::move(dims), std::vector<double>(count, 0.0)};
}

NdArray Window(const NdArray& array, std::size_t axis, std::int64_t begin, std::int64_t size) {
  const std::int64_t own = array.dims[axis];
  return Along(array, axis, size, [=](std::int64_t i) { return begin + i < own ? begin + i : -1; });
}

NdArray Spread(const NdArray& array, std::size_t axis, std::int64_t step) {
  const std::int64_t own = array.dims[axis];
  const std::int64_t size = own == 0 ? 0 : step * (own - 1) + 1;
  return Along(array, axis, size, [=](std::int64_t i) { return i % step == 0 ? i / step : -1; });
}

NdArray Reversed(const NdArray& array, std::size_t axis) {
  const std::int64_t own = array.dims[axis];
  return Along(array, axis, own, [=](std::int64_t i) { return own - 1 - i; });
}

NdArray Taken(const NdArray& array, std::size_t axis, std::span<const std::int64_t> indices) {
  return Along(array, axis, static_cast<std::int64_t>(indices.size()),
               [=](std::int64_t i) { return indices[static_cast<std::size_t>(i)]; });
}

NdArray Transposed(const NdArray& array, std::span<const std::size_t> order) {
  assert(order.size() == array.dims.size());
  Dims strides(array.dims.size(), 1);
  for (std::size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * array.dims[i];
  NdArray result;
  Dims steps;
  for (const std::size_t axis : order) {
    result.dims.push_back(array.dims[axis]);
    steps.push_back(strides[axis]);
  }
  const auto count = static_cast<std::size_t>(CountOf(result.dims));
  result.values.reserve(count);
  // `coordinate`, in the result, counts up as an odometer does, and `source` is the flat index of the same element in
  // `array`. An axis that returns to 0 takes its steps back.
  Dims coordinate(result.dims.size(), 0);
  std::int64_t source = 0;
  while (result.values.size() < count) {
    result.values.push_back(array.values[static_cast<std::size_t>(source)]);
    for (std::size_t i = coordinate.size(); i-- > 0;) {
      source += steps[i];
      if (++coordinate[i] < result.dims[i]) break;
      source -= steps[i] * result.dims[i];
      coordinate[i] = 0;
    }
  }
  return result;
}

NdArray Reshaped(NdArray array, Dims dims) {
  assert(CountOf(dims) == CountOf(array.dims));
  array.dims = std::move(dims);
  return array;
}

NdArray Concatenated(std::span<const NdArray> parts, std::size_t axis) {
  Dims dims = parts.front().dims;
  dims[axis] = 0;
  for (const NdArray& part : parts) dims[axis] += part.dims[axis];
  NdArray result = Zeros(dims);
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= dims[i];
  auto to = result.values.begin();
  for (std::int64_t o = 0; o < outer; ++o) {
    for (const NdArray& part : parts) {
      const std::int64_t run = CountOf(part.dims) / outer;
      to = std::copy_n(part.values.begin() + o * run, run, to);
    }
  }
  return result;
}

NdArray Sum(NdArray left, const NdArray& right) {
  assert(left.dims == right.dims);
  std::ranges::transform(left.values, right.values, left.values.begin(), std::plus<>());
  return left;
}

NdArray Scaled(NdArray array, double factor) {
  for (double& value : array.values) value *= factor;
  return array;
}

std::int64_t FirstDifference(const NdArray& a, const NdArray& b) {
  assert(a.dims == b.dims);
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    if (!(a.values[i] == b.values[i])) return static_cast<std::int64_t>(i);
  }
  return -1;
}

namespace {

using oracle::ElementType;

/// The bits of 0 or of a normal number of f16. Example: 3 = 0.75 * 2^2 has the significand 0.75 * 2^11, which is 1536.
/// Its leading bit, 1024, is not stored. The biased exponent is 2 - 1 + 15 = 16, and the bits are 16 << 10 | 512.
std::uint64_t HalfBits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // the fraction is in [1/2, 1)
  // f16 has 10 bits of fraction, and its exponents have a bias of 15.
  constexpr int kFractionBits = 10;
  constexpr int kBias = 15;
  const auto significand = static_cast<std::uint64_t>(std::ldexp(fraction, kFractionBits + 1));
  const int biased = exponent - 1 + kBias;
  const std::uint64_t sign = value < 0 ? 1 : 0;
  return sign << 15 | static_cast<std::uint64_t>(biased) << kFractionBits | (significand & ((1U << kFractionBits) - 1));
}

std::uint64_t BitsOf(ElementType type, double value) {
  switch (type) {
    case ElementType::kF64:
      return std::bit_cast<std::uint64_t>(value);
    case ElementType::kF32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ElementType::kBf16:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16;
    case ElementType::kF16:
      return HalfBits(value);
    default:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

double ValueOf(ElementType type, std::uint64_t bits) {
  if (oracle::IsFloat(type)) return oracle::FloatValue(bits, type);
  return oracle::IsSigned(type) ? static_cast<double>(SignExtended(bits, type)) : static_cast<double>(bits);
}

}  // namespace

void Encode(ElementType type, std::span<const double> values, std::span<std::byte> elements) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t bytes = oracle::ElementBytes(type);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = BitsOf(type, values[i]);
    std::memcpy(elements.data() + i * bytes, &bits, bytes);
  }
}

std::vector<double> Decode(ElementType type, std::span<const std::byte> elements) {
  const std::size_t bytes = oracle::ElementBytes(type);
  std::vector<double> values(elements.size() / bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = ValueOf(type, oracle::LoadBits(elements.data() + i * bytes, bytes));
  }
  return values;
}

double LargestExactSum(ElementType type) {
  // A floating type has every integer up to 2^precision.
  if (oracle::IsFloat(type)) return std::ldexp(1.0, oracle::FormatOf(type).precision);
  // Laws compute in double: 2^53 bounds the 64-bit integers too.
  const int bits = static_cast<int>(8 * oracle::ElementBytes(type)) - (oracle::IsSigned(type) ? 1 : 0);
  return std::ldexp(1.0, std::min(bits, 53)) - 1;
}

}  // namespace conformance::properties
