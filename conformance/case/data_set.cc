// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Generates the data sets: named rules for the values of a case's tensors, such as `integers`. The formulas are in
// conformance/case/data_sets.md. Every element is a function of (set, seed, tensor, flat index, geometry); no element
// depends on another element.

#include "conformance/case/data_set.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "conformance/case/data_set_rules.h"
#include "conformance/case/element_bits.h"
#include "conformance/case/text/names.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Geometry;

constexpr std::array<Named<DataSet>, kDataSets.size()> kDataSetNames = {{{DataSet::kIntegers, "integers"},
                                                                         {DataSet::kReals, "reals"},
                                                                         {DataSet::kWide, "wide"},
                                                                         {DataSet::kCancellation, "cancellation"},
                                                                         {DataSet::kSubnormals, "subnormals"},
                                                                         {DataSet::kSpecials, "specials"},
                                                                         {DataSet::kOverflow, "overflow"},
                                                                         {DataSet::kZeros, "zeros"},
                                                                         {DataSet::kExtremes, "extremes"},
                                                                         {DataSet::kTaps, "taps"},
                                                                         {DataSet::kSwamping, "swamping"},
                                                                         {DataSet::kBoundaries, "boundaries"}}};

// The largest magnitude of `integers`: the largest number up to 15 whose sums are exact in the type. Up to 30 different
// values show wrong indices. The least is 2: with 1, all values of an unsigned type would be equal. With 2, a sum of
// very many taps may not be exact in a narrow type; f16 and bf16 then round once, integers wrap.
std::uint64_t Amplitude(const Geometry& geometry) {
  constexpr std::uint64_t kLeastAmplitude = 2;
  constexpr std::uint64_t kMostAmplitude = 15;
  const std::uint64_t taps = TapsOf(geometry);
  const std::uint64_t limit = (std::uint64_t{1} << std::min(ExactBits(geometry.type), 62)) - 1;
  std::uint64_t amplitude = kMostAmplitude;
  while (amplitude > kLeastAmplitude && amplitude * amplitude * taps > limit) --amplitude;
  return amplitude;
}

int CeilLog2(std::uint64_t value) { return static_cast<int>(std::bit_width(value - 1)); }
int FloorHalf(int value) { return value >= 0 ? value / 2 : -((1 - value) / 2); }  // rounds down: -3 gives -2

// The bits of all values of `integers`: -A..-1, 1..A with A = Amplitude; for an unsigned type 1..A.
std::vector<std::uint64_t> IntegerValues(const Geometry& geometry) {
  const auto amplitude = static_cast<std::int64_t>(Amplitude(geometry));
  std::vector<std::uint64_t> values;
  for (std::int64_t v = oracle::IsSigned(geometry.type) ? -amplitude : 1; v <= amplitude; ++v) {
    if (v != 0) values.push_back(SmallInteger(geometry.type, v));
  }
  return values;
}

void FillIntegers(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  Fill(geometry.type, bytes,
       [&values, stream, count = values.size()](std::uint64_t i) { return values[Pick(stream.Draw(i), count)]; });
}

// Full significands with two neighbouring exponents.
void FillReals(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  // Each operand is scaled by 1/sqrt(taps), so that a sum of all taps stays near 1, also in f16.
  const int high = -(CeilLog2(TapsOf(geometry)) / 2);
  Fill(geometry.type, bytes, [make, stream, high](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    return make.Normal((draw >> 63) != 0, high - static_cast<int>((draw >> 62) & 1), draw);
  });
}

// Exponents from most of the range of a floating type; any bits of an integer type.
void FillWide(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  if (oracle::IsInteger(geometry.type)) {
    return Fill(geometry.type, bytes, [stream](std::uint64_t i) { return stream.Draw(i); });
  }
  const FloatMaker make(geometry.type);
  // Exponents up to `high`: no sum of all taps overflows. Exponents from `low` on: products stay in the normal range.
  const int high = FloorHalf(make.format().max_exponent - 1 - CeilLog2(TapsOf(geometry))) - 1;
  const int low = std::min(make.format().min_exponent / 2, high);
  const auto count = static_cast<std::uint64_t>(high - low) + 1;
  Fill(geometry.type, bytes, [make, stream, low, count](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    const int exponent = low + static_cast<int>(Pick(Mix(draw + kGolden), count));
    return make.Normal((draw >> 63) != 0, exponent, draw);
  });
}

