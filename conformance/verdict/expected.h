// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the expected outputs of a test case as exact sums. The oracle, which is the specification in plain loops,
// computes them when they are asked for.

#ifndef DECONV_CONFORMANCE_VERDICT_EXPECTED_H_
#define DECONV_CONFORMANCE_VERDICT_EXPECTED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "oracle/evaluate.h"

namespace conformance {

/// Upper bound of the number of products: every data element times every tap of its input channel. Pads crop some.
double ProductsOf(const oracle::Geometry& geometry);

/// The oracle's sums for the outputs of a case. The sums of a small case are stored, so that several comparisons use
/// them. The sums of a large case are computed anew each time.
class Expected {
 public:
  explicit Expected(oracle::Operands operands) : operands_(std::move(operands)) {}

  const oracle::Geometry& geometry() const { return operands_.geometry(); }
  const oracle::Operands& operands() const { return operands_; }
  /// `Sum` is oracle::FloatSum for floating types, else oracle::IntegerSum. The result is valid until the next call
  /// with another range.
  template <class Sum>
  std::span<const Sum> Sums(oracle::OutputRange range);

 private:
  oracle::Operands operands_;
  std::vector<oracle::FloatSum> floats_;
  std::vector<oracle::IntegerSum> integers_;
  oracle::OutputRange held_;  ///< the outputs whose sums the vector holds
};

/// Computes exact sums when they are needed. Keeps the sums of one slab, which is a run of neighbouring outputs.
class SlabOfSums {
 public:
  explicit SlabOfSums(oracle::Operands operands) : operands_(std::move(operands)) {}

  const oracle::Operands& operands() const { return operands_; }
  /// The sum of the output with the flat index `flat`. It is valid until the next call.
  const oracle::FloatSum& At(std::int64_t flat) {
    constexpr std::int64_t kSlab = 1 << 12;  // outputs whose sums are computed together; a guess
    if (flat < held_.begin || flat >= held_.begin + held_.count) {
      held_.begin = flat - flat % kSlab;
      held_.count = std::min(kSlab, operands_.geometry().OutputCount() - held_.begin);
      sums_.resize(static_cast<std::size_t>(held_.count));
      oracle::Gather(operands_, held_, sums_);
    }
    return sums_[static_cast<std::size_t>(flat - held_.begin)];
  }

 private:
  oracle::Operands operands_;
  std::vector<oracle::FloatSum> sums_;
  oracle::OutputRange held_;  ///< the outputs of `sums_`
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXPECTED_H_
