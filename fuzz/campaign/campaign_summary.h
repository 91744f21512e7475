// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes and reads the summary in the folder of a campaign: campaign.json, campaign.html, a report of the findings like
// that of the gate, and a regression file for each cause.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_

#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

namespace fuzz {

/// Writes each file as a whole or not at all. Regression files of earlier campaigns whose causes are not in `record`
/// move to findings/earlier/. Returns an empty string, or the first file that could not be written, and why.
std::string WriteSummary(const std::string& folder, const CampaignOptions& options, const CampaignRecord& record);

/// The text of a cause's regression file. The suite `regressions` and the command `replay` read such files. The cases
/// of a file run in its order in one process; the last case fails.
std::string RegressionText(const CampaignOptions& options, const CampaignCause& cause);

/// The last campaign of a folder, as its campaign.json tells it.
struct EarlierCampaign {
  std::string backend;
  CampaignRecord record;  ///< without findings and causes
};

/// Writes the regression file of a cause. Returns an empty string, or why it could not be written.
std::string WriteRegressionFile(const std::string& folder, const CampaignOptions& options, const CampaignCause& cause);

/// Reads campaign.json. Returns nothing if there is no such file or it cannot be read.
std::optional<EarlierCampaign> ReadSummary(const std::string& path);

/// The name of a cause's regression file, made from its smallest case: "wrong-value-1f3a9c2e.txt".
std::string FileNameOf(const CampaignCause& cause);

/// Remarks for a reader of the causes: findings that were not judged again or cannot be read, and the campaign's notes.
std::vector<std::string> RemarksOf(const CampaignRecord& record);

/// The command that shows the failure: "deconv-cts replay --backend B CASE". For a cause with earlier cases, CASE is
/// the path of the regression file.
std::string ReplayOf(const CampaignOptions& options, const CampaignCause& cause);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_
