// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the earlier cases on which a failure depends. A backend may keep state from call to call, or damage its heap. A
// case then fails only after another case in the same process; the comments call this "behind" the other case.

#ifndef DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_
#define DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"
#include "fuzz/campaign/campaign_causes.h"

namespace fuzz {

/// Cases that run in this order in one process. The last case fails, although it passes alone.
struct CasesInOrder {
  std::vector<std::string> before;  ///< the earlier cases; usually one
  std::string line;                 ///< the case that fails
  conformance::CaseResult result;   ///< the result of `line`
};

/// Finds the fewest of the `earlier` cases, given in order, after which the case `line` fails. Minimizes each of these
/// cases. Returns nothing if `line` fails alone, if it passes after all earlier cases, or if `seconds` are over.
std::optional<CasesInOrder> FindEarlierCases(const std::string& line, const std::vector<std::string>& earlier,
                                             const CauseOptions& options, double seconds);

/// Whether the case fails behind these cases in a new process.
bool FailsAfter(const std::vector<std::string>& before, const std::string& line, const CauseOptions& options,
                double seconds);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_
