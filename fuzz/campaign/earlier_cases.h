// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the earlier case that a failure depends on: a backend may keep something from call to call, or damage its heap.

#ifndef DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_
#define DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"
#include "fuzz/campaign/campaign_causes.h"

namespace fuzz {

/// Cases that fail in this order in one process, and the last of which passes alone.
struct CasesInOrder {
  std::vector<std::string> before;  ///< usually one
  std::string line;                 ///< the case that fails
  conformance::CaseResult result;   ///< of it
};

/// `earlier`: the cases that ran before, in order. Each case of the answer is minimized. Nothing if the case fails
/// alone, if it passes behind the earlier cases too, or if the seconds are over.
std::optional<CasesInOrder> FindEarlierCases(const std::string& line, const std::vector<std::string>& earlier,
                                             const CauseOptions& options, double seconds);

/// Whether the case fails behind these cases in a new process.
bool FailsBehind(const std::vector<std::string>& before, const std::string& line, const CauseOptions& options,
                 double seconds);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_EARLIER_CASES_H_
