// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which failing cases are worth a line of the file of findings. A backend that is wrong everywhere fills no
// disk, and a frequent failure does not hide a rare one.

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

/// A failing case is kept if it is one of the first few of its kind, if it adds a feature to the failing cases, or if
/// no cause that was found before explains it. A kind is a failure class, an operator and a type. Invalid operators
/// have other kinds: a failure class and what is said about the case, without its numbers.
class KeptFindings {
 public:
  static constexpr int kEach = 8;              ///< first cases of a kind
  static constexpr int kMostByFeature = 16;    ///< cases of a kind that add a feature
  static constexpr int kMostUnexplained = 64;  ///< cases of a kind that no cause explains

  explicit KeptFindings(BackendJudge& judge, std::vector<conformance::Expectation> expected = {})
      : judge_(judge), explanations_(judge), expected_(std::move(expected)) {}

  /// A failing case that is kept.
  struct Kept {
    conformance::Case test_case;
    Finding finding;
    bool unexplained = false;
  };

  /// Takes the verdict on the case whose features were marked last (MarkFeatures). Returns what is to be written, and
  /// counts in the shared state what is not.
  std::vector<Kept> Take(const conformance::Case& test_case, const JudgedInput& judged);
  const NotKept& not_kept() const { return not_kept_; }

 private:
  struct Kind {
    int met = 0;
    int by_feature = 0;
    int unexplained = 0;
  };

  bool IsDuplicate(const conformance::Case& test_case);
  bool IsExpected(const conformance::Case& test_case, const JudgedInput& judged) const;
  bool AddsFeature();
  void Count(std::uint64_t NotKept::* reason);

  BackendJudge& judge_;
  Explanations explanations_;
  std::vector<conformance::Expectation> expected_;
  std::unordered_set<std::string> lines_;
  std::map<std::string, Kind> kinds_;
  std::bitset<kFeatures> features_;  ///< of all failing cases
  NotKept not_kept_;
};

/// The result of a case that failed in this class. It is compared with the entries of a file of known failures.
conformance::CaseResult ResultOf(const conformance::Case& test_case, conformance::FailureClass failure,
                                 const conformance::Capabilities& declared);

}  // namespace fuzz

#endif  // DECONV_FUZZ_FINDINGS_KEPT_FINDINGS_H_
