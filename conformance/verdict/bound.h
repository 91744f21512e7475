// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The error bound: how far a correct backend's result may lie from the exact sum. It is derived from the terms of the
// sum and the arithmetic that the backend declares. The derivation is in conformance/verdict/bound.md.

#ifndef DECONV_CONFORMANCE_VERDICT_BOUND_H_
#define DECONV_CONFORMANCE_VERDICT_BOUND_H_

#include <cstdint>

#include "conformance/interface/backend.h"
#include "oracle/evaluate.h"

namespace conformance {

/// The arithmetic of a backend for one element type.
struct Arithmetic {
  oracle::ElementType type = oracle::ElementType::kF32;  ///< type of the output
  oracle::FloatFormat accumulator;
  oracle::FloatFormat output;
  double accumulator_roundoff = 0;  ///< u: largest relative error of one operation; p bits: 2^-p, if faithful 2^(1-p)
  bool faithful = false;            ///< the accumulator's operations round to either neighbour
  bool several_operands = false;    ///< an addition may have more than two operands
  bool output_rounds = false;       ///< the output's type is not the accumulator's
  bool output_is_faithful = false;  ///< the rounding to the output's type goes to either neighbour
  bool may_round_through_f32 = false;  ///< sums may be rounded to f32 before the output's type
  bool flushes = false;                ///< subnormals may become zero
  double lambda = 0;                   ///< LambdaFor() of the outputs; 0: no output is called imprecise
};

/// The factor lambda of the probable bound lambda * sqrt(n) * u * B. Suppose that rounding errors are independent and
/// have mean zero. Then the probability that any of `outputs` outputs exceeds this bound is at most 2^-20.
double LambdaFor(std::int64_t outputs);

/// The arithmetic that the backend declares for `type`, which must be a floating type.
Arithmetic ArithmeticOf(const Capabilities& declared, oracle::ElementType type);

/// The most that one operation of the accumulator may lose below its normal range.
double LossBelowNormal(const Arithmetic& arithmetic);

/// The element type that has the format of the accumulator declared for `type`.
oracle::ElementType AccumulatorOf(const Capabilities& declared, oracle::ElementType type);
/// The arithmetic of ArithmeticOf with this accumulator, whatever accumulator is declared.
Arithmetic ArithmeticWith(oracle::ElementType accumulator, const Capabilities& declared, oracle::ElementType type);

/// The right outputs lie from `low` to `high`; zero is right, too, if `zero` is set. Symbols: s is the exact sum of n
/// products, B the sum of their magnitudes, and q the largest power of two that divides every product. E bounds the
/// rounding errors of the accumulator, U bounds the losses below its normal range.
///
/// Example in f32, rounded to nearest, so u = 2^-24. The products are 1, 2^-24 and 2^-24.
/// Then n = 3, s = B = 1 + 2^-23 and E = n * u * B = 1.79e-7. U is negligible.
///   1 + 2^-23 is exact. A backend gets it by adding the two small products first.
///   1 has the error 1.19e-7, two thirds of E. From left to right, each small product is rounded away.
///   1 - 2^-23 has the error 2.38e-7, which is more than E: wrong.
/// Right are 1 - 2^-24, 1, 1 + 2^-23 and 1 + 2^-22.
/// With 2^-23 for both small products, q is 2^-23, and B = 1 + 2^-22 is at most 2^24 * q = 2.
/// Then f32 holds every partial sum: `exact` is true, E + U is 0, and only 1 + 2^-22 is right.
struct Bound {
  double accumulated = 0;  ///< E + U: largest distance of the accumulator from s
  double probable = 0;     ///< a larger distance is improbable; `accumulated` if none within the bound is
  double low = 0;          ///< s - E - U, rounded to the output's type if that is another one; may be infinite
  double high = 0;         ///< s + E + U likewise
  bool zero = false;       ///< the rounding to the output's type may flush the output to zero
  double error = 0;        ///< largest distance of a right finite output from s
  bool anything = false;   ///< the sum of magnitudes reaches the accumulator's overflow threshold: every value is right
  bool exact = false;      ///< every partial sum is representable in any order: E + U is 0
};

/// The bound of a sum whose operands are all finite. `transform_error` is the error bound of a backend that computes by
/// transforms (conformance/verdict/declared_arithmetic.h), else 0.
Bound BoundOf(const oracle::FloatSum& sum, const Arithmetic& arithmetic, double transform_error = 0);

/// The kind of a wrong output; kRight for a right one.
enum class OutputVerdict { kRight, kWrongValue, kWrongNan, kGapNotZero };

struct OutputJudgement {
  OutputVerdict verdict = OutputVerdict::kRight;
  double error = 0;        ///< distance to s; infinite if the output or s is not finite
  double bound = 0;        ///< largest distance of a right output on the same side of s
  double probable = 0;     ///< imprecise outputs: the largest distance on its side that is probable
  double ratio = 0;        ///< right outputs: the least error of the accumulator that explains them, divided by E + U
  bool imprecise = false;  ///< right, but the error is beyond the probable bound
  bool excused = false;    ///< wrong by the specification, and explained by a deviation that the backend declares
};

/// Judges one output against its exact sum. `bits` is the element that the backend wrote, in the output's type.
OutputJudgement JudgeOutput(const oracle::FloatSum& sum, std::uint64_t bits, const Arithmetic& arithmetic,
                            double transform_error = 0);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_BOUND_H_
