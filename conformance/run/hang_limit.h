// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Limits the time that a run loses to hangs. Each hang costs the whole time limit of a case, so that a backend that
// hangs often would hold up a run for hours.

#ifndef DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_
#define DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "conformance/suite/suite.h"

namespace conformance {

/// Bounds the hangs of a run to three times `most`, and as many more as there are workers. A kind is a suite and an
/// operator kind.
///   - From `most` hangs on, the cases of each kind that has hung are left out, except a sample.
///   - From twice as many on, so are the cases of all kinds.
///   - From three times as many on, the sample is left out too.
/// In addition, `most` cases may be judged again before they count as hangs.
/// May be used by several threads at once.
class HangLimit {
 public:
  /// `most`: 0 leaves out nothing.
  explicit HangLimit(std::size_t most) : most_(most) {}

  /// One in so many cases of a kind that would be left out is run all the same ...
  static constexpr std::size_t kSampleStep = 20;
  /// ... from this one on, so that a kind with few cases left has a sample too ...
  static constexpr std::size_t kFirstOfSample = 2;
  /// ... until so many of these have hung too: what the sample could tell is told then.
  static constexpr std::size_t kMostSampleHangs = 2;

  void CountHang(const SuiteCase& suite_case);
  /// Whether another case may be judged again before it counts as a hang: `most` cases of a run may (0: all).
  bool GrantsSecondLook();
  /// Whether the case is to be left out. To be asked once for each case.
  bool LeavesOut(const SuiteCase& suite_case);
  /// The reason, which is the same for all cases of a kind, so that reports count them together.
  std::string ReasonFor(const SuiteCase& suite_case) const;

 private:
  struct Kind {
    std::size_t hangs = 0;
    std::size_t asked = 0;         ///< since it is left out
    std::size_t sample_hangs = 0;  ///< since it is left out
  };
  using Key = std::pair<std::string, oracle::OperatorKind>;
  static Key KeyOf(const SuiteCase& suite_case) { return {suite_case.suite, suite_case.test_case.op.kind}; }

  const std::size_t most_;
  std::mutex mutex_;  ///< guards the members below
  std::size_t hangs_ = 0;
  std::size_t second_looks_ = 0;
  std::map<Key, Kind> kinds_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_HANG_LIMIT_H_
