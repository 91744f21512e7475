// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts failing cases into families by facts of their verdicts, and chooses the failure whose cause is found next.

#include "fuzz/campaign/failure_family.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/group_by_cause.h"

namespace fuzz {

using conformance::CaseResult;
using conformance::CauseKind;

FailureFamily FailureFamilyOf(const CaseResult& result) {
  FailureFamily family;
  family.signature = conformance::BroadSignatureOf(conformance::SignatureOf(result));
  family.kind = family.signature.kind;
  if (const auto& excusing = result.verdict.facts.excusing_word) family.excuse = excusing->meaning;
  family.implementation = result.answer.implementation;
  if (family.kind != CauseKind::kWrongOutput) return family;
  family.open = result.verdict.facts.open;
  // The outputs of an open operator, which the backend may refuse, may be garbage. Neither garbage nor arithmetic that
  // a declaration excuses depends on the type.
  if (!family.open && family.excuse.empty() && result.judged.test_case != nullptr) {
    family.type = result.judged.test_case->op.data.type;
  }
  return family;
}

void FailuresByFamily::Add(std::size_t case_index, const CaseResult& result, bool vanished) {
  FailureFamily family = FailureFamilyOf(result);
  family.vanished = vanished && !family.open;  // garbage in outputs of an open operator may be right by chance
  auto entry = std::ranges::lower_bound(families_, family, {}, &FamilyEntry::family);
  if (entry == families_.end() || entry->family != family) {
    entry = families_.insert(entry, {.family = family, .failures = {}});
  }
  const Failure failure{HasPlainValues(result), result.judged.line.size(), case_index};
  const auto order = [](const Failure& one) {
    return std::tuple(!one.has_plain_values, one.line_length, one.case_index);
  };
  entry->failures.insert(std::ranges::lower_bound(entry->failures, order(failure), {}, order), failure);
}

std::size_t FailuresByFamily::families() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(families_, [](const FamilyEntry& entry) { return !entry.failures.empty(); }));
}

FailuresByFamily::Next FailuresByFamily::RemoveNext() {
  // Of the families with failures, takes the first one with the fewest turns so far.
  FamilyEntry& entry = *std::ranges::min_element(
      families_, {}, [](const FamilyEntry& one) { return std::pair(one.failures.empty(), one.turns); });
  ++entry.turns;
  Next next{entry.failures.front().case_index, entry.family, entry.causes};
  entry.failures.erase(entry.failures.begin());
  return next;
}

}  // namespace fuzz