void FillCancellation(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const FilterIndices indices(geometry);
  const int exponent = -(CeilLog2(TapsOf(geometry)) / 2);
  // All magnitudes have the same upper half of the significand, and half of the filter is negative. In a sum the upper
  // halves cancel, and only the lower halves remain.
  const std::uint64_t low_half = (std::uint64_t{1} << ((make.fraction_bits() + 1) / 2)) - 1;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    return make.Normal(tensor == Tensor::kFilter && indices.Alternates(i), exponent, stream.Draw(i) & low_half);
  });
}

void FillSubnormals(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const int middle = make.format().min_exponent / 2;
  Fill(geometry.type, bytes, [make, stream, middle, tensor](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    const std::uint64_t second_draw = Mix(draw + kGolden);
    const bool negative = (draw >> 63) != 0;
    const std::uint64_t kind = Pick(second_draw, 8);
    // One data element in four and one filter element in eight are subnormal. A quarter of the filter is near 1, so
    // that its products with subnormal data are subnormal. Other products lie on both sides of the smallest normal
    // number.
    if (kind == 0 || (kind == 1 && tensor == Tensor::kData)) return make.Subnormal(negative, draw);
    if (tensor == Tensor::kFilter && kind <= 2)
      return make.Normal(negative, static_cast<int>(second_draw % 3) - 1, draw);
    // Exponents around half of the least one: products have the exponents min_exponent - 10 to min_exponent + 5.
    return make.Normal(negative, middle - 5 + static_cast<int>(second_draw % 8), draw);
  });
}

void FillSpecials(const Stream& stream, const Geometry& geometry, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  const std::uint64_t count = bytes.size() / oracle::ElementBytes(geometry.type);
  if (count == 0) return;
  // One element in `period` is NaN or infinity, and at least one in all. With 4 * taps elements between them, finite
  // outputs remain. 11 keeps them few if an output has only one or two taps.
  const std::uint64_t period = std::min(count, std::max<std::uint64_t>(4 * TapsOf(geometry), 11));
  const std::uint64_t first_special = stream.key % period;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    if (i % period != first_special) return values[Pick(draw, values.size())];
    const std::uint64_t kind = Pick(draw, 3);
    return kind == 0 ? make.Nan() : make.Infinity(kind == 1);
  });
}

// All products of the lower half of the input channels are positive, those of the upper half negative. So a partial sum
// grows beyond the range of the type, and the rest of the sum brings it back. The difference of the two halves grows
// with sqrt(taps). So the magnitudes are divided by sqrt(taps), and about half of the sums are in the range.
void FillOverflow(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FloatMaker make(geometry.type);
  const FilterIndices indices(geometry);
  const int middle = make.format().max_exponent / 2 - 1;
  const int lowered = middle - CeilLog2(TapsOf(geometry)) / 2;
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    const std::uint64_t second_draw = Mix(draw + kGolden);
    if (tensor == Tensor::kData) return make.Normal(false, lowered + static_cast<int>(second_draw % 2), draw);
    return make.Normal(indices.InUpperHalf(i), middle + 1 - static_cast<int>(second_draw % 3), draw);
  });
}

