// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The summary that a campaign leaves in its folder: campaign.json, campaign.html, the gate's report of the findings,
// and a regression file for each cause.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_

#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

namespace fuzz {

/// Writes each file whole or not at all. Empty, or the first file that could not be written, and why. Regression files
/// of earlier campaigns go to findings/earlier/ if their causes are not among these; all other files stay where they
/// are.
std::string WriteSummary(const std::string& folder, const CampaignOptions& options, const CampaignRecord& record);

/// The regression file of a cause, for the suite `regressions` and for `replay`. Cases of one file run in its order in
/// one process; the last one fails.
std::string RegressionText(const CampaignOptions& options, const CampaignCause& cause);

struct EarlierCampaign {
  std::string backend;
  CampaignRecord record;  ///< without findings and causes
};

/// Writes the regression file of a cause. Empty, or why it could not be written.
std::string WriteRegressionFile(const std::string& folder, const CampaignOptions& options, const CampaignCause& cause);

/// Reads campaign.json; nothing if there is no such file or it cannot be read.
std::optional<EarlierCampaign> ReadSummary(const std::string& path);

/// The file's name, made from the smallest case: "wrong-value-1f3a9c2e.txt".
std::string FileNameOf(const CampaignCause& cause);

/// The remarks that a reader of the causes needs: findings that were not judged again or cannot be read, and the notes.
std::vector<std::string> RemarksOf(const CampaignRecord& record);

/// "deconv-cts replay --backend B CASE"; of a cause with several cases, the file.
std::string ReplayOf(const CampaignOptions& options, const CampaignCause& cause);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_SUMMARY_H_
