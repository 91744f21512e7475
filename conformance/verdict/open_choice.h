// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts how a backend treats open operators, which it may refuse or compute: "computes a batch of 0", "refuses absent
// strides". An open point is the part of an operator, such as a batch of 0, that its dialect leaves open.

#ifndef DECONV_CONFORMANCE_VERDICT_OPEN_CHOICE_H_
#define DECONV_CONFORMANCE_VERDICT_OPEN_CHOICE_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// The choices that an answer to an operator with these open points shows. A computed answer accepts all points. A
/// refusal is a choice only if there is a single point, because each of several points can be its reason.
std::vector<OpenChoice> ChoicesShown(std::span<const oracle::OpenPoint> open, bool computed);

/// "S8 (a batch of 0)", "S8 (a batch of 0), A6 (absent strides)".
std::string OpenPointsText(std::span<const oracle::OpenPoint> open);

/// The open point of clause V3: an output without products may be -0.0. Its count is the number of cases with such an
/// output.
inline constexpr std::string_view kMinusZeroPoint = "-0.0 where no tap reaches";

/// All choices of a run at one point.
struct ChoiceCount {
  std::string clause;
  std::string point;
  std::size_t computed = 0;  ///< number of cases
  std::size_t refused = 0;   ///< number of cases

  /// "computes", "refuses", or "in 3 of 5 cases computes".
  std::string Verb() const;
};

/// The counts of all open points that occur in the results, in the order of the clauses.
std::vector<ChoiceCount> ChoicesOf(std::span<const CaseResult> results);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_OPEN_CHOICE_H_
