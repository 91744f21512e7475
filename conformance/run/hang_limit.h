// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits the time that a run loses to hangs, and distinguishes a slow backend from one that hangs. Each hang costs the
// whole time limit of a case, so a run of a backend that hangs often would take hours. After too many hangs, cases like
// those that hung are left out.

#ifndef DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_
#define DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Limits the hangs of a run to 3 * `most`, plus one for each worker. Cases of the same suite and operator kind are
/// cases of one kind.
///   - From `most` hangs on, cases of each kind that has hung are left out, except a sample of every 20th case.
///   - From 2 * `most` hangs on, cases of all kinds are left out, except such a sample.
///   - From 3 * `most` hangs on, the samples are left out too.
/// In addition, `most` cases may be judged again before they count as hangs. Several threads may use an object at once.
class HangLimit {
 public:
  /// If `most` is 0, no case is left out.
  explicit HangLimit(std::size_t most) : most_(most) {}

  /// One in 20 of the cases that would be left out is run as a sample.
  static constexpr std::size_t kSampleStep = 20;
  /// The index of the first case of the sample. It is small, so that a kind with few remaining cases has a sample too.
  static constexpr std::size_t kFirstOfSample = 2;
  /// The sample of a kind ends after two hangs, because further hangs would show nothing new.
  static constexpr std::size_t kMostSampleHangs = 2;

  void CountHang(const SuiteCase& suite_case);
  /// Whether one more case may be judged again before it counts as a hang. True for the first `most` calls, or for all
  /// if `most` is 0.
  bool AllowsSecondLook();
  /// Whether the case is to be left out. Call it once for each case, because it counts the cases of the sample.
  bool ShouldSkip(const SuiteCase& suite_case);
  /// The reason, which is the same for all cases of a kind, so that reports count them together.
  std::string ReasonFor(const SuiteCase& suite_case) const;

 private:
  struct Kind {
    std::size_t hangs = 0;
    std::size_t asked = 0;         ///< calls of ShouldSkip() since cases of this kind are left out
    std::size_t sample_hangs = 0;  ///< hangs since the first of these calls
  };
  using Key = std::pair<std::string, oracle::OperatorKind>;
  static Key KeyOf(const SuiteCase& suite_case) { return {suite_case.suite, suite_case.test_case.op.kind}; }

  const std::size_t most_;
  std::mutex mutex_;  ///< guards the members below
  std::size_t hangs_ = 0;
  std::size_t second_looks_ = 0;
  std::map<Key, Kind> kinds_;
};

// The second look. If the backend still computed at the time limit, the case is judged again with a longer limit. Only
// its verdict counts. A backend may be slow because it compiles an operator in its first run.

/// Whether the case gets a second look before it counts as a hang. Each true uses up one of the second looks of
/// `limit`.
bool NeedsSecondLook(const CaseResult& first, HangLimit& limit);

/// The limits for the judge of second looks. With the usual 10 s, a run of little work may take a minute.
JudgeLimits LimitsOfSecondLook(JudgeLimits limits);

/// The verdict of the second look. Its message also states the result of the first try.
CaseResult VerdictOfSecondLook(const CaseResult& first, CaseResult second);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_
