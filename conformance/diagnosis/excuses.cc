// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds declarations of arithmetic that excuse failures. Counts for each declaration, signature of failures and element
// type how many of the tried failures it makes right.

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/diagnosis/explanation_steps.h"
#include "conformance/diagnosis/failure_signature.h"

namespace conformance {
namespace {

// So many failures with one signature must fit a declaration before it excuses others: one may fit by chance.
constexpr std::size_t kLeastForOthers = 3;

/// The words of a declaration: {"known_deviations = structural-nan", "subnormals = flushed for f32"}.
std::set<std::string> PartsOf(std::string_view word) {
  std::set<std::string> parts;
  for (const auto part : std::views::split(word, std::string_view(", "))) parts.emplace(part.begin(), part.end());
  return parts;
}

}  // namespace

std::vector<Excuse> RemoveExcused(std::span<const CaseResult> results, const Evidence& evidence,
                                  std::vector<std::size_t>& left) {
  using SignatureAndType = std::pair<FailureSignature, oracle::ElementType>;
  std::map<SignatureAndType, std::size_t> with_signature;
  std::map<std::pair<std::string, SignatureAndType>, std::map<std::size_t, std::string>> fitting;  // words of trials
  std::set<std::pair<std::string, SignatureAndType>> excusing;  // declarations of most failures of a sort
  std::set<std::string> accepted;                               // words that excuse other signatures, too
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
    if (!most_of_run && words.size() < kLeastForOthers) continue;
    for (const auto& [t, word] : words) accepted.merge(PartsOf(word));
  }
  std::vector<Excuse> excuses;
  for (const auto& [key, words] : fitting) {
    // A declaration that excuses most failures with one signature also excuses the others that fit it. Most words name
    // a type. A word that names none excuses all types.
    const bool excuses_most = excusing.contains(key);
    std::vector<std::size_t> excused;
    for (const auto& [t, word] : words) {
      if (!excuses_most && !std::ranges::includes(accepted, PartsOf(word))) continue;
      if (excuses.empty() || excuses.back().meaning != key.first) excuses.emplace_back().meaning = key.first;
      excuses.back().words.insert(word);
      excuses.back().failures.push_back(evidence.trial(t).result);
      excused.push_back(t);
    }
    std::erase_if(left, [&](std::size_t t) { return std::ranges::find(excused, t) != excused.end(); });
  }
  return excuses;
}

}  // namespace conformance
