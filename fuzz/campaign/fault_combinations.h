// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Explains failing cases of a campaign by combinations of planted faults. A planted fault is a defect that a test
// backend has on purpose; it explains a failure of the backend under test if it gives the same wrong answer. A backend
// with two defects often gives answers that no single planted fault gives. The faults of the known causes are tried one
// by one, then two or three or all of them together. Then each other planted fault is tried, alone and with one of
// them.

#ifndef DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_
#define DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/diagnosis/failure_signature.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/suite/suite.h"
#include "fuzz/findings/joined_faults.h"

namespace fuzz {

/// The known causes, and what they explain together. A "trial" is a case with the backend's answer to it; planted
/// faults are tried on it.
class FaultCombinations {
 public:
  /// Starts the backend under test. If that fails, no case is explained.
  FaultCombinations(const std::string& backend, const conformance::JudgeLimits& limits);

  /// Adds a cause, given by the name of its planted fault. Causes are numbered in the order in which they are added.
  void AddCause(std::string_view fault_name);
  std::size_t causes() const { return causes_.size(); }
  /// Pairs of planted faults that no combination has together, because both change the same step of the computation.
  const std::set<std::pair<std::string, std::string>>& conflicts() const { return conflicts_; }

  /// Whether the case is small enough for planted faults. False also if the backend did not start, or after an
  /// interruption. Runs the case on the backend.
  bool IsSmall(const conformance::Case& test_case) { return TrialOn(test_case) != nullptr; }
  /// A simpler case that is small enough for planted faults and has a failure of this kind, such as a wrong output.
  /// Nothing if none is found.
  std::optional<conformance::Case> SmallFailingCaseLike(const conformance::Case& test_case,
                                                        conformance::CauseKind kind);
  /// The numbers of the causes that together give the backend's answer to the case. Empty if none do, if the case is
  /// too large for planted faults, if the backend did not start, or after an interruption.
  std::vector<std::size_t> CausesExplaining(const conformance::Case& test_case);

  /// Planted faults that act alone or beside a known cause. Each fault, alone or together with a cause, gives the
  /// backend's answers to the same failures.
  struct AdditionalFaults {
    std::vector<const conformance::faults::Fault*> faults;
    std::size_t smallest = 0;  ///< index of the smallest failure that they explain
  };
  /// Looks for the faults that explain the most of the smallest `failures`: at least two. Without known causes, they
  /// must explain at least half of these, and at least four. A fault must not contradict other cases. Together with it,
  /// the causes must still explain each of the failures `explained`, and each of the passing cases `passes` must still
  /// pass. Returns nothing if there is no such fault, or if `has_time` returns false before the end.
  std::optional<AdditionalFaults> FindAdditionalFaults(const std::vector<conformance::Case>& failures,
                                                       const std::vector<conformance::Case>& explained,
                                                       const std::vector<conformance::Case>& passes,
                                                       const std::function<bool()>& has_time);

  struct MinimizedTrial {
    conformance::Case smallest;
    conformance::CaseResult result;  ///< the result of `smallest`
    bool complete = false;           ///< false: the time was up
  };
  /// Minimizes `test_case` among the failing cases that the known causes do not explain. With `additional`, this fault,
  /// alone or together with a cause, must give the answer. `is_alike` must be true of each result. Returns nothing if
  /// `test_case` is no such case.
  std::optional<MinimizedTrial> Minimized(const conformance::Case& test_case,
                                          const conformance::faults::Fault* additional, double seconds,
                                          const std::function<bool(const conformance::CaseResult&)>& is_alike);

 private:
  using Fault = conformance::faults::Fault;
  struct Combination {
    std::vector<std::size_t> causes;   ///< their numbers
    std::vector<const Fault*> faults;  ///< the planted faults of the causes
    JoinedFaults joined;               ///< a test backend with these faults
  };

  void AddCombination(std::vector<std::size_t> causes, std::vector<const Fault*> faults);
  void JoinAll();
  std::vector<std::size_t> ActingCauses(const conformance::Trial& trial) const;
  std::optional<conformance::Trial> ObserveTrial(const conformance::Case& test_case);
  const conformance::Trial* TrialOn(const conformance::Case& test_case);
  std::vector<const conformance::Trial*> TrialsOnSmallest(std::vector<conformance::Case> cases, std::size_t most,
                                                          const std::function<bool()>& has_time,
                                                          bool (*is_chosen)(const conformance::Trial&));
  const Combination* FirstCombinationFor(const conformance::Trial& trial);
  std::vector<JoinedFaults> WithEachCause(const Fault& additional) const;
  bool AnyGivesAnswer(const conformance::Trial& trial, std::vector<JoinedFaults>& joined) const;
  void KeepThoseThatExplainMost(std::vector<const Fault*>& faults,
                                const std::vector<const conformance::Trial*>& failures) const;
  bool Contradicts(const Fault& additional, const std::vector<const conformance::Trial*>& explained,
                   const std::vector<const conformance::Trial*>& passes);

  conformance::ObservingJudge judge_;
  const std::atomic<int>* interrupt_;
  bool started_ = false;
  std::vector<const Fault*> causes_;  ///< the planted fault of each cause, by the cause's number
  std::set<std::pair<std::string, std::string>> conflicts_;
  std::vector<Combination> combinations_;  ///< those of the fewest causes first
  std::optional<Combination> all_;         ///< all causes together, if more than a combination holds
  std::map<std::string, std::optional<conformance::Trial>> trials_;  ///< by case line
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CAMPAIGN_FAULT_COMBINATIONS_H_
