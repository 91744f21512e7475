// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the causes of failures that a fuzzing campaign has found so far, and decides whether one of them explains a new
// failing case. A failing case that none explains is kept as a finding. So a frequent defect of the backend does not
// hide a rare one that fails in the same way, for example with wrong values.

#ifndef DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_
#define DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/diagnosis/hypothesis.h"
#include "fuzz/findings/backend_judge.h"
#include "fuzz/findings/joined_faults.h"
#include "fuzz/findings/minimal_features.h"

namespace fuzz {

/// A cause is described in one of two ways:
///   - by planted faults, known defects of a test backend. A fault explains a case if it gives the backend's answer to
///     it, alone or together with the faults of the other causes. A fault that may be the cause is called a hypothesis.
///   - by the smallest case that fails. It explains a case that has all of its features (minimal_features.h), such as a
///     stride of at least 2, on two conditions. No simpler case without these features fails. The smallest case still
///     fails with the element type, kernel, stride, dilation and pads of that case.
class Explanations {
 public:
  /// Whether a known cause explains a case; kNoTime if there was no time to find out.
  enum class Answer { kExplained, kNew, kNoTime };

  /// The first failing cases of a cause are answered with kNew although it explains them: at its end, the campaign
  /// finds causes anew with more time, and needs examples for that.
  static constexpr std::size_t kExamples = 8;

  /// The share of the time that comparisons may take, beside 5 s at the start.
  static constexpr double kShareOfTime = 0.4;

  explicit Explanations(BackendJudge& judge, double share_of_time = kShareOfTime)
      : judge_(judge), share_of_time_(share_of_time) {}

  /// Decides whether a known cause explains a failing case of a valid operator. `judged` is the verdict on it. If no
  /// cause does, learns a new cause from the case. It may then set `smaller` to a smaller case that fails by this cause
  /// alone.
  Answer ExplainOrLearn(const conformance::Case& test_case, const JudgedInput& judged,
                        std::optional<conformance::Case>& smaller);

  /// Remembers a case that passed. A planted fault with which it would fail is not the cause.
  void NotePassed(const conformance::Case& test_case);

 private:
  using Clock = std::chrono::steady_clock;

  /// A known cause.
  struct KnownCause {
    std::vector<conformance::Hypothesis> hypotheses;  ///< planted faults that gave all answers so far
    std::optional<SmallestCase> smallest;             ///< set if there are no hypotheses
    conformance::FailureClass failure = conformance::FailureClass::kNone;
    std::size_t explained = 0;  ///< number of cases that it explained
  };

  // explanations.cc says what these functions do. A trial is a case with the backend's answer to it, on which planted
  // faults are tried.
  std::optional<conformance::Trial> TrialOn(const conformance::Case& test_case, const JudgedInput& judged) const;
  bool IsExplainedBySettledCause(const conformance::Case& test_case, const JudgedInput& judged);
  std::vector<const conformance::faults::Fault*> NamedFaults(const KnownCause* besides = nullptr) const;
  JoinedFaults& Joined(const std::vector<const conformance::faults::Fault*>& faults);
  bool GivesAnswer(const conformance::Trial& trial, conformance::Hypothesis& hypothesis,
                   std::vector<const conformance::faults::Fault*> others);
  KnownCause* FindByHypothesis(const conformance::Trial& trial);
  KnownCause* FindBySmallest(const conformance::Case& test_case, conformance::FailureClass failure);
  bool StillFails(const conformance::Case& changed);
  std::optional<conformance::Case> SmallFailingCaseLike(const conformance::Case& test_case,
                                                        conformance::FailureClass failure);
  std::optional<conformance::Case> FailingCaseWithout(const conformance::Case& test_case, const KnownCause& known);
  bool FailsUnexplained(const conformance::Case& test_case, conformance::FailureClass failure);
  std::vector<conformance::Hypothesis> HypothesesOf(const conformance::Trial& trial);
  std::vector<conformance::Hypothesis> HypothesesWith(const std::vector<const conformance::faults::Fault*>& others,
                                                      const conformance::Trial& trial);
  void Learn(const conformance::Case& test_case, const JudgedInput& judged, std::optional<conformance::Case>& smaller);
  void LearnFromSmallest(const conformance::Case& test_case, KnownCause& learnt,
                         std::optional<conformance::Case>& smaller);
  bool HasTime() const;

  BackendJudge& judge_;
  double share_of_time_;
  std::vector<KnownCause> known_;
  std::map<std::vector<const conformance::faults::Fault*>, JoinedFaults> joined_;  ///< results of Joined()
  std::deque<std::unique_ptr<conformance::PreparedCase>> passes_;                  ///< some of the last passing cases
  std::size_t passed_ = 0;                                                         ///< number of all passing cases
  Clock::time_point start_ = Clock::now();
  Clock::duration spent_ = Clock::duration::zero();  ///< time of all comparisons so far
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_
