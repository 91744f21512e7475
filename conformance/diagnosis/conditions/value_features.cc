// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of a case's values, about which conditions make statements: of its tensors, its products, and
// its exact sums.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "conformance/case/given_values.h"
#include "conformance/diagnosis/conditions/axis_taps.h"
#include "conformance/diagnosis/conditions/feature.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;

// Cases with more products get no features of values, because the features of thousands of cases are computed.
constexpr double kMostProductsOfValues = 60'000;

enum ValueFeature : std::size_t {
  kTerms,
  kGaps,
  kNanOperand,
  kInfiniteData,
  kInfiniteFilter,
  kZeroData,
  kZeroFilter,
  kZeroByInfinity,
  kOperandBits,
  kLargestOperand,
  kSmallestOperand,
  kSubnormalOperand,
  kDataBits,
  kFilterBits,
  kLargestProduct,
  kSmallestProduct,
  kLargestPartial,
  kLargestSum,
  kSmallestSum,
  kSumBits,
  kMagnitudeBits,
  kRoundedSum,
  kTie,
  kNanOutput,
  kInfiniteOutput,
  kOverflow,
  kNearOverflow,
  kLargestFinite,
  kSubnormalOutput,
  kRoundedSubnormal,
  kSmallestSubnormal,
  kIntegerOverflow,
  kTermsOfRounded,
  kRoundedAway,
  kTieTowardZero,
  kTieDown,
  kAnything,
  kSharp,
  kNearTie,
  kExactSubnormal,
  kExactSmallest,
  kInfinityOfOperand,
  kCount,
};

const std::array<Feature, kCount>& Table() {
  static const std::array<Feature, kCount> kTable = [] {
    std::array<Feature, kCount> table;
    const auto set = [&](ValueFeature at, const char* name, FeatureKind kind, double cost) {
      table[at] = {.name = name, .kind = kind, .cost = cost, .of_values = true};
    };
    set(kTerms, "products of the longest sum", FeatureKind::kNumber, 1.05);
    set(kGaps, "an output has no products", FeatureKind::kFlag, 1.05);
    set(kNanOperand, "an operand is NaN", FeatureKind::kFlag, 1.05);
    set(kInfiniteData, "the data hold an infinity", FeatureKind::kFlag, 1.06);
    set(kInfiniteFilter, "the filter holds an infinity", FeatureKind::kFlag, 1.06);
    set(kZeroData, "the data hold a zero", FeatureKind::kFlag, 1.08);
    set(kZeroFilter, "the filter holds a zero", FeatureKind::kFlag, 1.08);
    set(kZeroByInfinity, "a product is of zero and infinity", FeatureKind::kFlag, 1.05);
    set(kOperandBits, "significant bits of an operand", FeatureKind::kNumber, 1.06);
    set(kLargestOperand, "exponent of the largest operand", FeatureKind::kNumber, 1.08);
    set(kSmallestOperand, "exponent of the smallest operand", FeatureKind::kNumber, 1.08);
    set(kSubnormalOperand, "an operand is subnormal", FeatureKind::kFlag, 1.05);
    set(kDataBits, "bits of the largest data element in a product", FeatureKind::kNumber, 1.065);
    set(kFilterBits, "bits of the largest filter element in a product", FeatureKind::kNumber, 1.065);
    set(kLargestProduct, "bits of the largest product", FeatureKind::kNumber, 1.08);
    set(kSmallestProduct, "exponent of the smallest product", FeatureKind::kNumber, 1.08);
    set(kLargestPartial, "bits of the largest partial sum", FeatureKind::kNumber, 1.07);
    set(kLargestSum, "bits of the largest sum", FeatureKind::kNumber, 1.06);
    set(kSmallestSum, "exponent of the smallest sum", FeatureKind::kNumber, 1.08);
    set(kSumBits, "significant bits of a sum", FeatureKind::kNumber, 1.06);
    set(kMagnitudeBits, "significant bits of a sum of magnitudes", FeatureKind::kNumber, 1.07);
    set(kRoundedSum, "a sum must be rounded", FeatureKind::kFlag, 1.04);
    set(kTie, "a sum lies half way between two numbers", FeatureKind::kFlag, 1.04);
    set(kNanOutput, "an output is NaN", FeatureKind::kFlag, 1.05);
    set(kInfiniteOutput, "an output is infinite", FeatureKind::kFlag, 1.05);
    set(kOverflow, "a finite sum rounds to infinity", FeatureKind::kFlag, 1.04);
    set(kNearOverflow, "a sum beyond the largest number rounds to it", FeatureKind::kFlag, 1.04);
    set(kLargestFinite, "an output is the largest finite number", FeatureKind::kFlag, 1.05);
    set(kSubnormalOutput, "an output is subnormal", FeatureKind::kFlag, 1.05);
    set(kRoundedSubnormal, "a subnormal output must be rounded", FeatureKind::kFlag, 1.05);
    set(kSmallestSubnormal, "an output is the smallest subnormal number", FeatureKind::kFlag, 1.05);
    set(kIntegerOverflow, "a sum lies beyond the type's range", FeatureKind::kFlag, 1.04);
    set(kRoundedAway, "a sum is rounded away from zero", FeatureKind::kFlag, 1.04);
    set(kTieTowardZero, "a sum half way between two numbers is rounded toward zero", FeatureKind::kFlag, 1.05);
    set(kTieDown, "a sum half way between two numbers is rounded down", FeatureKind::kFlag, 1.05);
    set(kAnything, "on an output the magnitudes overflow, so that any value is right", FeatureKind::kFlag, 1.1);
    set(kSharp, "a sum is exact in f32", FeatureKind::kFlag, 1.1);
    set(kNearTie, "bits that tell a sum from half way between two numbers", FeatureKind::kNumber, 1.07);
    set(kExactSubnormal, "a subnormal output needs no rounding", FeatureKind::kFlag, 1.06);
    set(kExactSmallest, "an output that needs no rounding is the smallest subnormal number", FeatureKind::kFlag, 1.06);
    set(kInfinityOfOperand, "an infinite operand makes an output infinite", FeatureKind::kFlag, 1.04);
    set(kTermsOfRounded, "products of the longest sum that must be rounded", FeatureKind::kNumber, 1.09);
    return table;
  }();
  return kTable;
}

