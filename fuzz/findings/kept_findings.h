// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which failing cases of a fuzzing campaign are written to the file of findings. Their number is limited, so
// that a backend that is wrong everywhere does not fill the disk. The choice is by kinds of failures and by their known
// causes, so that a frequent failure does not hide a rare one.

#ifndef DECONV_FUZZ_FINDINGS_KEPT_FINDINGS_H_
#define DECONV_FUZZ_FINDINGS_KEPT_FINDINGS_H_

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/run/expectations.h"
#include "fuzz/cases/case_features.h"
#include "fuzz/cases/shared_state.h"
#include "fuzz/findings/explanations.h"

namespace fuzz {

/// A failing case is kept if one of three conditions holds:
///   - it is one of the first cases of its kind,
///   - it has a feature, that is a property such as "stride 2", that no failing case had before (case_features.h),
///   - or no known cause, a defect that was recognized before, explains it (explanations.h).
/// The kind of a valid operator is its failure class, operator and element type. The kind of an invalid operator is the
/// message of the finding without its numbers.
class KeptFindings {
 public:
  // These numbers are guesses.
  static constexpr int kFirstOfKind = 8;       ///< so many first cases of each kind are always kept
  static constexpr int kMostByFeature = 16;    ///< most cases of a kind that are kept for a new feature
  static constexpr int kMostUnexplained = 64;  ///< most cases of a kind that are kept because no cause explains them

  /// `expected`: the known failures. `share_of_time`: the share of the time that comparisons with causes may take.
  explicit KeptFindings(BackendJudge& judge, std::vector<conformance::Expectation> expected = {},
                        double share_of_time = Explanations::kShareOfTime)
      : judge_(judge), explanations_(judge, share_of_time), expected_(std::move(expected)) {}

  /// A failing case that is kept.
  struct Kept {
    conformance::Case test_case;
    Finding finding;
    bool unexplained = false;  ///< kept because no known cause explains it
  };

  /// Decides about a judged case, for which MarkFeatures() must have been called last. Returns the cases to write: this
  /// case, a smaller one that fails by the same cause, both or none. Counts a failing case that is not kept, here and
  /// in the shared state (shared_state.h).
  std::vector<Kept> Add(const conformance::Case& test_case, const JudgedInput& judged);
  const NotKept& not_kept() const { return not_kept_; }

 private:
  /// The counts of one kind of failing cases.
  struct Kind {
    int cases = 0;        ///< failing cases of the kind so far
    int by_feature = 0;   ///< cases that were kept for a new feature
    int unexplained = 0;  ///< cases that were kept because no cause explains them
  };

  bool IsDuplicate(const conformance::Case& test_case);
  bool IsExpected(const conformance::Case& test_case, const JudgedInput& judged) const;
  bool AddsFeature();
  void Count(std::uint64_t NotKept::* reason);

  BackendJudge& judge_;
  Explanations explanations_;
  std::vector<conformance::Expectation> expected_;
  std::unordered_set<std::string> lines_;  ///< lines of failing cases so far, to find duplicates
  std::map<std::string, Kind> kinds_;      ///< by the name of the kind
  std::bitset<kFeatures> features_;        ///< features of all failing cases
  NotKept not_kept_;
};

/// Makes the result of a case that failed in this class, as the suite would make it. conformance::MarkExpected() can
/// then compare it with the known failures. `declared`: what the backend declares to support.
conformance::CaseResult FailedResultOf(const conformance::Case& test_case, conformance::FailureClass failure,
                                       const conformance::Capabilities& declared);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_KEPT_FINDINGS_H_
