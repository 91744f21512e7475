// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: random operators of a dialect, the same on every machine.

#ifndef DECONV_CONFORMANCE_TESTING_RANDOM_OPERATOR_H_
#define DECONV_CONFORMANCE_TESTING_RANDOM_OPERATOR_H_

#include <cstdint>
#include <string>

#include "oracle/dialect.h"
#include "oracle/operator.h"

namespace conformance {

/// xorshift*: the same operators on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
  /// A number from least to most.
  std::int64_t Pick(std::int64_t least, std::int64_t most);
  bool OneIn(std::int64_t n) { return Pick(1, n) == 1; }

 private:
  std::uint64_t state_;
};

/// A small operator of the dialect; about one in eight is invalid.
oracle::Operator RandomOperator(Random& random, oracle::Dialect dialect, int max_rank);

/// "ConvolutionBackpropData f32 data [1, 2, 3] filter [2, 1, 3] strides [2] ...": for messages.
std::string ToText(const oracle::Operator& op);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TESTING_RANDOM_OPERATOR_H_
