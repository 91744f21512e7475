// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds limits that a backend does not declare. It remembers what each tried operator asks of a backend, and which
// operators were computed. What only failing operators ask for is perhaps a limit, and has a word to declare it.

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_

#include <compare>
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

class TriedCases {
 public:
  explicit TriedCases(const Capabilities& declared) : declared_(declared) {}

  /// The backend computed the operator rightly, and its output has elements.
  void AddRight(const SuiteCase& suite_case);

  struct Limits {
    std::string words;            ///< what to declare: "unsupported=["groups"], min_rank=4"; empty if nothing fits
    bool explains_first = false;  ///< whether the words exclude the first of the failures
  };
  /// The limits that explain failures, as far as the right cases show.
  Limits LimitsBehind(std::span<const SuiteCase* const> failures, DeclarationStyle style) const;
  /// Pairs of things that only failing operators have together: "dilations in f16". No declaration names such a pair,
  /// but `supports` can say no to it.
  std::vector<std::string> PairsBehind(std::span<const SuiteCase* const> failures) const;

 private:
  /// One thing that an operator asks for.
  struct Demand {
    enum class Kind { kBit, kLargeNumber, kRank, kType, kOperator };
    Kind kind = Kind::kBit;
    std::int64_t value = 0;  ///< the bit, the rank, the type or the operator

    auto operator<=>(const Demand&) const = default;
  };
  using Demands = std::set<Demand>;

  Demands DemandsOf(const SuiteCase& suite_case) const;
  /// The smallest and the largest rank that are left when ranks at the ends of the declared range are taken away.
  std::pair<int, int> RanksWithout(const Demands& needed) const;
  static std::string TextOf(const Demand& demand);
  std::string Words(const Demands& needed, DeclarationStyle style) const;

  const Capabilities& declared_;
  Demands right_;                     ///< demands of all operators that were right
  std::vector<Demands> right_cases_;  ///< demands of each right case
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_TRIED_CASES_H_
