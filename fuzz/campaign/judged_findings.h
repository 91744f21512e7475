// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses findings, the failing cases of a campaign, and judges them again. A campaign may have thousands; a few of
// every kind suffice to find the causes. The gate (`deconv-cts run`) judges in the same way. Some cases of the corpus
// are judged too, because a cause must agree with the cases that pass. The diagnosis of the gate then groups the
// failures by cause.

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
  std::vector<FoundCase> findings;
  std::size_t unreadable = 0;  ///< lines that are no cases
  std::size_t different = 0;   ///< number of different cases among all findings
};

/// Chooses at most `most` findings. All kinds (failure class, operator, type) take turns, so that no kind displaces
/// another. Each kind gives its smallest finding, its newest, its second smallest, and so on. Small cases are chosen
/// because planted faults are tried on small cases only. New ones are chosen so that early campaigns do not hide late
/// ones. Findings that no cause explained when they were found go first, up to half of all: each may have a new cause.
ChosenFindings ChooseFindings(const std::vector<FoundCase>& findings, std::size_t most);

/// The name of the suite that the findings form.
inline constexpr const char* kFoundSuite = "found";

/// The case of a line as an entry of a suite. Nothing if the line is no case.
std::optional<conformance::SuiteCase> SuiteCaseOf(const std::string& suite, std::size_t number,
                                                  const std::string& line);

/// Judges a list of cases, and finds the causes of its failures. The indices of findings are the indices of their
/// cases.
class JudgedFindings {
 public:
  JudgedFindings(const CauseOptions& options, CauseTime& time, const CauseEvents& events,
                 const std::vector<FoundCase>& found, const std::vector<std::string>& passing);

  /// Whether the case failed, and the failure is not known.
  static bool IsFailure(const conformance::CaseResult& result) {
    return result.verdict.status == conformance::Status::kFail && result.verdict.known_failure.empty();
  }

  const std::optional<conformance::BackendError>& error() const { return error_; }
  conformance::RunRecord& record() { return record_; }
  /// The groups of failures that the diagnosis found.
  std::vector<conformance::Cause> causes() const;
  /// The title of a cause of these cases: how they fail, and the declaration that excuses all of them, if one does.
  std::string TitleOf(const std::vector<std::size_t>& case_indices, bool vanished) const;
  /// The result of a case; null if it was not judged.
  const conformance::CaseResult* At(std::size_t case_index) const { return ResultAt(record_.results, case_index); }
  const conformance::SuiteCase& CaseAt(std::size_t case_index) const { return case_list_[case_index]; }
  /// Indices of the cases that passed.
  std::vector<std::size_t> passes() const;
  bool out_of_time() const { return out_of_time_; }

 private:
  void Add(const std::string& suite, std::size_t number, const std::string& line, const std::string& failure);
  void Judge(const CauseOptions& options, CauseTime& time, const CauseEvents& events);
  void CheckAlone(const CauseOptions& options, const CauseTime& time, const CauseEvents& events);
  void Explain(const CauseOptions& options, const CauseTime& time);

  std::vector<conformance::SuiteCase> case_list_;
  conformance::RunRecord record_;
  std::optional<conformance::BackendError> error_;
  bool out_of_time_ = false;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_JUDGED_FINDINGS_H_