// Zeros in one tensor and infinities in the other: 0 * Inf is NaN, so that a backend that skips zeros is found.
void FillZeros(const Stream& stream, std::uint64_t seed, const Geometry& geometry, Tensor tensor,
               std::span<std::byte> bytes) {
  const Tensor with_zeros = seed % 2 == 0 ? Tensor::kData : Tensor::kFilter;
  const FloatMaker make(geometry.type);
  const std::vector<std::uint64_t> values = IntegerValues(geometry);
  const std::uint64_t taps = TapsOf(geometry);
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const std::uint64_t draw = stream.Draw(i);
    const std::uint64_t second_draw = Mix(draw + kGolden);
    const bool negative = (draw & 1) != 0;
    // Half of the elements of one tensor are zeros. In the other tensor about one element in `taps` is infinite. An
    // output sums `taps` products, so that some outputs have no infinite operand.
    if (tensor == with_zeros && Pick(second_draw, 2) == 0) return make.Zero(negative);
    if (tensor != with_zeros && Pick(second_draw, std::max<std::uint64_t>(taps, 3)) == 0)
      return make.Infinity(negative);
    return values[Pick(draw, values.size())];
  });
}

void FillExtremes(const Stream& stream, ElementType type, std::span<std::byte> bytes) {
  const int bits = static_cast<int>(oracle::ElementBytes(type)) * 8;
  const std::uint64_t lowest = oracle::IsSigned(type) ? std::uint64_t{1} << (bits - 1) : 0;
  // `lowest - 1` wraps to the highest number of the type, `lowest - 2` to the number below it.
  const std::array<std::uint64_t, 6> values = {lowest, lowest - 1, lowest + 1, lowest - 2, 1, ~std::uint64_t{0}};
  Fill(type, bytes, [&values, stream](std::uint64_t i) { return values[Pick(stream.Draw(i), values.size())]; });
}

// Powers of two, chosen such that no two products are equal: see TapsFit.
void FillTaps(const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const auto step = tensor == Tensor::kData ? static_cast<std::uint64_t>(geometry.FilterCount()) : 1;
  const oracle::ElementType type = geometry.type;
  Fill(type, bytes, [step, type](std::uint64_t i) {
    const std::uint64_t exponent = step * i;
    return oracle::IsFloat(type) ? FloatMaker(type).Normal(false, static_cast<int>(exponent), 0)
                                 : std::uint64_t{1} << exponent;
  });
}

// Exponents of the large terms. Beside 2^12 a sum in f16 (11 bits) cannot hold 1 or 3, nor one in f32 (24) beside 2^25.
std::vector<int> SwampingExponents(ElementType type) {
  constexpr int past_f32 = 25;
  constexpr int past_f16 = 12;
  switch (type) {
    case ElementType::kF64:
      return {past_f32};
    case ElementType::kF16:
      return {past_f16};  // 2^25 is beyond its range
    default:
      return {past_f16, past_f32};
  }
}

// All data are 1, so that the filter's elements are the terms of the sums. Two terms are large: 2^k and -2^k. An
// accumulator that is too narrow loses the small terms s that it adds between the large terms. Each output channel has
// the two large terms at another pair of positions, because a backend may add in any order. Example with 4 terms:
// "2^k -2^k s s", then "s 2^k -2^k s", and so on.
void FillSwamping(const Stream& stream, const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  const FilterIndices indices(geometry);
  const std::uint64_t terms = indices.terms();
  const std::vector<int> exponents = SwampingExponents(geometry.type);
  const FloatMaker make(geometry.type);
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    if (tensor == Tensor::kData) return SmallInteger(geometry.type, 1);
    const std::uint64_t small = SmallInteger(geometry.type, 1 + 2 * static_cast<std::int64_t>(stream.Draw(i) >> 63));
    if (terms < 3) return small;
    const FilterIndex index = indices.Split(i);
    const std::uint64_t pairs = terms * (terms - 1);  // pairs of two different positions
    const std::uint64_t pair = index.out_channel % pairs;
    const std::uint64_t positive = pair % terms;
    const std::uint64_t negative = (positive + 1 + pair / terms) % terms;
    const std::uint64_t term = indices.Term(index);
    if (term != positive && term != negative) return small;
    return make.Normal(term == negative, exponents[index.out_channel / pairs % exponents.size()], 0);
  });
}

