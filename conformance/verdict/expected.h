// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the expected outputs of a case as exact sums. The oracle computes them when they are asked for.

#ifndef DECONV_CONFORMANCE_VERDICT_EXPECTED_H_
#define DECONV_CONFORMANCE_VERDICT_EXPECTED_H_

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_EXPECTED_H_
