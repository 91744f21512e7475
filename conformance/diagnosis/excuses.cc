// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds declarations of arithmetic that excuse failures. Counts for each declaration, sort of failure and element type
// how many of the tried failures it makes right.

#include "conformance/diagnosis/excuses.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "conformance/diagnosis/failure_signature.h"

namespace conformance {
namespace {

// So many failures of a sort must fit a declaration before it excuses failures of other sorts: one may fit by chance.
constexpr std::size_t kLeastForOthers = 3;

}  // namespace

std::vector<Excuse> TakeExcused(std::span<const CaseResult> results, const Evidence& evidence,
                                std::vector<std::size_t>& left) {
  using SignatureAndType = std::pair<FailureSignature, oracle::ElementType>;  // a declaration is about one type
  std::map<SignatureAndType, std::size_t> with_signature;
  std::map<std::pair<std::string, SignatureAndType>, std::map<std::size_t, std::string>> fitting;  // words of trials
  std::set<std::pair<std::string, SignatureAndType>> excusing;     // declarations of most failures of a sort
  std::set<std::pair<std::string, oracle::ElementType>> accepted;  // those that also excuse other sorts of the type
  for (const std::size_t t : left) {
    // An answer without outputs fits no arithmetic, whatever is in the buffer.
    if (SignatureOf(evidence.trial(t).behaviour.verdict).kind != CauseKind::kWrongOutput) continue;
    const SignatureAndType signature = {SignatureOf(evidence.trial(t).behaviour.verdict),
                                        evidence.trial(t).prepared->test_case.op.data.type};
    ++with_signature[signature];
    const std::optional<ExcusingWord> word = ExcusingWordOf(evidence.trial(t), evidence.declared());
    if (word) fitting[{word->meaning, signature}][t] = word->word;
  }
  for (const auto& [key, words] : fitting) {
    const auto& [meaning, signature] = key;
    const bool most_of_run = MostFit(results, meaning, signature.first, signature.second);
    if (10 * words.size() < 9 * with_signature[signature] && !most_of_run) continue;
    excusing.insert(key);
    if (most_of_run || words.size() >= kLeastForOthers) accepted.emplace(meaning, signature.second);
  }
  std::vector<Excuse> excuses;
  for (const auto& [key, words] : fitting) {
    // One that excuses most failures of a sort also excuses the failures of the type's other sorts that fit it.
    if (!excusing.contains(key) && !accepted.contains({key.first, key.second.second})) continue;
    if (excuses.empty() || excuses.back().meaning != key.first) excuses.emplace_back().meaning = key.first;
    for (const auto& [t, word] : words) {
      excuses.back().words.insert(word);
      excuses.back().failures.push_back(evidence.trial(t).result);
    }
    std::erase_if(left, [&](std::size_t t) { return words.contains(t); });
  }
  return excuses;
}

}  // namespace conformance
