// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Ranks the hypotheses by likeness to the backend, where none of them reproduces the failures exactly: the same cases
// fail, in the same way, at the same places. The ranking also tells the likeliest class of the defect.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_RANKING_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_RANKING_H_

#include <cstddef>
#include <functional>
#include <set>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/class_support.h"
#include "conformance/diagnosis/evidence.h"

namespace conformance {

/// At most this many passes count, spread over all of them.
inline constexpr std::size_t kRankedPasses = 64;

struct Ranked {
  double likeness = 0;  ///< from 0, nothing in common, to 1, all failures reproduced and no pass contradicted
  std::size_t hypothesis = 0;
};

struct RankingInput {
  std::vector<std::size_t> failures;          ///< trials
  const std::vector<std::size_t>& passes;     ///< trials
  const std::set<std::string_view>& without;  ///< faults that are left out
  std::function<bool()> late;                 ///< ends the search early
};

/// Best first; hypotheses that are hardly alike are left out.
std::vector<Ranked> RankHypotheses(Evidence& evidence, const RankingInput& input);

/// The class of the best hypothesis, unless the failures themselves or the features that classes need point at another
/// class more strongly. Empty if nothing points at any class.
std::string_view LikeliestClass(Evidence& evidence, const std::vector<Ranked>& ranking,
                                const std::vector<const Trial*>& failures, const std::vector<const Trial*>& passes,
                                const ClassSupport& support);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_RANKING_H_
