// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges f64 and integer outputs of a backend that declares to compute them in f32. Rounds the operands to f32, asks
// the oracle for their exact sums, and applies the error bound of f32 sums to outputs of their own type.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/verdict/declared_arithmetic.h"
#include "oracle/float_bits.h"
#include "oracle/operands.h"
#include "oracle/wide_integer.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// The elements of a tensor, rounded to f32. The oracle keeps a tensor as raw bits if it has NaN or infinities, else as
/// integers times a power of two.
std::vector<std::byte> RoundedToF32(const oracle::DecodedTensor& tensor, ElementType type) {
  const bool is_raw = !tensor.raw.empty();
  const std::size_t bytes = oracle::ElementBytes(type);
  const std::size_t count = is_raw ? tensor.raw.size() / bytes : tensor.values.size();
  std::vector<std::byte> rounded(count * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    if (is_raw) {
      value = static_cast<float>(oracle::FloatValue(oracle::LoadBits(tensor.raw.data() + i * bytes, bytes), type));
    } else if (oracle::IsFloat(type)) {
      value = static_cast<float>(std::ldexp(static_cast<double>(tensor.values[i]), tensor.exponent));
    } else if (oracle::IsSigned(type)) {
      value = static_cast<float>(tensor.values[i]);
    } else {
      value = static_cast<float>(static_cast<std::uint64_t>(tensor.values[i]));
    }
    std::memcpy(rounded.data() + i * sizeof value, &value, sizeof value);
  }
  return rounded;
}

oracle::Operands OperandsInF32(const oracle::Operands& operands) {
  oracle::Geometry geometry = operands.geometry();
  const ElementType type = geometry.type;
  geometry.type = ElementType::kF32;
  return {geometry, RoundedToF32(operands.decoded().data, type), RoundedToF32(operands.decoded().filter, type)};
}

/// Integers that are computed in f32 have the rounding and the subnormals that the backend declares for f32.
Arithmetic ArithmeticInF32(const Capabilities& declared, ElementType type) {
  return ArithmeticWith(ElementType::kF32, declared, oracle::IsFloat(type) ? type : ElementType::kF32);
}

/// An integer output, and its distance from a sum.
class IntegerOutput {
 public:
  IntegerOutput(ElementType type, std::uint64_t bits) : width_(static_cast<int>(8 * oracle::ElementBytes(type))) {
    is_signed_ = oracle::IsSigned(type);
    const bool negative = is_signed_ && (bits >> (width_ - 1) & 1) != 0;
    value_ = static_cast<oracle::I128>(bits) - (negative ? Modulus() : 0);
  }

  /// Whether the value is the smallest number of the type.
  bool IsLeast() const { return value_ == (is_signed_ ? -Modulus() / 2 : 0); }
  /// Whether the value is the largest number of the type, or the largest f32 number in the type's range.
  bool IsMost() const {
    const oracle::I128 end = is_signed_ ? Modulus() / 2 : Modulus();
    const int bits = is_signed_ ? width_ - 1 : width_;
    constexpr int kPrecision = 24;  // bits of an f32
    return value_ == end - 1 || (bits > kPrecision && value_ == end - (oracle::I128{1} << (bits - kPrecision)));
  }
  /// The integer minus the exact sum, rounded to double.
  double Minus(const oracle::FloatSum& sum) const {
    const auto high = static_cast<double>(value_);
    const auto low = static_cast<double>(value_ - static_cast<oracle::I128>(high));
    return ((high - sum.sum) - sum.sum_rest) + low;
  }
  /// The distance from the sum to the nearest number that is equal to the integer modulo 2^bits, rounded to double.
  double DistanceModulo(const oracle::FloatSum& sum) const {
    // The remainder of a sum of integers is exact, and is below 2^64.
    const double modulus = std::ldexp(1.0, width_);
    oracle::I128 difference = value_ - static_cast<oracle::I128>(std::fmod(sum.sum, modulus)) -
                              static_cast<oracle::I128>(std::fmod(sum.sum_rest, modulus));
    difference %= Modulus();
    const oracle::U128 distance = oracle::Magnitude(difference);
    return static_cast<double>(std::min(distance, static_cast<oracle::U128>(Modulus()) - distance));
  }

 private:
  oracle::I128 Modulus() const { return oracle::I128{1} << width_; }

  int width_;  ///< bits of the type
  bool is_signed_;
  oracle::I128 value_;
};

}  // namespace

InF32::InF32(const oracle::Operands& operands, const Capabilities& declared)
    : type_(operands.geometry().type),
      saturates_(declared.Saturates(type_)),
      arithmetic_(ArithmeticInF32(declared, type_)),
      sums_(OperandsInF32(operands)) {}

bool InF32::AllowsAnything(std::int64_t flat) {
  const oracle::FloatSum& sum = SumAt(flat);
  return sum.taps != 0 && sum.special == oracle::Special::kNone && IsAnything(BoundOf(sum, arithmetic_));
}

bool InF32::IsAnything(const Bound& bound) const {
  if (bound.anything || oracle::IsFloat(type_) || saturates_) return bound.anything;
  return 2 * bound.accumulated >= std::ldexp(1.0, static_cast<int>(8 * oracle::ElementBytes(type_)));
}

OutputJudgement InF32::Judge(std::uint64_t bits, std::int64_t flat) {
  const oracle::FloatSum& sum = SumAt(flat);
  return oracle::IsFloat(type_) ? JudgeOutput(sum, bits, arithmetic_) : JudgeInteger(sum, bits);
}

OutputJudgement InF32::JudgeInteger(const oracle::FloatSum& sum, std::uint64_t bits) const {
  const IntegerOutput got(type_, bits);
  if (sum.taps == 0) {
    if (bits == 0) return {};
    return {.verdict = OutputVerdict::kGapNotZero, .error = std::abs(got.Minus(sum))};
  }
  const Bound bound = BoundOf(sum, arithmetic_);
  if (IsAnything(bound)) return {};
  const double above = got.Minus(sum);
  double error = std::abs(above);
  if (!saturates_) {
    error = got.DistanceModulo(sum);
  } else if ((got.IsMost() && above < 0) || (got.IsLeast() && above > 0)) {
    error = 0;  // the sum lies beyond the type's range
  }
  const double most = bound.accumulated;
  // The factor is kInflation of bound.cc: it makes up for the roundings of this computation.
  if (error > most * (1 + 0x1p-48)) return {OutputVerdict::kWrongValue, error, most};
  return {.error = error, .bound = most, .ratio = most == 0 ? 0 : std::min(error / most, 1.0)};
}

}  // namespace conformance
