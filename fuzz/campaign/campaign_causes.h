// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the causes of findings: each finding is judged again as the gate judges it, findings with the same cause are
// grouped, and one case of each cause is minimized.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_

#include <cstddef>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/run/expectations.h"
#include "conformance/run/failure_causes.h"
#include "conformance/run/runner.h"
#include "fuzz/findings/finding_file.h"

namespace fuzz {

struct CauseOptions {
  std::string backend;
  int jobs = 1;
  conformance::JudgeLimits limits = {};
  double diagnosis_seconds = 30;    ///< time for all of it; a hang may take longer
  double minimize_seconds = 10;     ///< most time for each cause
  std::size_t most_findings = 200;  ///< most that are judged again; of more findings, some of every kind
  std::vector<conformance::Expectation> expected = {};  ///< known failures
  /// The cases that ran before a finding, by its line; empty if the failure seems to depend on none.
  std::function<std::vector<std::string>(const std::string&)> earlier_cases = [](const std::string&) {
    return std::vector<std::string>();
  };
};

struct CampaignCause {
  std::string title;                    ///< the cause, one sentence
  std::vector<std::string> hypotheses;  ///< planted faults that do the same; may be empty
  std::size_t findings = 0;             ///< judged again and explained by this cause
  std::string failure;                  ///< class of the smallest
  std::string message;                  ///< message of the smallest
  std::string line;                     ///< the smallest case that was found
  std::string smallest;                 ///< the case that minimizing it gave
  std::vector<std::string> before;      ///< cases that must run before it in the same process; usually none
  std::string replay_options;
  conformance::CaseResult result;  ///< of the smallest
  conformance::CauseKind kind = conformance::CauseKind::kWrongOutput;
};

struct CampaignCauses {
  std::vector<CampaignCause> causes;  ///< the largest first
  std::vector<FoundCase>
      unconfirmed;  ///< passed when they were judged again: they may depend on earlier calls or on chance
  std::vector<std::string> expected;  ///< cases of findings that are known failures
  std::size_t different = 0;          ///< different cases of the findings
  std::size_t judged = 0;             ///< of them: judged again
  std::size_t unreadable = 0;         ///< findings whose line is no case
  bool complete = true;               ///< no interruption came before the end
  bool out_of_time = false;           ///< something was left out because the time was used up
  conformance::RunRecord run;         ///< the gate's record of the findings, for its reports
};

struct CauseEvents {
  /// Called with a text such as "judging 120 of 371".
  std::function<void(const std::string&)> on_progress = [](const std::string&) {};
  /// Called with each cause as soon as it is known: it may be written at once.
  std::function<void(const CampaignCause&)> on_cause = [](const CampaignCause&) {};
};

/// `passing`: lines of cases, some of which pass; a cause must explain why they do. An interruption or the end of the
/// time loses no cause: those that are left keep a case that is not minimized.
std::variant<CampaignCauses, conformance::BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                                           const std::vector<std::string>& passing,
                                                                           const CauseOptions& options,
                                                                           const CauseEvents& events);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