/// The elements as double. Integers are exact up to 2^53, which is enough to compare sizes.
std::vector<double> NumbersOf(std::span<const std::byte> bytes, ElementType type) {
  const std::size_t element = oracle::ElementBytes(type);
  std::vector<double> numbers(bytes.size() / element);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t bits = ElementBits(bytes, static_cast<std::int64_t>(i), element);
    if (oracle::IsFloat(type)) {
      numbers[i] = oracle::FloatValue(bits, type);
    } else if (oracle::IsSigned(type)) {
      const auto unused = static_cast<int>(64 - 8 * element);
      numbers[i] = static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    } else {
      numbers[i] = static_cast<double>(bits);
    }
  }
  return numbers;
}

/// The number of bits of an integer's magnitude: one more than the exponent. 0 for 0 and for numbers that are not
/// finite.
std::int64_t BitsOf(double number) { return number == 0 || !std::isfinite(number) ? 0 : std::ilogb(number) + 1; }

/// The number of bits of an integer's magnitude without the zeros at its end; 0 for 0.
std::int64_t SignificantBitsOf(double number) {
  const auto magnitude = static_cast<std::uint64_t>(std::abs(number));
  return magnitude == 0 ? 0 : 64 - std::countl_zero(magnitude) - std::countr_zero(magnitude);
}

struct ValueNumbers {
  std::array<std::int64_t, kCount> at;
  void Raise(ValueFeature feature, std::int64_t value) { at[feature] = std::max(at[feature], value); }
  void Lower(ValueFeature feature, std::int64_t value) {
    at[feature] = at[feature] == kNoValue ? value : std::min(at[feature], value);
  }
  void Set(ValueFeature feature, bool value) { at[feature] = std::max<std::int64_t>(at[feature], value ? 1 : 0); }
};

