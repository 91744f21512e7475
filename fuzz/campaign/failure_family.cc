// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts failures by facts of their verdicts, and chooses the failure whose cause is found next.

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
  // Garbage of an open operator and excused arithmetic do not depend on the type.
  if (!family.open && family.excuse.empty() && result.judged.test_case != nullptr)
    family.type = result.judged.test_case->op.data.type;
  return family;
}

void FailuresByFamily::Add(std::size_t case_index, const CaseResult& result, bool vanished) {
  FailureFamily family = FailureFamilyOf(result);
  family.vanished = vanished && !family.open;  // garbage in outputs of an open operator may be right by chance
  auto at = std::ranges::lower_bound(families_, family, {}, &OfFamily::family);
  if (at == families_.end() || at->family != family) at = families_.insert(at, {.family = family, .failures = {}});
  const Failure failure{HasPlainValues(result), result.judged.line.size(), case_index};
  const auto order = [](const Failure& one) { return std::tuple(!one.plain, one.length, one.case_index); };
  at->failures.insert(std::ranges::lower_bound(at->failures, order(failure), {}, order), failure);
}

std::size_t FailuresByFamily::families() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(families_, [](const OfFamily& of) { return !of.failures.empty(); }));
}

FailuresByFamily::Next FailuresByFamily::RemoveNext() {
  OfFamily& of = *std::ranges::min_element(
      families_, {}, [](const OfFamily& one) { return std::pair(one.failures.empty(), one.turns); });
  ++of.turns;
  Next next{of.failures.front().case_index, of.family, of.causes};
  of.failures.erase(of.failures.begin());
  return next;
}

}  // namespace fuzz
