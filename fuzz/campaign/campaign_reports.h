// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The reports of a campaign for other programs: JUnit for CI systems, and SARIF for code scanning.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_

#include <string>

#include "conformance/report/report_file.h"
#include "fuzz/campaign/campaign.h"

namespace fuzz {

/// The files are opened before the campaign, so that a bad path costs no campaign.
class CampaignReports {
 public:
  /// Empty, or what is wrong with a path.
  std::string Open(const CampaignOptions& options);

  /// Writes the reports as those of a run with the suite "campaign". Its cases are the smallest cases of the causes,
  /// which fail, and the case "search". That one passes if there is no finding, and tells of findings without causes.
  /// Empty, or the first file that could not be written, and why.
  std::string Commit(const CampaignOptions& options, const CampaignRecord& record, int exit_code);

 private:
  conformance::ReportFile junit_;
  conformance::ReportFile sarif_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_REPORTS_H_
