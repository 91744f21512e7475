// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes how far a correct backend's output may lie from the exact sum: the error bound of
// conformance/verdict/bound.md. s is the exact sum, B the sum of the products' magnitudes, u the roundoff of the
// accumulator. E bounds the accumulator's rounding errors, U its losses below the normal range. Right outputs lie from
// s - E - U to s + E + U, both rounded to the output's type. All of it is computed in double. `kInflation` makes up for
// the roundings of this computation, and sums are rounded outwards, so that a correct result never fails.

#include "conformance/verdict/bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "conformance/verdict/round.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::FloatFormat;

// This file rounds about a dozen times, each time with a relative error of at most 2^-53. 2^-48 is 32 of these errors.
constexpr double kInflation = 1 + 0x1p-48;

double SmallestNormal(const FloatFormat& format) { return oracle::PowerOfTwo(format.min_exponent); }

/// Half of the smallest subnormal number; at least the smallest double.
double HalfSmallestSubnormal(const FloatFormat& format) {
  // Half of the smallest double, 2^-1075, is no double. The smallest double is an upper bound of it.
  return std::max(oracle::PowerOfTwo(format.min_exponent - format.precision),
                  std::numeric_limits<double>::denorm_min());
}

/// The least value that rounds to infinity: 2^max * (1 - 2^-(p+1)), with p bits of precision. Infinite for f64, because
/// no double holds the value.
double OverflowThreshold(const FloatFormat& format) {
  return std::ldexp(1 - oracle::PowerOfTwo(-format.precision - 1), format.max_exponent);
}

/// The number of roundings in a sum: one for each product. If additions have several operands, each product counts
/// twice (bound.md).
double RoundingCount(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  return static_cast<double>(sum.taps) * (arithmetic.several_operands ? 2 : 1);
}

/// The largest error of `n` roundings of the accumulator, divided by B. It is n * u for rounding to nearest, where
/// errors do not compound (bound.md), and (1 + u)^n - 1 for faithful rounding, where they may.
double RoundingsOf(double n, const Arithmetic& arithmetic) {
  return arithmetic.faithful ? std::expm1(n * std::log1p(arithmetic.accumulator_roundoff)) * kInflation
                             : n * arithmetic.accumulator_roundoff;
}

/// Whether a partial sum can overflow in some order of additions. Its rounding errors may make it larger than B.
bool MayOverflow(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  const double roundings = RoundingsOf(RoundingCount(sum, arithmetic), arithmetic);
  const FloatFormat& accumulator = arithmetic.accumulator;
  const double overflow = arithmetic.faithful ? LargestFinite(accumulator) : OverflowThreshold(accumulator);
  return !(sum.magnitude * (1 + roundings) * kInflation < overflow);
}

/// Whether every product, and every partial sum in any order, is a number of the accumulator.
bool IsExact(const oracle::FloatSum& sum, const Arithmetic& arithmetic) {
  if (sum.magnitude == 0) return true;
  const FloatFormat& accumulator = arithmetic.accumulator;
  const double smallest = arithmetic.flushes ? SmallestNormal(accumulator) : 2 * HalfSmallestSubnormal(accumulator);
  const bool flushed_operands = arithmetic.flushes && sum.subnormal != 0;
  return sum.quantum >= smallest && !flushed_operands &&
         sum.magnitude <= std::ldexp(sum.quantum, accumulator.precision) && sum.magnitude <= LargestFinite(accumulator);
}

struct Range {
  double low;
  double high;
};

/// The range from s - distance to s + distance, each end rounded outwards.
Range Around(const oracle::FloatSum& sum, double distance) {
  if (distance == 0 && sum.sum_rest == 0) return {sum.sum, sum.sum};
  const auto below = [](double value) { return std::nextafter(value, -kInfinite); };
  const auto above = [](double value) { return std::nextafter(value, kInfinite); };
  return {below(below(sum.sum - distance) + sum.sum_rest), above(above(sum.sum + distance) + sum.sum_rest)};
}

/// The range of outputs to which sums of the range `sums` are rounded.
Range RoundedToOutput(const Range& sums, const Arithmetic& arithmetic) {
  if (arithmetic.output_is_faithful) {
    return {RoundDown(sums.low, arithmetic.type), RoundUp(sums.high, arithmetic.type)};
  }
  Range outputs = {RoundToNearest(sums.low, arithmetic.type), RoundToNearest(sums.high, arithmetic.type)};
  if (arithmetic.may_round_through_f32) {
    const auto twice = [&](double value) {
      return RoundToNearest(RoundToNearest(value, ElementType::kF32), arithmetic.type);
    };
    outputs = {std::min(outputs.low, twice(sums.low)), std::max(outputs.high, twice(sums.high))};
  }
  return outputs;
}