// Each output channel has one sum of BoundarySums. Two or three input channels hold its terms; all other channels are
// zero. All taps of a channel are equal. So an output with one tap is a sum of the table, multiplied by the value of
// the data element.
void FillBoundaries(const Geometry& geometry, Tensor tensor, std::span<std::byte> bytes) {
  if (tensor == Tensor::kData) {
    const auto factors = BoundaryFactors(geometry.type);
    const bool channels_last = geometry.layout == oracle::DataLayout::kNxc;
    const auto step = static_cast<std::uint64_t>(channels_last ? geometry.groups * geometry.in_channels : 1);
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.axes.back().data, 1));
    // i / step % length is the position along the last axis.
    return Fill(geometry.type, bytes, [&](std::uint64_t i) { return factors[i / step % length % factors.size()]; });
  }
  const FilterIndices indices(geometry);
  const auto sums = BoundarySums(geometry.type);
  const auto in = static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.in_channels, 1));
  Fill(geometry.type, bytes, [&](std::uint64_t i) {
    const FilterIndex index = indices.Split(i);
    const BoundarySum& sum = sums[index.out_channel % sums.size()];
    const std::uint64_t first = index.out_channel / sums.size() % in;
    if (index.in_channel == first) return sum.first;
    if (index.in_channel == (first + 1) % in) return sum.second;
    return index.in_channel == (first + 2) % in ? sum.third : std::uint64_t{0};
  });
}

}  // namespace

std::string_view DataSetName(DataSet set) { return NameOf(kDataSetNames, set); }

std::optional<DataSet> ParseDataSet(std::string_view name) { return FindNamed(kDataSetNames, name); }

bool IsDefinedFor(DataSet set, oracle::ElementType type) {
  if (set == DataSet::kIntegers || set == DataSet::kWide || set == DataSet::kTaps) return true;
  return (set == DataSet::kExtremes) != oracle::IsFloat(type);
}

// The product of data element i and filter element k is 2^(i * filter_count + k). These are the powers 2^0 to
// 2^(data_count * filter_count - 1), and no two products of a sum are equal. So the bits of a sum name its products.
// Example with 3 data and 2 filter elements: the sum 9 = 2^0 + 2^3 has the products (i, k) = (0, 0) and (1, 1).
bool TapsFit(std::int64_t data_count, std::int64_t filter_count, oracle::ElementType type) {
  const int bits = ExactBits(type);
  return data_count <= bits && filter_count <= bits && data_count * filter_count <= bits;
}

void FillTensor(DataSet set, std::uint64_t seed, const oracle::Geometry& geometry, Tensor tensor,
                std::span<std::byte> bytes) {
  const Stream stream(seed, tensor);
  const bool fits = set != DataSet::kTaps || TapsFit(geometry.DataCount(), geometry.FilterCount(), geometry.type);
  if (!IsDefinedFor(set, geometry.type) || !fits) set = DataSet::kIntegers;
  switch (set) {
    case DataSet::kIntegers:
      return FillIntegers(stream, geometry, bytes);
    case DataSet::kReals:
      return FillReals(stream, geometry, bytes);
    case DataSet::kWide:
      return FillWide(stream, geometry, bytes);
    case DataSet::kCancellation:
      return FillCancellation(stream, geometry, tensor, bytes);
    case DataSet::kSubnormals:
      return FillSubnormals(stream, geometry, tensor, bytes);
    case DataSet::kSpecials:
      return FillSpecials(stream, geometry, bytes);
    case DataSet::kOverflow:
      return FillOverflow(stream, geometry, tensor, bytes);
    case DataSet::kZeros:
      return FillZeros(stream, seed, geometry, tensor, bytes);
    case DataSet::kExtremes:
      return FillExtremes(stream, geometry.type, bytes);
    case DataSet::kTaps:
      return FillTaps(geometry, tensor, bytes);
    case DataSet::kSwamping:
      return FillSwamping(stream, geometry, tensor, bytes);
    case DataSet::kBoundaries:
      return FillBoundaries(geometry, tensor, bytes);
  }
}

}  // namespace conformance
