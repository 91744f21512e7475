// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the findings that are judged again. A campaign may have thousands, and its causes show in some of every kind.

#ifndef DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_
#define DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_

#include <cstddef>
#include <vector>

#include "fuzz/findings/finding_file.h"

namespace fuzz {

inline constexpr std::size_t kMostHangs = 2;     ///< each takes its whole time limit, several times
inline constexpr std::size_t kMostCrashes = 24;  ///< each takes new processes

struct ChosenFindings {
  std::vector<FoundCase> findings;
  std::size_t unreadable = 0;  ///< lines that are no cases
  std::size_t different = 0;   ///< different cases among all findings
};

/// Chooses findings of each kind (failure class, operator, type) in turn: the smallest, the newest, the second
/// smallest, and so on. So no kind displaces another, planted faults are tried on small cases, and late campaigns are
/// not hidden by early ones. Findings that no cause explained when they were found go first, up to half of all: each
/// may have a cause of its own.
ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CHOSEN_FINDINGS_H_
