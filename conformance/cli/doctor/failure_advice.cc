// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the advice on failures. Limits that explain all of them come first, then pairs of requirements that only
// failing cases have together, then what the failure class says.

#include "conformance/cli/doctor/failure_advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/declaration_words.h"

namespace conformance {

std::vector<std::string> AdviceOn(const JudgedCases& judged, const TriedCases& tried, const std::string& backend,
                                  bool takes_resolved) {
  std::vector<std::string> advice;
  const Verdict& first = judged.first_failure().verdict;
  const DeclarationStyle style = StyleOf(backend);
  const TriedCases::Limits limits = tried.LimitsThatExplain(judged.failures(), style);
  if (!limits.words.empty()) {
    advice.push_back(fmt::format("if the library cannot do these, declare {}: then they are not run", limits.words));
  }
  const TriedCases::Pairs pairs = tried.PairsThatExplain(judged.PossibleLimitFailures(), style);
  if (!pairs.texts.empty()) {
    advice.push_back(
        fmt::format("if the library cannot do these, answer no from supports: {}", fmt::join(pairs.texts, "; ")));
    if (!pairs.words.empty()) {
      advice.push_back(fmt::format("or declare {}, which leaves out {} right case{}, too", pairs.words, pairs.right,
                                   pairs.right == 1 ? "" : "s"));
    }
  }
  if (!limits.explains_first || !MayBeUndeclaredLimit(first.failure)) {
    const bool has_words = (limits.explains_first && !limits.words.empty()) || !pairs.texts.empty();
    advice.push_back(fmt::format("{}{}", has_words ? "otherwise " : "",
                                 AdviceFor(first.failure, backend, first.message, takes_resolved)));
  }
  return advice;
}

}  // namespace conformance
