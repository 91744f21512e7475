// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds cases whose values show the arithmetic of a backend (a library under test): subnormal numbers, sums in a
// narrow type, NaN and infinities beside borders and gaps, the rounding to the output's type, and integers that
// overflow. `deconv-cts doctor` uses them to find missing declarations.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CASES_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "conformance/suite/suite.h"
#include "oracle/operator.h"

namespace conformance {

/// The topic of a case: the part of a backend's arithmetic that the case shows. A declaration, such as "sums in f16",
/// explains a topic if all cases of the topic are right with it.
enum class ArithmeticTopic {
  kBase,         ///< exact sums and single products, which must be right without any declaration of sums
  kSubnormals,   ///< operands, products and sums
  kChannelSums,  ///< sums along the channels
  kTapSums,      ///< sums along the kernel
  kRounding,     ///< rounding to the output's type: ties, the first infinity, the smallest numbers
  kGaps,         ///< NaN and infinities beside the zeros of strides
  kBorders,      ///< NaN and infinities beside pads
  kDilations,    ///< NaN and infinities beside the gaps of a dilated filter
  kOverflow,     ///< integers that overflow
};

struct ArithmeticCase {
  ArithmeticTopic topic = ArithmeticTopic::kBase;
  SuiteCase suite_case;
};

/// Returns the cases of an operator kind, a rank and a type. Integer types have other topics than floating types.
std::vector<ArithmeticCase> ArithmeticCases(oracle::OperatorKind kind, std::size_t rank, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_ARITHMETIC_CASES_H_
