// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes findings, so that each shows one cause in a small case. If a finding passes alone, finds the earlier cases
// that it needs to fail.

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
  std::string line;
  conformance::CaseResult result;
  std::vector<std::string> before = {};  ///< cases that must run before it
  bool minimized = true;                 ///< false: the time was up before the smallest case was found
};

/// The number of the cause whose case is minimized, and how many causes share the time that is left.
struct CauseTurn {
  std::size_t number = 1;
  std::size_t left = 1;
};

/// Minimizes judged findings among the failures of their family (failure_family.h), each for a share of the time.
class MinimizedFindings {
 public:
  MinimizedFindings(const CauseOptions& options, const CauseTime& time, const CauseEvents& events,
                    const JudgedFindings& judged, Combinations& combinations)
      : options_(options), time_(time), events_(events), judged_(judged), combinations_(combinations) {}

  /// Minimizes a finding. Returns it unchanged if the time is over.
  const MinimizedFinding& Of(std::size_t case_index, CauseTurn turn);
  /// Minimizes a finding, but keeps only simpler cases that no known cause explains. A simpler case that a known cause
  /// explains says nothing about the unknown one. With `additional`, this planted fault together with a known cause
  /// must explain each case.
  MinimizedFinding UnexplainedOf(std::size_t case_index, CauseTurn turn,
                                 const conformance::faults::Fault* additional = nullptr);
  /// Finds the earlier cases that a finding needs to fail. Candidates are the cases that ran before it in the engine,
  /// or, if these are unknown, the findings before it in the list.
  std::optional<MinimizedFinding> WithEarlierCases(std::size_t case_index);

 private:
  MinimizedFinding Minimize(std::size_t case_index, CauseTurn turn);
  void Tell(CauseTurn turn) const;

  const CauseOptions& options_;
  const CauseTime& time_;
  const CauseEvents& events_;
  const JudgedFindings& judged_;
  Combinations& combinations_;
  std::map<std::size_t, MinimizedFinding> minimized_;  ///< results of Of()
};

// Finds the earlier cases on which a failure depends. A backend may keep state from call to call, or damage its heap. A
// case then passes alone, and fails only after another case in the same process.

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
