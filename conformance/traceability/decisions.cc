// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Matches the clauses that cases decide with the clauses of the sentences, and counts.

#include "conformance/traceability/decisions.h"

#include <algorithm>
#include <unordered_set>

namespace conformance {
namespace {

/// The ids of all cases at a level.
std::variant<std::unordered_set<std::string>, ReadError> IdsAt(Level level) {
  std::unordered_set<std::string> ids;
  for (const Suite& suite : Suites()) {
    auto cases = SuiteCases(suite.name, level, 0);
    if (auto* error = std::get_if<ReadError>(&cases)) return std::move(*error);
    for (const SuiteCase& one : std::get<std::vector<SuiteCase>>(cases)) ids.insert(one.suite + "/" + one.name);
  }
  return ids;
}

bool IsOf(const Decision& decision, const oracle::Document& document) {
  return decision.kind == document.kind && decision.dialect == document.dialect;
}

bool DecidesClause(const Decision& decision, std::string_view clause, Topics topic) {
  const auto found = decision.clauses.find(clause);
  return found != decision.clauses.end() && (found->second & topic) != 0;
}

/// The sentence's topic; none if it has no name that is known.
Topics TopicOf(const oracle::Sentence& sentence) { return FindTopic(sentence.topic).value_or(0); }

}  // namespace

std::variant<std::vector<Decision>, ReadError> DecisionsAt(Level level) {
  std::array<std::unordered_set<std::string>, 2> lower;
  for (const Level one : {Level::kSmoke, Level::kGate}) {
    if (one >= level) break;
    auto ids = IdsAt(one);
    if (auto* error = std::get_if<ReadError>(&ids)) return std::move(*error);
    lower[static_cast<std::size_t>(one)] = std::get<std::unordered_set<std::string>>(std::move(ids));
  }
  std::vector<Decision> decisions;
  for (const Suite& suite : Suites()) {
    auto cases = SuiteCases(suite.name, level, 0);
    if (auto* error = std::get_if<ReadError>(&cases)) return std::move(*error);
    for (const SuiteCase& one : std::get<std::vector<SuiteCase>>(cases)) {
      Decision decision{.id = one.suite + "/" + one.name,
                        .level = level,
                        .kind = one.test_case.op.kind,
                        .dialect = one.test_case.EffectiveDialect(),
                        .clauses = ClausesDecidedBy(one.test_case)};
      for (const Level below : {Level::kGate, Level::kSmoke}) {
        if (below < level && lower[static_cast<std::size_t>(below)].contains(decision.id)) decision.level = below;
      }
      decisions.push_back(std::move(decision));
    }
  }
  return decisions;
}

bool Decides(const Decision& decision, const oracle::Sentence& sentence, std::string_view clause) {
  return IsOf(decision, *oracle::DocumentOf(sentence.id)) && DecidesClause(decision, clause, TopicOf(sentence));
}

std::vector<const Decision*> DecisionsFor(const std::vector<Decision>& decisions, const oracle::Sentence& sentence) {
  const oracle::Document& document = *oracle::DocumentOf(sentence.id);
  const std::vector<std::string_view> clauses = oracle::Words(sentence.clauses);
  const Topics topic = TopicOf(sentence);
  std::vector<const Decision*> deciding;
  for (const Decision& decision : decisions) {
    if (!IsOf(decision, document)) continue;
    const bool decides =
        std::ranges::any_of(clauses, [&](std::string_view clause) { return DecidesClause(decision, clause, topic); });
    if (decides) deciding.push_back(&decision);
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
