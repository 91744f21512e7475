// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the causes of findings: each finding is judged again as the gate judges it, findings with the same cause are
// grouped, and one case of each cause is minimized.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "conformance/run/runner.h"
#include "fuzz/cases/finding_file.h"

namespace fuzz {

struct CauseOptions {
  std::string backend;
  int jobs = 1;
  conformance::JudgeLimits limits;
  double diagnosis_seconds = 30;
  double minimize_seconds = 10;     ///< time for each cause
  std::size_t most_findings = 300;  ///< most that are judged again; of more findings, some of every kind
};

struct CampaignCause {
  std::string title;                    ///< the cause, one sentence
  std::vector<std::string> hypotheses;  ///< planted faults that do the same; may be empty
  std::size_t findings = 0;             ///< judged again and explained by this cause
  std::string failure;                  ///< class of the smallest
  std::string message;                  ///< message of the smallest
  std::string line;                     ///< the smallest case that was found
  std::string smallest;                 ///< the case that minimizing it gave
  std::string replay_options;
};

struct CampaignCauses {
  std::vector<CampaignCause> causes;  ///< the largest first
  std::vector<FoundCase>
      unconfirmed;             ///< passed when they were judged again: they may depend on earlier calls or on chance
  std::size_t judged = 0;      ///< findings that were judged again, or whose very case was
  std::size_t unreadable = 0;  ///< findings whose line is no case
  bool complete = true;        ///< no interruption came before the end
  conformance::RunRecord run;  ///< the gate's record of the findings, for its reports
};

/// `passing`: lines of cases, some of which pass; a cause must explain why they do.
std::variant<CampaignCauses, conformance::BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                                           const std::vector<std::string>& passing,
                                                                           const CauseOptions& options);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
