// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes campaign.html: a campaign as one HTML file without other files.

#ifndef DECONV_FUZZ_CAMPAIGN_PAGE_H_
#define DECONV_FUZZ_CAMPAIGN_PAGE_H_

#include <string>

#include "fuzz/campaign/campaign.h"

namespace fuzz {

/// The text of campaign.html.
std::string CampaignPage(const CampaignOptions& options, const CampaignRecord& record);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_PAGE_H_
