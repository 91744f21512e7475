// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The beginning and the end of a campaign's corpus: the suites' cases are sown into it, and inputs that add nothing are
// pruned from it. Both are merges of libFuzzer.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_

#include <string>
#include <variant>

#include "fuzz/campaign/campaign_folder.h"

namespace fuzz {

/// Adds those of the suites' smoke cases that have new features; the others would only cost time at every start. An
/// error, or a note if some may be missing (empty: none is).
std::variant<std::string, CampaignError> SowSeeds(const CampaignOptions& options, const CampaignFolder& folder);

/// Removes the inputs that add nothing to the others, and changes no file. Empty, or why all of them stay.
std::string PruneCorpus(const CampaignOptions& options, const CampaignFolder& folder);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CORPUS_H_
