// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the error bound: E + R + U of conformance/verdict/bound.md. All of it is computed in double. `kInflation`
// makes up for the roundings of this computation, so that a correct result never fails.

#include "conformance/verdict/bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "oracle/float_bits.h"

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

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// How far all roundings of the accumulator can carry a sum of `n` products, over B. Rounded to nearest, errors do not
/// compound (bound.md); rounded faithfully, they may.
double RoundingsOf(double n, const Arithmetic& arithmetic) {
  return arithmetic.faithful ? std::expm1(n * std::log1p(arithmetic.accumulator_roundoff)) * kInflation
                             : n * arithmetic.accumulator_roundoff;
}

/// Whether a partial sum, which may exceed B by its own rounding errors, can overflow in some order.
bool MayOverflow(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  const double roundings = RoundingsOf(static_cast<double>(sum.taps), arithmetic);
  const FloatFormat& accumulator = arithmetic.accumulator;
  const double overflow = arithmetic.faithful ? LargestFinite(accumulator) : OverflowThreshold(accumulator);
  return !(sum.magnitude * (1 + roundings) * kInflation < overflow);
}

/// R: the rounding to the output's type of an accumulator that is at most `accumulated` off.
double OutputRounding(const oracle::FloatSum& sum, const Arithmetic& arithmetic, bool exact, double accumulated) {
  if (!arithmetic.output_rounds) return 0;
  const double factor = arithmetic.faithful ? 2 : 1;
  const double expected = oracle::FloatValue(sum.bits, arithmetic.type);
  const bool representable = exact && sum.sum_rest == 0 && expected == sum.sum;
  // Only a sum that may lie below the smallest normal number can be flushed, and an exact zero cannot lose anything.
  const bool flushable = arithmetic.flushes && !(exact && sum.sum == 0) &&
                         std::abs(sum.sum) - accumulated < SmallestNormal(arithmetic.output);
  if (representable && !flushable) return 0;
  const double underflow =
      flushable ? SmallestNormal(arithmetic.output) : factor * HalfSmallestSubnormal(arithmetic.output);
  return arithmetic.output_roundoff * (std::abs(sum.sum) + accumulated) + underflow;
}

bool SpecialIsRight(const oracle::FloatSum& sum, double got, const Arithmetic& arithmetic) {
  if (sum.special == oracle::Special::kNan) return std::isnan(got);
  // A flushed operand makes 0 * Inf of it; an overflow of the other sign meets the infinity on the way.
  if (std::isnan(got)) return (arithmetic.flushes && sum.subnormal_by_infinity) || MayOverflow(sum, arithmetic);
  return std::isinf(got) && std::signbit(got) == (sum.special == oracle::Special::kMinusInfinity);
}

}  // namespace

double LambdaFor(std::int64_t outputs) {
  // Hoeffding and Azuma: 2 * exp(-lambda^2 / 2) an output, times the outputs, is 2^-20.
  constexpr double kProbability = 0x1p-20;
  return std::sqrt(2 * std::log(2 * std::max<double>(1, static_cast<double>(outputs)) / kProbability));
}

double LossBelowNormal(const Arithmetic& arithmetic) {
  if (arithmetic.flushes) return SmallestNormal(arithmetic.accumulator);
  return (arithmetic.faithful ? 2 : 1) * HalfSmallestSubnormal(arithmetic.accumulator);
}

ElementType AccumulatorOf(const Capabilities& declared, ElementType type) {
  if (declared.accumulator == DECONV_ACCUMULATOR_STORAGE) return type;
  if (declared.accumulator == DECONV_ACCUMULATOR_F64 || type == ElementType::kF64) return ElementType::kF64;
  return ElementType::kF32;
}

Arithmetic ArithmeticOf(const Capabilities& declared, ElementType type) {
  return ArithmeticWith(AccumulatorOf(declared, type), declared, type);
}

