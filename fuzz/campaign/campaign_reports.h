// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes what a fuzzing campaign found. The summary in the campaign's folder consists of campaign.json, campaign.html,
// findings.html, and a regression file for each cause of failures. findings.html reports the findings as `deconv-cts
// run` does. Also writes reports for other programs, and reads the summary of an earlier campaign.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/report/report_file.h"
#include "fuzz/campaign/campaign.h"

namespace fuzz {

/// Writes the summary to the folder, each file as a whole or not at all. Regression files of earlier campaigns whose
/// causes are not in `record` move to findings/earlier/. Returns an empty string, or the first file that could not be
/// written, and why.
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

// Reports for other programs: JUnit for CI systems, and SARIF for code scanning.

/// The report files. They are opened before the campaign, so that a wrong path is noticed at once.
class CampaignReports {
 public:
  /// Opens the files that the options name. Returns an empty string, or what is wrong with a path.
  std::string Open(const CampaignOptions& options);

  /// Writes the reports in the form of a run with the suite "campaign". Its cases are the smallest cases of the causes,
  /// which fail, and the case "search". "search" passes unless the engine or the search for causes failed, no case was
  /// judged, or findings have no cause. Its message then says so. Returns an empty string, or the first file that could
  /// not be written, and why.
  std::string Commit(const CampaignOptions& options, const CampaignRecord& record, int exit_code);

 private:
  conformance::ReportFile junit_;
  conformance::ReportFile sarif_;
};

/// The text of campaign.html, which needs no other files. Defined in campaign_page.cc.
std::string CampaignPage(const CampaignOptions& options, const CampaignRecord& record);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
