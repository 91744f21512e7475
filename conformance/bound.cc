// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// E + R + U of conformance/bound.md. Everything here is computed in double; `kInflation` makes up for those roundings,
// so that a correct result never fails.

#include "conformance/bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::FloatFormat;

// A dozen operations in double at 2^-53 each, with room to spare.
constexpr double kInflation = 1 + 0x1p-48;

double SmallestNormal(const FloatFormat& format) { return std::ldexp(1.0, format.min_exponent); }

/// Half of the smallest subnormal, as far as double has it.
double HalfSmallestSubnormal(const FloatFormat& format) {
  // 2^-1075 is no double: the smallest one is an upper bound.
  return std::max(std::ldexp(1.0, format.min_exponent - format.precision), std::numeric_limits<double>::denorm_min());
}

/// From here on, rounding to nearest gives infinity: 2^max * (1 - 2^-(p+1)). As a double it is infinite for f64.
double OverflowThreshold(const FloatFormat& format) {
  return std::ldexp(1 - std::ldexp(1.0, -format.precision - 1), format.max_exponent);
}

double LargestFinite(const FloatFormat& format) {
  return std::ldexp(1 - std::ldexp(1.0, -format.precision), format.max_exponent);
}

}  // namespace

Arithmetic ArithmeticOf(const Capabilities& declared, ElementType type) {
  Arithmetic arithmetic;
  arithmetic.type = type;
  arithmetic.output = oracle::FormatOf(type);
  ElementType accumulator = ElementType::kF32;
  if (declared.accumulator == DECONV_ACCUMULATOR_F64 || type == ElementType::kF64) accumulator = ElementType::kF64;
  if (declared.accumulator == DECONV_ACCUMULATOR_STORAGE) accumulator = type;
  arithmetic.accumulator = oracle::FormatOf(accumulator);
  arithmetic.output_rounds = accumulator != type;
  arithmetic.faithful = declared.faithful_rounding;
  const double factor = arithmetic.faithful ? 2 : 1;
  arithmetic.accumulator_roundoff = factor * std::ldexp(1.0, -arithmetic.accumulator.precision);
  arithmetic.output_roundoff = factor * std::ldexp(1.0, -arithmetic.output.precision);
  arithmetic.flushes = declared.subnormals == DECONV_SUBNORMALS_FLUSHED;
  return arithmetic;
}

Bound BoundOf(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  Bound bound;
  const auto n = static_cast<double>(sum.taps);
  const double factor = arithmetic.faithful ? 2 : 1;
  const FloatFormat& accumulator = arithmetic.accumulator;
  // Rounded to nearest, errors do not compound (bound.md); rounded faithfully, they may.
  const double roundings = arithmetic.faithful
                               ? std::expm1(n * std::log1p(arithmetic.accumulator_roundoff)) * kInflation
                               : n * arithmetic.accumulator_roundoff;
  const double overflow = arithmetic.faithful ? LargestFinite(accumulator) : OverflowThreshold(accumulator);
  // Partial sums may exceed B by their own rounding errors.
  if (!(sum.magnitude * (1 + roundings) * kInflation < overflow)) {
    bound.anything = true;
    return bound;
  }
  const double smallest = arithmetic.flushes ? SmallestNormal(accumulator) : 2 * HalfSmallestSubnormal(accumulator);
  const bool flushed_operands = arithmetic.flushes && sum.subnormal != 0;
  bound.exact = sum.magnitude == 0 || (sum.quantum >= smallest && !flushed_operands &&
                                       sum.magnitude <= std::ldexp(sum.quantum, accumulator.precision));
  if (!bound.exact) {
    const double underflow = arithmetic.flushes ? sum.subnormal + 2 * n * SmallestNormal(accumulator)
                                                : factor * n * HalfSmallestSubnormal(accumulator);
    bound.accumulated = (roundings * sum.magnitude + underflow) * kInflation;
  }
  bound.error = bound.accumulated;
  if (arithmetic.output_rounds) {
    const double expected = FloatValue(sum.bits, arithmetic.type);
    const bool representable = bound.exact && sum.sum_rest == 0 && expected == sum.sum;
    // Only a sum that may lie below the smallest normal number can be flushed, and an exact zero cannot lose anything.
    const bool flushable = arithmetic.flushes && !(bound.exact && sum.sum == 0) &&
                           std::abs(sum.sum) - bound.accumulated < SmallestNormal(arithmetic.output);
    if (!representable || flushable) {
      const double underflow =
          flushable ? SmallestNormal(arithmetic.output) : factor * HalfSmallestSubnormal(arithmetic.output);
      const double rounding = arithmetic.output_roundoff * (std::abs(sum.sum) + bound.accumulated) + underflow;
      bound.error = (bound.accumulated + rounding) * kInflation;
    }
  }
  return bound;
}

OutputJudgement JudgeOutput(const oracle::FloatSum& sum, std::uint64_t bits, const Arithmetic& arithmetic) {
  if (sum.taps == 0) return {bits == 0 ? OutputVerdict::kRight : OutputVerdict::kGapNotZero, 0, 0};
  const double got = FloatValue(bits, arithmetic.type);
  if (sum.special != oracle::Special::kNone) {
    const bool right = sum.special == oracle::Special::kNan
                           ? std::isnan(got)
                           : std::isinf(got) && std::signbit(got) == (sum.special == oracle::Special::kMinusInfinity);
    return {right ? OutputVerdict::kRight : OutputVerdict::kWrongNan, 0, 0};
  }
  const Bound bound = BoundOf(sum, arithmetic);
  if (bound.anything) return {};
  if (std::isnan(got)) return {OutputVerdict::kWrongNan, got, bound.error};
  if (std::isinf(got)) {
    const double end = std::copysign(1.0, got) * sum.sum + bound.accumulated;
    const bool rounds_to_it =
        arithmetic.faithful ? end > LargestFinite(arithmetic.output) : end >= OverflowThreshold(arithmetic.output);
    return {rounds_to_it ? OutputVerdict::kRight : OutputVerdict::kWrongNan, got, bound.error};
  }
  const double error = std::abs((got - sum.sum) - sum.sum_rest);
  const bool wrong = error > bound.error * kInflation;
  return {wrong ? OutputVerdict::kWrongValue : OutputVerdict::kRight, error, bound.error};
}

double FloatValue(std::uint64_t bits, ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return std::bit_cast<double>(bits);
    case ElementType::kF32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ElementType::kBf16:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
    case ElementType::kF16: {
      const int exponent = static_cast<int>(bits >> 10 & 0x1F);
      const auto fraction = static_cast<double>(bits & 0x3FF);
      double value = 0;
      if (exponent == 0x1F) {
        value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
      } else {
        value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
      }
      return (bits & 0x8000) != 0 ? -value : value;
    }
    default:
      return 0;  // integers are compared as bits
  }
}

}  // namespace conformance