Arithmetic ArithmeticWith(ElementType accumulator, const Capabilities& declared, ElementType type) {
  Arithmetic arithmetic;
  arithmetic.type = type;
  arithmetic.output = oracle::FormatOf(type);
  arithmetic.accumulator = oracle::FormatOf(accumulator);
  arithmetic.output_rounds = accumulator != type;
  arithmetic.faithful = declared.faithful_rounding;
  const double factor = arithmetic.faithful ? 2 : 1;
  arithmetic.accumulator_roundoff = factor * std::ldexp(1.0, -arithmetic.accumulator.precision);
  arithmetic.output_roundoff = factor * std::ldexp(1.0, -arithmetic.output.precision);
  arithmetic.flushes = declared.subnormals == DECONV_SUBNORMALS_FLUSHED ||
                       (declared.subnormals == DECONV_SUBNORMALS_FLUSHED_IN_BF16 && type == ElementType::kBf16);
  return arithmetic;
}

Bound BoundOf(const oracle::FloatSum& sum, const Arithmetic& arithmetic, double transform_error) {
  Bound bound;
  const auto n = static_cast<double>(sum.taps);
  const double factor = arithmetic.faithful ? 2 : 1;
  const FloatFormat& accumulator = arithmetic.accumulator;
  const double roundings = RoundingsOf(n, arithmetic);
  if (MayOverflow(sum, arithmetic) || std::isinf(transform_error)) {
    bound.anything = true;
    return bound;
  }
  const double smallest = arithmetic.flushes ? SmallestNormal(accumulator) : 2 * HalfSmallestSubnormal(accumulator);
  const bool flushed_operands = arithmetic.flushes && sum.subnormal != 0;
  bound.exact = sum.magnitude == 0 || (sum.quantum >= smallest && !flushed_operands &&
                                       sum.magnitude <= std::ldexp(sum.quantum, accumulator.precision));
  double probable = 0;
  if (!bound.exact) {
    // What is lost below the normal range is carried along like a term.
    const double lost = (arithmetic.flushes ? sum.subnormal + 2 * n * SmallestNormal(accumulator)
                                            : factor * n * HalfSmallestSubnormal(accumulator)) *
                        (1 + roundings);
    bound.accumulated = (roundings * sum.magnitude + lost) * kInflation;
    // Errors that all have one sign are what faithful rounding allows: it has no tier of its own.
    const double likely = arithmetic.lambda == 0 || arithmetic.faithful
                              ? roundings
                              : std::min(roundings, arithmetic.lambda * std::sqrt(n) * arithmetic.accumulator_roundoff);
    probable = (likely * sum.magnitude + lost) * kInflation;
  }
  if (transform_error != 0) {
    bound.exact = false;
    bound.accumulated = std::max(bound.accumulated, transform_error);
    probable = bound.accumulated;
  }
  bound.error = (bound.accumulated + OutputRounding(sum, arithmetic, bound.exact, bound.accumulated)) * kInflation;
  bound.probable = (probable + OutputRounding(sum, arithmetic, bound.exact, probable)) * kInflation;
  return bound;
}

OutputJudgement JudgeOutput(const oracle::FloatSum& sum, std::uint64_t bits, const Arithmetic& arithmetic,
                            double transform_error) {
  const double got = oracle::FloatValue(bits, arithmetic.type);
  if (std::isinf(transform_error)) return {};
  if (sum.taps == 0 && transform_error == 0) {
    if (bits == 0) return {};
    return {OutputVerdict::kGapNotZero, std::isfinite(got) ? std::abs(got) : kInfinite, 0};
  }
  if (sum.special != oracle::Special::kNone) {
    if (SpecialIsRight(sum, got, arithmetic)) return {};
    return {OutputVerdict::kWrongNan, kInfinite, 0};
  }
  const Bound bound = BoundOf(sum, arithmetic, transform_error);
  if (bound.anything) return {};
  if (std::isnan(got)) return {OutputVerdict::kWrongNan, kInfinite, bound.error};
  if (std::isinf(got)) {
    const double end = std::copysign(1.0, got) * sum.sum + bound.accumulated;
    const bool rounds_to_it =
        arithmetic.faithful ? end > LargestFinite(arithmetic.output) : end >= OverflowThreshold(arithmetic.output);
    if (rounds_to_it) return {};
    return {OutputVerdict::kWrongNan, kInfinite, bound.error};
  }
  const double error = std::abs((got - sum.sum) - sum.sum_rest);
  if (error > bound.error * kInflation) return {OutputVerdict::kWrongValue, error, bound.error};
  return {OutputVerdict::kRight, error, bound.error, bound.probable, error > bound.probable * kInflation};
}

}  // namespace conformance