void ObserveOperands(std::span<const double> numbers, std::span<const std::byte> bytes, ElementType type, bool data,
                     ValueNumbers& features) {
  const std::size_t element = oracle::ElementBytes(type);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i];
    features.Set(data ? kZeroData : kZeroFilter, number == 0);
    features.Set(kNanOperand, std::isnan(number));
    features.Set(data ? kInfiniteData : kInfiniteFilter, std::isinf(number));
    if (number == 0 || !std::isfinite(number)) continue;
    features.Raise(kLargestOperand, std::ilogb(number));
    features.Lower(kSmallestOperand, std::ilogb(number));
    if (!oracle::IsFloat(type)) {
      features.Raise(kOperandBits, BitsOf(number));
      continue;
    }
    const auto parts = oracle::DecodeFloat(ElementBits(bytes, static_cast<std::int64_t>(i), element), type);
    features.Set(kSubnormalOperand, parts.subnormal);
    features.Raise(kOperandBits, 64 - std::countl_zero(parts.significand) - std::countr_zero(parts.significand));
  }
}

/// Walks the products of every output in the order of the formula: channels, then taps.
class Products {
 public:
  Products(const oracle::Geometry& geometry, std::span<const double> data, std::span<const double> filter)
      : geometry_(geometry), data_(data), filter_(filter) {}

  void Observe(ValueNumbers& features) {
    const oracle::Dims dims = geometry_.OutputDims();
    for (std::int64_t flat = 0; flat < geometry_.OutputCount(); ++flat)
      ObserveOutput(CoordinateOf(flat, dims), features);
  }

 private:
  void ObserveOutput(const oracle::Dims& coordinate, ValueNumbers& features) {
    const bool nxc = geometry_.layout == oracle::DataLayout::kNxc;
    const std::size_t n = geometry_.axes.size();
    const std::int64_t channel = nxc ? coordinate[n + 1] : coordinate[1];
    const std::int64_t group = channel / geometry_.out_channels;
    const std::int64_t out = channel % geometry_.out_channels;
    contributions_.clear();
    AddContributions(coordinate, 0, 0, 0);
    double sum = 0;
    double largest_data = 0;
    double largest_filter = 0;
    for (std::int64_t in = 0; in < geometry_.in_channels; ++in) {
      for (const auto& [position, tap] : contributions_) {
        const double data = data_[DataAt(coordinate[0], group * geometry_.in_channels + in, position)];
        const double filter = filter_[FilterAt(group, in, out, tap)];
        const double product = data * filter;
        features.Set(kZeroByInfinity, (data == 0 && std::isinf(filter)) || (std::isinf(data) && filter == 0));
        if (product == 0 || !std::isfinite(product)) continue;
        features.Raise(kLargestProduct, BitsOf(product));
        features.Lower(kSmallestProduct, std::ilogb(product));
        largest_data = std::max(largest_data, std::abs(data));
        largest_filter = std::max(largest_filter, std::abs(filter));
        sum += product;
        features.Raise(kLargestPartial, BitsOf(sum));
      }
    }
    if (largest_data == 0) return;
    // Larger sums are no longer exact here. Those of floating types are observed exactly in ObserveSum.
    constexpr double kLargestExact = 0x1p53;
    if (!oracle::IsFloat(geometry_.type) && std::abs(sum) < kLargestExact) {
      features.Raise(kSumBits, SignificantBitsOf(sum));
    }
    features.Raise(kDataBits, BitsOf(largest_data));
    features.Raise(kFilterBits, BitsOf(largest_filter));
  }
  /// Collects the pairs of data position and tap that contribute to an output.
  void AddContributions(const oracle::Dims& coordinate, std::size_t j, std::int64_t position, std::int64_t tap) {
    if (j == geometry_.axes.size()) {
      contributions_.emplace_back(position, tap);
      return;
    }
    const oracle::Axis& axis = geometry_.axes[j];
    const std::size_t at = (geometry_.layout == oracle::DataLayout::kNxc ? 1 : 2) + j;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t data = DataElementAt(axis, coordinate[at], k);
      if (data >= 0) AddContributions(coordinate, j + 1, position * axis.data + data, tap * axis.kernel + k);
    }
  }
  std::size_t DataAt(std::int64_t batch, std::int64_t channel, std::int64_t position) const {
    std::int64_t plane = 1;
    for (const oracle::Axis& axis : geometry_.axes) plane *= axis.data;
    const std::int64_t channels = geometry_.groups * geometry_.in_channels;
    return static_cast<std::size_t>(geometry_.layout == oracle::DataLayout::kNxc
                                        ? (batch * plane + position) * channels + channel
                                        : (batch * channels + channel) * plane + position);
  }
  std::size_t FilterAt(std::int64_t group, std::int64_t in, std::int64_t out, std::int64_t tap) const {
    std::int64_t window = 1;
    for (const oracle::Axis& axis : geometry_.axes) window *= axis.kernel;
    const std::int64_t all_in = geometry_.groups * geometry_.in_channels;
    const std::int64_t input = group * geometry_.in_channels + in;
    return static_cast<std::size_t>(geometry_.filter_layout == oracle::FilterLayout::kXoi
                                        ? (tap * geometry_.out_channels + out) * all_in + input
                                        : (input * geometry_.out_channels + out) * window + tap);
  }

  const oracle::Geometry& geometry_;
  std::span<const double> data_;
  std::span<const double> filter_;
  std::vector<std::pair<std::int64_t, std::int64_t>> contributions_;
};

