// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorts failures by facts of their verdicts, and chooses the failure whose cause is found next.

#include "fuzz/campaign/failure_sort.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conformance/diagnosis/group_by_cause.h"

namespace fuzz {

using conformance::CaseResult;
using conformance::CauseKind;

FailureSort SortOf(const CaseResult& result) {
  FailureSort sort;
  sort.signature = conformance::BroadSignatureOf(conformance::SignatureOf(result));
  sort.kind = sort.signature.kind;
  if (const auto& excusing = result.verdict.facts.excusing_word) sort.excuse = excusing->meaning;
  sort.implementation = result.answer.implementation;
  if (sort.kind != CauseKind::kWrongOutput) return sort;
  sort.open = result.verdict.facts.open;
  // Garbage of an open operator and excused arithmetic do not depend on the type.
  if (!sort.open && sort.excuse.empty() && result.judged.test_case != nullptr)
    sort.type = result.judged.test_case->op.data.type;
  return sort;
}

void SortedFailures::Add(std::size_t case_index, const CaseResult& result, bool vanished) {
  FailureSort sort = SortOf(result);
  sort.vanished = vanished && !sort.open;  // garbage in outputs of an open operator may be right by chance
  auto at = std::ranges::lower_bound(sorts_, sort, {}, &OfSort::sort);
  if (at == sorts_.end() || at->sort != sort) at = sorts_.insert(at, {.sort = sort, .failures = {}});
  const Failure failure{HasPlainValues(result), result.judged.line.size(), case_index};
  const auto order = [](const Failure& one) { return std::tuple(!one.plain, one.length, one.case_index); };
  at->failures.insert(std::ranges::lower_bound(at->failures, order(failure), {}, order), failure);
}

std::size_t SortedFailures::sorts() const {
  return static_cast<std::size_t>(std::ranges::count_if(sorts_, [](const OfSort& of) { return !of.failures.empty(); }));
}

SortedFailures::Next SortedFailures::TakeNext() {
  OfSort& of = *std::ranges::min_element(sorts_, {},
                                         [](const OfSort& one) { return std::pair(one.failures.empty(), one.turns); });
  ++of.turns;
  Next next{of.failures.front().case_index, of.sort, of.causes};
  of.failures.erase(of.failures.begin());
  return next;
}

}  // namespace fuzz
