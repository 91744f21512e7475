// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds limits that a backend does not declare. A requirement is a feature that an operator needs, such as groups or
// rank 4. Example: operators with {groups} and {groups, dilations} fail, and an operator with {dilations} is right.
// Then only failing operators require groups, so `deconv-cts doctor` proposes to declare "unsupported: groups".

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/cli/doctor/declaration_words.h"
#include "conformance/interface/backend.h"
#include "conformance/suite/suite.h"
#include "oracle/operator.h"

namespace conformance {

/// The requirements of the operators that a backend computed correctly.
class TriedCases {
 public:
  explicit TriedCases(const Capabilities& declared) : declared_(declared) {}

  /// Records an operator that the backend computed correctly. Its output must have elements.
  void AddRight(const SuiteCase& suite_case);

  /// A proposed declaration.
  struct Limits {
    std::string words;            ///< declaration to add: "unsupported=["groups"], min_rank=4"; empty if none fits
    bool explains_first = false;  ///< whether the words exclude the first of the failures
  };
  /// The limits that explain `failures` and contradict no case that was right.
  Limits LimitsThatExplain(std::span<const SuiteCase* const> failures, DeclarationStyle style) const;
  /// Pairs of requirements, and what to do about them.
  struct Pairs {
    std::vector<std::string> texts;  ///< "dilations in f16"
    std::string words;               ///< a declaration that excludes all of them; empty if none fits
    std::size_t right = 0;           ///< right cases that these words exclude, too
  };
  /// Pairs of requirements that only failing operators have together. A declaration cannot express a pair, but the
  /// backend's function `supports` can exclude it. A declaration can exclude one requirement of each pair in all types.
  Pairs PairsThatExplain(std::span<const SuiteCase* const> failures, DeclarationStyle style) const;

 private:
  /// One feature that an operator needs.
  struct Requirement {
    enum class Kind { kBit, kLargeNumber, kRank, kType, kOperator };
    Kind kind = Kind::kBit;
    std::int64_t value = 0;  ///< the bit of DECONV_UNSUPPORTED_, the rank, the type or the operator

    auto operator<=>(const Requirement&) const = default;
  };
  using Requirements = std::set<Requirement>;

  Requirements RequirementsOf(const SuiteCase& suite_case) const;
  /// The declared range of ranks, shortened at its ends by the ranks in `needed`.
  std::pair<int, int> RanksWithout(const Requirements& needed) const;
  /// Removes the ranks that lie between others, because a declaration can exclude ranks only at the ends of their
  /// range. Returns whether there were any.
  bool EraseInnerRanks(Requirements& needed) const;
  static std::string TextOf(const Requirement& requirement);
  std::string Words(const Requirements& needed, DeclarationStyle style) const;

  const Capabilities& declared_;
  Requirements right_;                     ///< requirements of all operators that were right
  std::vector<Requirements> right_cases_;  ///< requirements of each right case
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_
