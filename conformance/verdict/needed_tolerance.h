// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures the tolerance that outputs would have needed in a test that knows no error bound, as numpy.allclose has it:
// |y - s| <= atol + rtol * |s|. Verdicts do not depend on it.

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

  /// Adds one output; `bits` is what the backend wrote. Outputs that are not finite, or should not be, do not count.
  void Observe(const oracle::FloatSum& sum, std::uint64_t bits);
  NeededTolerance Finish() const;

 private:
  NeededTolerance needed_;  ///< the atols here are errors, not yet parts of the largest sum
  double largest_sum_ = 0;
};

/// How many numbers of the type one has to go from one to the other; both are finite. The two zeros are one number.
double UlpsBetween(std::uint64_t a, std::uint64_t b, oracle::ElementType type);

/// The rtol of `atol_beside`: two units in the last place, 2^(2-p).
double RtolBeside(oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_NEEDED_TOLERANCE_H_
