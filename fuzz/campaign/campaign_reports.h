// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the reports of a campaign for other programs: JUnit for CI systems, and SARIF for code scanning.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_

#include <string>

#include "conformance/report/report_file.h"
#include "fuzz/campaign/campaign.h"

namespace fuzz {

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

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