/// Sets `low`, `high`, `zero` and `error` of a bound whose other members are known.
void SetRange(const oracle::FloatSum& sum, const Arithmetic& arithmetic, Bound& bound) {
  if (!arithmetic.output_rounds) {  // U includes the loss by flushing
    bound.low = sum.sum - bound.accumulated;
    bound.high = sum.sum + bound.accumulated;
    bound.error = bound.accumulated;
    return;
  }
  const Range sums = Around(sum, bound.accumulated);
  const Range outputs = RoundedToOutput(sums, arithmetic);
  bound.low = outputs.low;
  bound.high = outputs.high;
  const double smallest = SmallestNormal(arithmetic.output);
  // An exact zero cannot lose anything.
  bound.zero = arithmetic.flushes && !(bound.exact && sum.sum == 0) && sums.low < smallest && sums.high > -smallest;
  const double largest = LargestFinite(arithmetic.output);
  const double up = (std::clamp(bound.high, -largest, largest) - sum.sum) - sum.sum_rest;
  const double down = (sum.sum - std::clamp(bound.low, -largest, largest)) + sum.sum_rest;
  bound.error = std::max({up, down, bound.zero ? std::abs(sum.sum) : 0});
}

/// Whether a finite or infinite output lies within the bound.
bool IsWithin(const oracle::FloatSum& sum, double got, const Bound& bound, const Arithmetic& arithmetic) {
  if (!arithmetic.output_rounds) {
    // Compare distances, because got - s is nearly exact. The ends of the range may need more bits than a double has.
    return std::abs((got - sum.sum) - sum.sum_rest) <= bound.accumulated * kInflation;
  }
  return (got >= bound.low && got <= bound.high) || (bound.zero && got == 0);
}

/// The least distance between the accumulator's sum and s with which this finite output is explained.
double AccumulatorError(const oracle::FloatSum& sum, double got, const Arithmetic& arithmetic) {
  if (!arithmetic.output_rounds) return std::abs((got - sum.sum) - sum.sum_rest);
  const RoundingRange explains = SumsThatRoundTo(got, arithmetic.type, arithmetic.output_is_faithful);
  return std::max({0.0, (explains.low - sum.sum) - sum.sum_rest, (sum.sum - explains.high) + sum.sum_rest});
}

/// The largest distance from s of an output in the range `outputs`, on the side of s on which `got` lies.
double DistanceOnSide(const oracle::FloatSum& sum, const Range& outputs, double got) {
  const double above = (got - sum.sum) - sum.sum_rest;
  const double distance = above > 0 ? (outputs.high - sum.sum) - sum.sum_rest : (sum.sum - outputs.low) + sum.sum_rest;
  return std::max(distance, 0.0);
}

/// Whether an output is right if its sum has a NaN or infinite product.
bool SpecialIsRight(const oracle::FloatSum& sum, double got, const Arithmetic& arithmetic) {
  if (sum.special == oracle::Special::kNan) return std::isnan(got);
  // Two ways lead from an infinite sum to NaN. A flushed subnormal gives 0 * Inf. A partial sum that overflows with the
  // other sign gives Inf - Inf.
  if (std::isnan(got)) return (arithmetic.flushes && sum.subnormal_by_infinity) || MayOverflow(sum, arithmetic);
  return std::isinf(got) && std::signbit(got) == (sum.special == oracle::Special::kMinusInfinity);
}

}  // namespace

double LambdaFor(std::int64_t outputs) {
  // By the inequality of Hoeffding and Azuma, one output exceeds the bound with probability 2 * exp(-lambda^2 / 2).
  // This lambda makes that probability, times the number of outputs, equal to 2^-20.
  constexpr double kProbability = 0x1p-20;
  return std::sqrt(2 * std::log(2 * std::max<double>(1, static_cast<double>(outputs)) / kProbability));
}

double LossBelowNormal(const Arithmetic& arithmetic) {
  if (arithmetic.flushes) return SmallestNormal(arithmetic.accumulator);
  return (arithmetic.faithful ? 2 : 1) * HalfSmallestSubnormal(arithmetic.accumulator);
}

ElementType AccumulatorOf(const Capabilities& declared, ElementType type) {
  const deconv_accumulator_id accumulator = declared.ArithmeticFor(type).accumulator;
  if (accumulator == DECONV_ACCUMULATOR_STORAGE) return type;
  return accumulator == DECONV_ACCUMULATOR_F32 && type != ElementType::kF64 ? ElementType::kF32 : ElementType::kF64;
}

Arithmetic ArithmeticOf(const Capabilities& declared, ElementType type) {
  return ArithmeticWith(AccumulatorOf(declared, type), declared, type);
}

