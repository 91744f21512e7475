// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules) that a case decides: the clauses on which its verdict depends. TestedClauses gives
// the clauses. Their topics (parts of the operator, such as pads_end) come from the operator, or from the messages of
// its refusal and of its open points.

#include "conformance/suite/traceability/decisions.h"

#include <algorithm>
#include <unordered_set>

#include "conformance/case/sweep_cases.h"
#include "conformance/suite/measured_coverage/tested_clauses.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

DecidedClauses DecidedByOperator(const Case& test_case) {
  const oracle::Resolution resolution =
      oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  const Topics topics =
      resolution.ok() ? TopicsOf(test_case.op, *resolution.geometry) : TopicsOf(resolution.refusal->message);
  DecidedClauses decided;
  for (const std::string_view clause : TestedClauses(test_case, resolution)) decided[clause] = topics;
  for (const oracle::OpenPoint& point : resolution.open) decided[point.clause] |= TopicsOf(point.message);
  return decided;
}

DecidedClauses DecidedBySweep(const Sweep& sweep) {
  const SweepCases cases(sweep);
  const std::uint64_t count = cases.end() - cases.begin();
  const std::uint64_t examined = std::min(count, kOperatorsOfSweep);
  DecidedClauses decided;
  Case test_case;
  for (std::uint64_t i = 0; i < examined; ++i) {
    cases.Get(cases.begin() + i * (count / examined), test_case);
    for (const auto& [clause, topics] : DecidedByOperator(test_case)) decided[clause] |= topics;
  }
  // The ids of clauses on values begin with V.
  if (sweep.resolves()) std::erase_if(decided, [](const auto& one) { return one.first[0] == 'V'; });
  return decided;
}

}  // namespace

DecidedClauses ClausesDecidedBy(const Case& test_case) {
  return test_case.sweep ? DecidedBySweep(*test_case.sweep) : DecidedByOperator(test_case);
}

// Finds the clauses that each case of a level decides, matches them with the clauses of sentences of the specification,
// and counts the cases by level.

namespace {

/// The ids of all cases at a level.
std::variant<std::unordered_set<std::string>, ReadError> IdsAt(Level level) {
  std::unordered_set<std::string> ids;
  for (const Suite& suite : Suites()) {
    auto cases = SuiteCases(suite.name, level, 0);
    if (auto* error = std::get_if<ReadError>(&cases)) return std::move(*error);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases))
      ids.insert(suite_case.suite + "/" + suite_case.name);
  }
  return ids;
}

}  // namespace

std::variant<std::vector<Decision>, ReadError> DecisionsAt(Level level) {
  std::array<std::unordered_set<std::string>, 2> ids_of_level;
  for (const Level lower_level : {Level::kSmoke, Level::kGate}) {
    if (lower_level >= level) break;
    auto ids = IdsAt(lower_level);
    if (auto* error = std::get_if<ReadError>(&ids)) return std::move(*error);
    ids_of_level[static_cast<std::size_t>(lower_level)] = std::get<std::unordered_set<std::string>>(std::move(ids));
  }
  std::vector<Decision> decisions;
  for (const Suite& suite : Suites()) {
    auto cases = SuiteCases(suite.name, level, 0);
    if (auto* error = std::get_if<ReadError>(&cases)) return std::move(*error);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(cases)) {
      Decision decision{.id = suite_case.suite + "/" + suite_case.name,
                        .level = level,
                        .kind = suite_case.test_case.op.kind,
                        .dialect = suite_case.test_case.EffectiveDialect(),
                        .clauses = ClausesDecidedBy(suite_case.test_case)};
      for (const Level below : {Level::kGate, Level::kSmoke}) {
        if (below < level && ids_of_level[static_cast<std::size_t>(below)].contains(decision.id))
          decision.level = below;
      }
      decisions.push_back(std::move(decision));
    }
  }
  return decisions;
}

DocumentDecisions::DocumentDecisions(const oracle::Document& document, const std::vector<Decision>& decisions) {
  for (const Decision& decision : decisions) {
    if (decision.kind != document.kind || decision.dialect != document.dialect) continue;
    for (const auto& [clause, topics] : decision.clauses) {
      by_clause_[clause].push_back({.number = decisions_.size(), .topics = topics});
    }
    decisions_.push_back(&decision);
  }
}

std::vector<const Decision*> DocumentDecisions::DecidingCases(const oracle::Sentence& sentence) const {
  const Topics topic = FindTopic(sentence.topic).value_or(0);
  std::vector<bool> decides(decisions_.size());
  for (const std::string_view clause : oracle::Words(sentence.clauses)) {
    const auto found = by_clause_.find(clause);
    if (found == by_clause_.end()) continue;
    for (const Entry& entry : found->second) {
      if ((entry.topics & topic) != 0) decides[entry.number] = true;
    }
  }
  std::vector<const Decision*> deciding;
  for (std::size_t number = 0; number < decides.size(); ++number) {
    if (decides[number]) deciding.push_back(decisions_[number]);
  }
  return deciding;
}

CountByLevel CountByLevels(const std::vector<const Decision*>& decisions) {
  CountByLevel count{};
  for (const Decision* decision : decisions) {
    for (auto level = static_cast<std::size_t>(decision->level); level < count.size(); ++level) ++count[level];
  }
  return count;
}

}  // namespace conformance
