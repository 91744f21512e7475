// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses findings, the failing cases of a fuzzing campaign, and judges them again in the way of `deconv-cts run`. A
// campaign may have thousands of findings; a few of every kind suffice to find the causes. Some cases of the corpus,
// the inputs of the fuzzer, are judged too, because a cause must agree with the cases that pass. The diagnosis of
// `deconv-cts run` then groups the failures by cause.

#ifndef DECONV_FUZZ_CAMPAIGN_JUDGED_FINDINGS_H_
#define DECONV_FUZZ_CAMPAIGN_JUDGED_FINDINGS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign_causes.h"
#include "fuzz/campaign/cause_time.h"
#include "fuzz/findings/finding_file.h"

namespace fuzz {

inline constexpr std::size_t kMostHangs = 2;     ///< most hangs: each takes its whole time limit, several times
inline constexpr std::size_t kMostCrashes = 24;  ///< most crashes: each needs new processes

/// The result of ChooseFindings().
struct ChosenFindings {
  std::vector<FoundCase> findings;  ///< the chosen ones, in the order in which they are to be judged
  std::size_t unreadable = 0;       ///< number of findings whose line is no case
  std::size_t different = 0;        ///< number of different cases among all findings
};

/// Chooses at most `most` findings. All kinds (failure class, operator, type) take turns, so that no kind displaces
/// another. Each kind gives its smallest finding, its newest, its second smallest, and so on. Small cases are chosen
/// because planted faults are tried on small cases only. New ones are chosen so that early campaigns do not hide late
/// ones. Findings that no cause explained when they were found go first, up to half of all: each may have a new cause.
ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most);

/// The name of the suite that the findings form.
inline constexpr const char* kFoundSuite = "found";

/// The case of a line as an entry of a suite, named by `number`. Nothing if the line is no case.
std::optional<conformance::SuiteCase> SuiteCaseOf(const std::string& suite, std::size_t number,
                                                  const std::string& line);

/// A list of cases that were judged, and the causes of the failures. The findings come first, so the indices of
/// findings are the indices of their cases.
class JudgedFindings {
 public:
  /// Judges the findings `found` and the cases with the lines `passing`, and diagnoses the failures.
  JudgedFindings(const CauseOptions& options, CauseTime& time, const CauseEvents& events,
                 const std::vector<FoundCase>& found, const std::vector<std::string>& passing);

  /// Whether the case failed, and the failure is not known.
  static bool IsFailure(const conformance::CaseResult& result) {
    return result.verdict.status == conformance::Status::kFail && result.verdict.known_failure.empty();
  }

  /// Why the backend could not be started; nothing if it was.
  const std::optional<conformance::BackendError>& error() const { return error_; }
  conformance::RunRecord& record() { return record_; }
  /// The groups of failures that the diagnosis found.
  std::vector<conformance::Cause> causes() const;
  /// The title of a cause of these cases: how they fail, and the declaration of the backend's arithmetic that would
  /// excuse all of them, if one does. `vanished`: the failures did not happen again.
  std::string TitleOf(const std::vector<std::size_t>& case_indices, bool vanished) const;
  /// The result of a case; null if it was not judged.
  const conformance::CaseResult* ResultOf(std::size_t case_index) const {
    return ResultAt(record_.results, case_index);
  }
  const conformance::SuiteCase& CaseAt(std::size_t case_index) const { return case_list_[case_index]; }
  /// Indices of the cases that passed.
  std::vector<std::size_t> passes() const;
  bool out_of_time() const { return out_of_time_; }

 private:
  void AddCase(const std::string& suite, std::size_t number, const std::string& line, const std::string& failure);
  void JudgeCaseList(const CauseOptions& options, CauseTime& time, const CauseEvents& events);
  void JudgeFailuresAlone(const CauseOptions& options, const CauseTime& time, const CauseEvents& events);
  void ExplainFailures(const CauseOptions& options, const CauseTime& time);

  std::vector<conformance::SuiteCase> case_list_;
  conformance::RunRecord record_;
  std::optional<conformance::BackendError> error_;
  bool out_of_time_ = false;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_JUDGED_FINDINGS_H_
