// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the clauses from ClausesMet and the attributes from the texts of the resolution.

#include "conformance/traceability/decided_clauses.h"

#include <algorithm>
#include <map>

#include "conformance/case/sweep_cases.h"
#include "conformance/measured_coverage/clauses_met.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

/// The attribute that a text begins with: "strides: 0 for spatial axis 0, ..." or "strides absent: [1]".
std::string AttributeOf(std::string_view text) {
  constexpr std::string_view kAbsent = " absent";
  std::string_view name = text.substr(0, text.find(':'));
  if (name.size() == text.size()) return "";
  if (name.ends_with(kAbsent)) name.remove_suffix(kAbsent.size());
  return name.find(' ') == std::string_view::npos ? std::string(name) : "";
}

std::set<DecidedClause> OfOperator(const Case& test_case) {
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
  std::map<std::string_view, std::set<std::string>> attributes;
  if (resolution.refusal) attributes[resolution.refusal->clause].insert(AttributeOf(resolution.refusal->message));
  for (const oracle::Step& step : resolution.steps) attributes[step.clause].insert(AttributeOf(step.text));
  std::set<DecidedClause> decided;
  for (const std::string_view clause : ClausesMet(test_case, resolution)) {
    const auto found = attributes.find(clause);
    if (found == attributes.end()) {
      decided.insert({.clause = clause, .attribute = ""});
      continue;
    }
    for (const std::string& attribute : found->second) decided.insert({.clause = clause, .attribute = attribute});
  }
  return decided;
}

std::set<DecidedClause> OfSweep(const Sweep& sweep) {
  const SweepCases cases(sweep);
  const std::uint64_t count = cases.end() - cases.begin();
  const std::uint64_t looked_at = std::min(count, kOperatorsOfSweep);
  std::set<DecidedClause> decided;
  Case test_case;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    cases.Get(cases.begin() + i * (count / looked_at), test_case);
    decided.merge(OfOperator(test_case));
  }
  if (sweep.of == SweepOf::kGeometry) {
    std::erase_if(decided, [](const DecidedClause& one) { return one.clause.starts_with('V'); });
  }
  return decided;
}

}  // namespace

std::set<DecidedClause> DecidedClauses(const Case& test_case) {
  return test_case.sweep ? OfSweep(*test_case.sweep) : OfOperator(test_case);
}

}  // namespace conformance
