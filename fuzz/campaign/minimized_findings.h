// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes findings, the failing cases of a fuzzing campaign: makes them as small as possible, so that each shows one
// defect of the backend. If a finding passes alone, finds the earlier cases that must run before it in the same process
// so that it fails.

#ifndef DECONV_FUZZ_CAMPAIGN_MINIMIZED_FINDINGS_H_
#define DECONV_FUZZ_CAMPAIGN_MINIMIZED_FINDINGS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/result.h"
#include "fuzz/campaign/campaign_causes.h"
#include "fuzz/campaign/cause_time.h"
#include "fuzz/campaign/fault_combinations.h"
#include "fuzz/campaign/judged_findings.h"

namespace fuzz {

/// The result of minimizing a finding.
struct MinimizedFinding {
  std::string line;                      ///< the smallest case, as a case line
  conformance::CaseResult result;        ///< its verdict
  std::vector<std::string> before = {};  ///< lines of the cases that must run before it; usually none
  bool minimized = true;                 ///< false: the time was up before the smallest case was found
};

/// The cause whose case is minimized. It decides the progress message and the time.
struct CauseTurn {
  std::size_t number = 1;  ///< 1 for the first cause of the search
  std::size_t left = 1;    ///< how many causes share the time that is left, this one included
};

/// Minimizes judged findings among the failures of their family (failure_family.h), each for a share of the time.
class MinimizedFindings {
 public:
  MinimizedFindings(const CauseOptions& options, const CauseTime& time, const CauseEvents& events,
                    const JudgedFindings& judged, FaultCombinations& combinations)
      : options_(options), time_(time), events_(events), judged_(judged), combinations_(combinations) {}

  /// Minimizes a finding, given by its index in `judged`. Returns it unchanged if the time is over. Remembers the
  /// result.
  const MinimizedFinding& Minimized(std::size_t case_index, CauseTurn turn);
  /// Minimizes a finding, but keeps only simpler cases that no known cause explains. A simpler case that a known cause
  /// explains says nothing about the unknown one. `additional` is a planted fault, a known defect of a test backend. If
  /// it is given, it must give the backend's answer to each case, alone or together with a known cause.
  MinimizedFinding MinimizedUnexplained(std::size_t case_index, CauseTurn turn,
                                        const conformance::faults::Fault* additional = nullptr);
  /// Finds the earlier cases that a finding needs to fail. Candidates are the cases that ran before it in the engine,
  /// or, if these are unknown, the findings before it in the list.
  std::optional<MinimizedFinding> WithEarlierCases(std::size_t case_index);

 private:
  MinimizedFinding Minimize(std::size_t case_index, CauseTurn turn);
  void ReportProgress(CauseTurn turn) const;

  const CauseOptions& options_;
  const CauseTime& time_;
  const CauseEvents& events_;
  const JudgedFindings& judged_;
  FaultCombinations& combinations_;
  std::map<std::size_t, MinimizedFinding> minimized_;  ///< results of Minimized()
};

// A backend may keep state from call to call, or damage its heap. A case then passes alone, and fails only after
// another case in the same process. The functions below find these earlier cases.

/// Cases that run in this order in one process. The last case fails, although it passes alone.
struct CasesInOrder {
  std::vector<std::string> before;  ///< the earlier cases; usually one
  std::string line;                 ///< the case that fails
  conformance::CaseResult result;   ///< the result of `line`
};

/// Finds the fewest of the `earlier` cases, given in order, after which the case `line` fails. Minimizes each of these
/// cases. Returns nothing if `line` fails alone, if it passes after all earlier cases, or if `seconds` are over.
std::optional<CasesInOrder> FindEarlierCases(const std::string& line, const std::vector<std::string>& earlier,
                                             const CauseOptions& options, double seconds);

/// Whether the case fails after these cases in a new process. False, too, if `seconds` are over before it has failed.
bool FailsAfter(const std::vector<std::string>& before, const std::string& line, const CauseOptions& options,
                double seconds);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_MINIMIZED_FINDINGS_H_
