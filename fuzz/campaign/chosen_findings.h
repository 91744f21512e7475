// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the findings of a campaign that are judged again. A finding is a failing case that an engine kept. A campaign
// may have thousands; a few of every kind suffice to find the causes.

#ifndef DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_
#define DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_

#include <cstddef>
#include <vector>

#include "fuzz/findings/finding_file.h"

namespace fuzz {

inline constexpr std::size_t kMostHangs = 2;     ///< most hangs: each takes its whole time limit, several times
inline constexpr std::size_t kMostCrashes = 24;  ///< most crashes: each needs new processes

/// The result of ChooseFindings().
struct ChosenFindings {
  std::vector<FoundCase> findings;
  std::size_t unreadable = 0;  ///< lines that are no cases
  std::size_t different = 0;   ///< number of different cases among all findings
};

/// Chooses at most `most` findings. All kinds (failure class, operator, type) take turns, so that no kind displaces
/// another. Each kind gives its smallest finding, its newest, its second smallest, and so on. Small cases are chosen
/// because planted faults are tried on small cases only. New ones are chosen so that early campaigns do not hide late
/// ones. Findings that no cause explained when they were found go first, up to half of all: each may have a new cause.
ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_
