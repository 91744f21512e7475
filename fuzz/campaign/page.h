// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A campaign to look at: one HTML file that needs nothing else.

#ifndef DECONV_FUZZ_CAMPAIGN_PAGE_H_
#define DECONV_FUZZ_CAMPAIGN_PAGE_H_

#include <string>

#include "fuzz/campaign/campaign.h"

namespace fuzz {

std::string CampaignPage(const CampaignOptions& options, const CampaignRecord& record);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_PAGE_H_