void ObserveSum(const oracle::FloatSum& sum, ElementType type, ValueNumbers& features) {
  features.Raise(kTerms, sum.taps);
  features.Set(kGaps, sum.taps == 0);
  if (sum.taps == 0) return;
  const double rounded = oracle::FloatValue(sum.bits, type);
  features.Set(kNanOutput, std::isnan(rounded));
  features.Set(kInfiniteOutput, std::isinf(rounded));
  // Near the largest number a backend may compute otherwise, but not with an infinite operand.
  features.Set(kInfinityOfOperand, std::isinf(rounded) && sum.special != oracle::Special::kNone);
  if (sum.special != oracle::Special::kNone) return;
  const oracle::FloatFormat format = oracle::FormatOf(type);
  if (sum.sum != 0) {
    features.Raise(kLargestSum, BitsOf(sum.sum));
    features.Lower(kSmallestSum, std::isfinite(sum.sum) ? std::ilogb(sum.sum) : format.max_exponent);
  }
  if (sum.quantum > 0) {
    if (sum.sum != 0 && std::isfinite(sum.sum)) {
      features.Raise(kSumBits, std::ilogb(sum.sum) - std::ilogb(sum.quantum) + 1);
    }
    if (std::isfinite(sum.magnitude)) {
      features.Raise(kMagnitudeBits, std::ilogb(sum.magnitude) - std::ilogb(sum.quantum) + 1);
    }
  }
  const double threshold = std::ldexp(1.0, type == ElementType::kF64 ? 1023 : 127);
  features.Set(kAnything, sum.magnitude >= threshold);
  if (sum.quantum > 0 && std::isfinite(sum.magnitude)) {
    // A backend may round such a sum before the last addition. So whether the exact value is a tie decides nothing.
    const int precision = type == ElementType::kF64 ? 53 : 24;
    if (std::ilogb(sum.magnitude) - std::ilogb(sum.quantum) + 1 > precision) return;
  }
  features.Set(kSharp, true);
  features.Set(kOverflow, std::isinf(rounded));
  if (std::isinf(rounded)) return;
  const double largest = std::ldexp(2 - std::ldexp(1.0, 1 - format.precision), format.max_exponent - 1);
  features.Set(kLargestFinite, std::abs(rounded) == largest);
  features.Set(kNearOverflow, std::abs(rounded) == largest && std::abs(sum.sum) > largest);
  const double off = (sum.sum - rounded) + sum.sum_rest;
  features.Set(kRoundedSum, off != 0);
  if (off != 0) features.Raise(kTermsOfRounded, sum.taps);
  const bool away =
      std::abs(rounded) > std::abs(sum.sum) || (rounded == sum.sum && off != 0 && (off < 0) == (rounded > 0));
  features.Set(kRoundedAway, off != 0 && away);
  const int exponent = rounded == 0 ? format.min_exponent : std::max(std::ilogb(rounded), format.min_exponent);
  const double unit = std::ldexp(1.0, exponent - format.precision + 1);
  // Just below a power of two numbers lie half as far apart as above it, except below the smallest normal number. The
  // test multiplies by 2 and 4, because a quarter of the smallest unit of f64 is no f64.
  const bool below_power = away && exponent > format.min_exponent && std::abs(rounded) == std::ldexp(1.0, exponent);
  const bool tie = off != 0 && (2 * std::abs(off) == unit || (below_power && 4 * std::abs(off) == unit));
  features.Set(kTie, tie);
  features.Set(kTieTowardZero, tie && !away);
  features.Set(kTieDown, tie && off > 0);
  if (const double beside = std::abs(std::abs(off) - unit / 2); off != 0 && beside > 0) {
    features.Raise(kNearTie, std::ilogb(unit) - std::ilogb(beside));
  }
  const double normal = std::ldexp(1.0, format.min_exponent);
  features.Set(kSubnormalOutput, rounded != 0 && std::abs(rounded) < normal);
  features.Set(kRoundedSubnormal, off != 0 && std::abs(sum.sum) < normal);
  const bool smallest = std::abs(rounded) == std::ldexp(1.0, format.min_exponent - format.precision + 1);
  features.Set(kSmallestSubnormal, smallest);
  features.Set(kExactSubnormal, off == 0 && rounded != 0 && std::abs(rounded) < normal);
  features.Set(kExactSmallest, off == 0 && smallest);
}

}  // namespace

