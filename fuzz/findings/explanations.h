// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The causes that a search has found so far, and whether they explain another failing case. A frequent defect then does
// not hide a rare one that fails in the same class.

#ifndef DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_
#define DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/diagnosis/hypothesis.h"
#include "fuzz/findings/backend_judge.h"

namespace fuzz {

/// A cause is known by the planted faults that give the backend's answers, or by the smallest case that fails so.
///   - Planted faults explain a case if one of them gives the answer of the backend to it.
///   - The smallest case explains a case that has all its features, if nothing simpler without them fails. It must
///     also fail with each stride, dilation and pad of that case.
class Explanations {
 public:
  enum class Answer { kExplained, kNew, kNoTime };

  /// The first failing cases that a cause explains are new all the same: they are what a diagnosis works with.
  static constexpr std::size_t kExamples = 8;

  explicit Explanations(BackendJudge& judge) : judge_(judge) {}

  /// Asks about a failing case of a valid operator. Learns a cause from a case that none explains, and may then put a
  /// smaller case, which fails by this cause alone, into `smaller`.
  Answer Ask(const conformance::Case& test_case, const JudgedInput& judged, std::optional<conformance::Case>& smaller);

  /// Remembers a case that passed: a planted fault that would fail it is not the cause.
  void Passed(const conformance::Case& test_case);

 private:
  using Clock = std::chrono::steady_clock;

  struct Known {
    std::vector<conformance::Hypothesis> hypotheses;  ///< planted faults that gave all answers so far
    std::optional<conformance::Case> smallest;        ///< set if there are no hypotheses
    conformance::FailureClass failure = conformance::FailureClass::kNone;
    std::size_t explained = 0;
    std::map<std::pair<std::size_t, std::int64_t>, bool> fails_with;  ///< the smallest case with another attribute
  };

  std::optional<conformance::Trial> TrialOn(const conformance::Case& test_case, const JudgedInput& judged) const;
  bool GivenBySettled(const conformance::Case& test_case, const JudgedInput& judged);
  Known* ByHypothesis(const conformance::Trial& trial);
  Known* BySmallest(const conformance::Case& test_case, conformance::FailureClass failure);
  bool ActsOn(Known& known, const conformance::Case& test_case);
  std::optional<conformance::Case> Reduced(const conformance::Case& test_case, conformance::FailureClass failure);
  std::optional<conformance::Case> FailingWithout(const conformance::Case& test_case, const Known& known);
  bool FailsUnexplained(const conformance::Case& test_case, conformance::FailureClass failure);
  std::vector<conformance::Hypothesis> HypothesesOf(const conformance::Trial& trial);
  void Learn(const conformance::Case& test_case, const JudgedInput& judged, std::optional<conformance::Case>& smaller);
  void LearnSmallest(const conformance::Case& test_case, Known& learnt, std::optional<conformance::Case>& smaller);
  bool HasTime() const;

  BackendJudge& judge_;
  std::vector<Known> known_;
  std::deque<std::unique_ptr<conformance::PreparedCase>> passes_;
  std::size_t passed_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::duration spent_ = Clock::duration::zero();
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_EXPLANATIONS_H_
