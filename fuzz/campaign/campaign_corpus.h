// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Fills the corpus of a campaign with seeds before the search, and prunes it after the search. The corpus holds the
// inputs from which the engines make new ones. The seeds are cases of the suites. A feature is a property of a case,
// such as a stride above 1. Pruning removes inputs whose features other inputs also have. Both use the "merge" of
// libFuzzer, which copies the inputs that add features to a folder.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_

#include <string>
#include <variant>

#include "fuzz/campaign/campaign_folder.h"

namespace fuzz {

/// Adds those smoke cases of the suites that have new features. The others would only cost time at every start.
/// Returns an error, or a note that some cases may be missing. The note is empty if none is.
std::variant<std::string, CampaignError> AddSuiteSeeds(const CampaignOptions& options, const CampaignFolder& folder);

/// Removes the inputs that add no feature to the others. It changes no other file. Returns an empty string, or why all
/// inputs stay.
std::string PruneCorpus(const CampaignOptions& options, const CampaignFolder& folder);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