Arithmetic ArithmeticWith(ElementType accumulator, const Capabilities& declared, ElementType type) {
  const FloatArithmetic declared_arithmetic = declared.ArithmeticFor(type);
  Arithmetic arithmetic;
  arithmetic.type = type;
  arithmetic.output = oracle::FormatOf(type);
  arithmetic.accumulator = oracle::FormatOf(accumulator);
  arithmetic.faithful = declared_arithmetic.rounding != DECONV_ROUNDING_NEAREST;
  arithmetic.several_operands = declared_arithmetic.rounding == DECONV_ROUNDING_FUSED_SUMS;
  arithmetic.accumulator_roundoff =
      (arithmetic.faithful ? 2 : 1) * oracle::PowerOfTwo(-arithmetic.accumulator.precision);
  arithmetic.output_rounds = accumulator != type;
  arithmetic.output_is_faithful = declared_arithmetic.rounding == DECONV_ROUNDING_FAITHFUL;
  arithmetic.may_round_through_f32 =
      accumulator == ElementType::kF64 && declared_arithmetic.accumulator == DECONV_ACCUMULATOR_F64_THROUGH_F32;
  arithmetic.flushes = declared_arithmetic.subnormals == DECONV_SUBNORMALS_FLUSHED;
  return arithmetic;
}

Bound BoundOf(const oracle::FloatSum& sum, const Arithmetic& arithmetic, double transform_error) {
  Bound bound;
  bound.exact = IsExact(sum, arithmetic);
  if ((!bound.exact && MayOverflow(sum, arithmetic)) || std::isinf(transform_error)) {
    bound.anything = true;
    return bound;
  }
  if (!bound.exact) {
    const double n = RoundingCount(sum, arithmetic);
    const double roundings = RoundingsOf(n, arithmetic);
    const double tiny = HalfSmallestSubnormal(arithmetic.accumulator);
    // A loss below the normal range enters the sum like a product. So later roundings enlarge the loss too.
    const double lost = (arithmetic.flushes ? sum.subnormal + 2 * n * SmallestNormal(arithmetic.accumulator)
                                            : (arithmetic.faithful ? 2 : 1) * n * tiny) *
                        (1 + roundings);
    bound.accumulated = (roundings * sum.magnitude + lost) * kInflation;
    // Faithful rounding may give all errors the same sign. Then their mean is not 0, and no smaller bound is probable.
    const double likely = arithmetic.lambda == 0 || arithmetic.faithful
                              ? roundings
                              : std::min(roundings, arithmetic.lambda * std::sqrt(n) * arithmetic.accumulator_roundoff);
    bound.probable = (likely * sum.magnitude + lost) * kInflation;
  }
  if (transform_error != 0) {
    bound.exact = false;
    bound.accumulated = std::max(bound.accumulated, transform_error);
    bound.probable = bound.accumulated;
  }
  SetRange(sum, arithmetic, bound);
  return bound;
}

OutputJudgement JudgeOutput(const oracle::FloatSum& sum, std::uint64_t bits, const Arithmetic& arithmetic,
                            double transform_error) {
  const double got = oracle::FloatValue(bits, arithmetic.type);
  if (std::isinf(transform_error)) return {};
  if (sum.taps == 0 && transform_error == 0) {
    if (got == 0) return {};  // 0 of either sign is right
    return {.verdict = OutputVerdict::kGapNotZero, .error = std::isfinite(got) ? std::abs(got) : kInfinite};
  }
  if (sum.special != oracle::Special::kNone) {
    if (SpecialIsRight(sum, got, arithmetic)) return {};
    return {.verdict = OutputVerdict::kWrongNan, .error = kInfinite};
  }
  const Bound bound = BoundOf(sum, arithmetic, transform_error);
  if (bound.anything) return {};
  const bool right = IsWithin(sum, got, bound, arithmetic);  // false for NaN
  if (!std::isfinite(got)) {
    if (right) return {};
    return {.verdict = OutputVerdict::kWrongNan, .error = kInfinite, .bound = bound.error};
  }
  OutputJudgement judgement;
  judgement.error = std::abs((got - sum.sum) - sum.sum_rest);
  judgement.bound = arithmetic.output_rounds ? DistanceOnSide(sum, {bound.low, bound.high}, got) : bound.accumulated;
  if (!right) {
    judgement.verdict = OutputVerdict::kWrongValue;
    return judgement;
  }
  // An output that was flushed to zero says nothing about the accumulator.
  if (bound.accumulated == 0 || (bound.zero && got == 0)) return judgement;
  // Rounding to f32 before the output's type may explain an output that no error of the accumulator explains.
  const auto explained_by = [&](double distance) {
    const Range outputs = RoundedToOutput(Around(sum, distance), arithmetic);
    return arithmetic.output_rounds && got >= outputs.low && got <= outputs.high;
  };
  if (explained_by(0)) return judgement;
  const double needed = AccumulatorError(sum, got, arithmetic);
  judgement.ratio = std::min(needed / bound.accumulated, 1.0);
  judgement.imprecise = needed > bound.probable * kInflation && !explained_by(bound.probable);
  if (judgement.imprecise) {
    judgement.probable = arithmetic.output_rounds
                             ? DistanceOnSide(sum, RoundedToOutput(Around(sum, bound.probable), arithmetic), got)
                             : bound.probable;
  }
  return judgement;
}

}  // namespace conformance