std::span<const Feature> ValueFeatures() { return Table(); }

void AddValueFeatures(const Case& test_case, FeatureRow& row) {
  if (row.has_values) return;
  if (!row.valid() || row.products > kMostProductsOfValues) return;
  const oracle::Geometry& geometry = *row.geometry;
  if (geometry.OutputCount() > static_cast<std::int64_t>(kMostProductsOfValues) ||
      geometry.DataCount() + geometry.FilterCount() > static_cast<std::int64_t>(kMostProductsOfValues)) {
    return;
  }
  const std::size_t element = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element);
  if (!FillOperands(test_case, geometry, data, filter).empty()) return;
  ValueNumbers features;
  for (std::size_t f = 0; f < kCount; ++f) features.at[f] = Table()[f].kind == FeatureKind::kFlag ? 0 : kNoValue;
  const std::vector<double> data_numbers = NumbersOf(data, geometry.type);
  const std::vector<double> filter_numbers = NumbersOf(filter, geometry.type);
  ObserveOperands(data_numbers, data, geometry.type, true, features);
  ObserveOperands(filter_numbers, filter, geometry.type, false, features);
  Products(geometry, data_numbers, filter_numbers).Observe(features);
  Expected expected(oracle::Operands(geometry, data, filter));
  if (geometry.OutputCount() > 0 && oracle::IsFloat(geometry.type)) {
    for (const oracle::FloatSum& sum : expected.Sums<oracle::FloatSum>({0, geometry.OutputCount()})) {
      ObserveSum(sum, geometry.type, features);
    }
  } else if (geometry.OutputCount() > 0) {
    for (const oracle::IntegerSum& sum : expected.Sums<oracle::IntegerSum>({0, geometry.OutputCount()})) {
      features.Raise(kTerms, sum.taps);
      features.Set(kGaps, sum.taps == 0);
      features.Set(kIntegerOverflow, sum.wrapped != sum.saturated);
    }
  }
  row.has_values = true;
  const std::size_t from = Features().whole.size() - kCount;
  std::ranges::copy(features.at, row.whole.begin() + static_cast<std::ptrdiff_t>(from));
}

}  // namespace conformance
