// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the tolerance that outputs would have needed in a test such as numpy.allclose, which has no error bound:
// |y - s| <= atol + rtol * |s|, with an output y and its exact sum s. Verdicts do not depend on the result.

#ifndef DECONV_CONFORMANCE_VERDICT_NEEDED_TOLERANCE_H_
#define DECONV_CONFORMANCE_VERDICT_NEEDED_TOLERANCE_H_

#include <cstdint>

#include "conformance/verdict/result.h"
#include "oracle/evaluate.h"

namespace conformance {

/// Measures one output tensor.
class NeededMeter {
 public:
  explicit NeededMeter(oracle::ElementType type) : needed_{.type = type} {}

  /// Adds one output; `bits` is the element that the backend wrote. An output is not counted if it is not finite, or if
  /// its exact sum is not finite.
  void Observe(const oracle::FloatSum& sum, std::uint64_t bits);
  NeededTolerance Finish() const;

 private:
  NeededTolerance needed_;  ///< the atols here are errors, not yet parts of the largest sum
  double largest_sum_ = 0;
};

/// The number of steps from one finite number of the type to the other, each to the next number. +0 and -0 are equal.
double UlpsBetween(std::uint64_t a, std::uint64_t b, oracle::ElementType type);

/// The rtol of `atol_beside`: two units in the last place, 2^(2-p).
double RtolBeside(oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_NEEDED_TOLERANCE_H_
