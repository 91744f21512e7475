// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the causes of findings, the failing cases that a fuzzing campaign kept. A user wants to see each defect of the
// backend once and in a small case, not a thousand failing cases. First the findings are judged again, as `deconv-cts
// run` does it. Then findings with the same cause are grouped. At last one case of each cause is minimized.
//
// A cause is named by a planted fault if possible: a known defect of a test backend that gives the same wrong answers.

#ifndef DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
#define DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance/run/expectations.h"
#include "conformance/run/failure_causes.h"
#include "conformance/run/runner.h"
#include "fuzz/findings/finding_file.h"

namespace fuzz {

/// The options of FindCampaignCauses().
struct CauseOptions {
  std::string backend;
  int jobs = 1;
  conformance::JudgeLimits limits = {};  ///< the time limit of a case, and the user's interruption
  double diagnosis_seconds = 30;    ///< time for all steps; a hang, or a backend that loads slowly, may take longer
  double minimize_seconds = 10;     ///< most time to minimize the case of one cause
  std::size_t most_findings = 200;  ///< most findings that are judged again; some of every kind are chosen
  std::vector<conformance::Expectation> expected = {};  ///< known failures
  /// Returns the cases that ran before a finding, by the finding's line; empty if the failure seems to need none.
  std::function<std::vector<std::string>(const std::string&)> earlier_cases = [](const std::string&) {
    return std::vector<std::string>();
  };
};

/// A cause of failures, and a small case that shows it.
struct CampaignCause {
  std::string title;                    ///< the cause, one sentence
  std::vector<std::string> hypotheses;  ///< names of planted faults that give the same answers; may be empty
  std::size_t findings = 0;             ///< findings that were judged again and have this cause
  std::string failure;                  ///< failure class of `smallest`
  std::string message;                  ///< message of `smallest`
  std::string line;                     ///< the finding that was minimized, as a case line
  std::string smallest;                 ///< the minimized case, as a case line
  std::vector<std::string> before;      ///< lines of cases that must run before `smallest` in its process; usually none
  bool minimized = true;                ///< false: the time was up; a smaller case may exist
  std::string replay_options;           ///< options that `deconv-cts replay` needs to show the failure; may be empty
  conformance::CaseResult result;       ///< the result of `smallest`
  conformance::CauseKind kind = conformance::CauseKind::kWrongOutput;
};

/// The result of FindCampaignCauses().
struct CampaignCauses {
  /// The worst first: wrong outputs before refusals. Of equally bad ones, those come last that a declaration of the
  /// backend's arithmetic, such as "sums in f32", would excuse, or whose operator a backend may refuse. Then those come
  /// first whose smallest case has small integers as values, then those with the most findings.
  std::vector<CampaignCause> causes;
  /// Findings that passed when they were judged again: they may depend on earlier calls or chance.
  std::vector<FoundCase> unconfirmed;
  std::vector<std::string> expected;  ///< lines of findings that are known failures
  std::size_t different = 0;          ///< number of different cases among the findings
  std::size_t judged = 0;             ///< how many of the different cases were judged again
  std::size_t unreadable = 0;         ///< findings whose line is no case
  /// Pairs of planted faults that were not tried together, because both change the same step of the computation. A case
  /// on which both defects act may be a cause of its own.
  std::vector<std::pair<std::string, std::string>> conflicts;
  bool complete = true;        ///< false: the user interrupted the search
  bool out_of_time = false;    ///< true: the time was too short for all steps
  conformance::RunRecord run;  ///< the record of judging the findings, for the report writers of `deconv-cts run`
};

/// Functions that FindCampaignCauses() calls while it works.
struct CauseEvents {
  /// Called with a text such as "judging 120 of 371".
  std::function<void(const std::string&)> on_progress = [](const std::string&) {};
  /// Called with each cause as soon as it is known, so that the caller can write it to a file at once.
  std::function<void(const CampaignCause&)> on_cause = [](const CampaignCause&) {};
};

/// Finds the causes of `findings`. `passing` has lines of other cases, which are judged, too: a planted fault with
/// which a case would fail that passes on the backend is not the cause. After an interruption or the end of the time,
/// the remaining causes keep cases that are not minimized. Returns an error if the backend cannot be started.
std::variant<CampaignCauses, conformance::BackendError> FindCampaignCauses(const std::vector<FoundCase>& findings,
                                                                           const std::vector<std::string>& passing,
                                                                           const CauseOptions& options,
                                                                           const CauseEvents& events);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_CAMPAIGN_CAUSES_H_
