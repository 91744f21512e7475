// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds missing links between the specification and the cases: sentences without clauses, clauses without sentences,
// and sentences or clauses without cases.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/measured_coverage/tested_clauses.h"
#include "conformance/suite/traceability/decisions.h"

namespace conformance {
namespace {

using oracle::Clause;
using oracle::Document;
using oracle::RuleKind;
using oracle::Sentence;

using Documents = std::span<const Document>;
using Clauses = std::span<const Clause>;

const Clause* Find(Clauses clauses, std::string_view id) {
  const auto found = std::ranges::find(clauses, id, &Clause::id);
  return found == clauses.end() ? nullptr : &*found;
}

const Sentence* FindIn(Documents documents, std::string_view id) {
  for (const Document& document : documents) {
    const auto found = std::ranges::find(document.sentences, id, &Sentence::id);
    if (found != document.sentences.end()) return &*found;
  }
  return nullptr;
}

/// Whether the source of a clause names this document as one that states the clause. Such documents stand before the
/// word "reading".
bool Names(std::string_view source, std::string_view document) {
  source = source.substr(0, source.find("reading"));
  for (std::size_t at = source.find(document); at != std::string_view::npos; at = source.find(document, at + 1)) {
    const bool begins = at == 0 || source[at - 1] == ' ';  // so that CBD is not found in GCBD
    if (begins) return true;
  }
  return false;
}

/// The clauses that all cases of an operator and a dialect decide together.
using DecidedTogether = std::map<std::pair<oracle::OperatorKind, oracle::Dialect>, DecidedClauses>;

DecidedTogether Together(const std::vector<Decision>& decisions) {
  DecidedTogether together;
  for (const Decision& decision : decisions) {
    DecidedClauses& clauses = together[{decision.kind, decision.dialect}];
    for (const auto& [clause, topics] : decision.clauses) clauses[clause] |= topics;
  }
  return together;
}

bool HasCase(const DecidedTogether& together, const Sentence& sentence, std::string_view clause) {
  const Document& document = *oracle::DocumentOf(sentence.id);
  const auto decided = together.find({document.kind, document.dialect});
  if (decided == together.end()) return false;
  const auto topics = decided->second.find(clause);
  return topics != decided->second.end() && (topics->second & FindTopic(sentence.topic).value_or(0)) != 0;
}

void AddHolesOf(const Sentence& sentence, Clauses clauses, const DecidedTogether& together,
                std::vector<std::string>& holes) {
  const auto ids = oracle::Words(sentence.clauses);
  const bool informative = sentence.kind == RuleKind::kInformative;
  if (informative && !ids.empty()) holes.push_back(fmt::format("{}: informative, but has clauses", sentence.id));
  if (!informative && ids.empty()) holes.push_back(fmt::format("{}: no clause takes it up", sentence.id));
  if (!FindTopic(sentence.topic)) {
    holes.push_back(fmt::format("{}: there is no topic \"{}\"", sentence.id, sentence.topic));
  }
  bool open = false;
  for (const std::string_view id : ids) {
    const Clause* clause = Find(clauses, id);
    if (clause == nullptr) {
      holes.push_back(fmt::format("{}: there is no clause {}", sentence.id, id));
      continue;
    }
    open = open || clause->kind == RuleKind::kOpen;
    if (!HasCase(together, sentence, id) && !IsUntestable(id)) {
      holes.push_back(fmt::format("{}: no case of level gate decides {} for it", sentence.id, id));
    }
  }
  if (sentence.kind == RuleKind::kOpen && !open) {
    holes.push_back(fmt::format("{}: open, but none of its clauses is open", sentence.id));
  }
}

void AddHolesOf(const Clause& clause, Documents documents, const DecidedTogether& together,
                std::vector<std::string>& holes) {
  for (const std::string_view id : oracle::Words(clause.sentences)) {
    const Sentence* sentence = FindIn(documents, id);
    if (sentence == nullptr) {
      holes.push_back(fmt::format("{}: there is no sentence {}", clause.id, id));
    } else if (!oracle::HasClause(*sentence, clause.id)) {
      holes.push_back(fmt::format("{}: rests on {}, which does not list it", clause.id, id));
    }
  }
  for (const std::string_view name : {"CBD", "GCBD", "CBW"}) {
    if (!Names(clause.source, name)) continue;
    const bool has_sentence = std::ranges::any_of(oracle::Words(clause.sentences), [&](std::string_view id) {
      return id.starts_with(std::string(name) + "-") || (name == "CBD" && id.starts_with(name));
    });
    if (!has_sentence) {
      holes.push_back(fmt::format("{}: its source names {}, but it rests on no sentence of it", clause.id, name));
    }
  }
  const bool decided =
      std::ranges::any_of(together, [&](const auto& cases) { return cases.second.contains(clause.id); });
  if (!decided && !IsUntestable(clause.id)) {
    holes.push_back(fmt::format("{}: {}, and no case of level gate decides it", clause.id, RuleKindName(clause.kind)));
  }
}

}  // namespace

std::vector<std::string> MissingLinks(Documents documents, Clauses clauses, const std::vector<Decision>& decisions) {
  std::vector<std::string> holes;
  const DecidedTogether together = Together(decisions);
  for (const Document& document : documents) {
    for (const Sentence& sentence : document.sentences) AddHolesOf(sentence, clauses, together, holes);
  }
  for (const Clause& clause : clauses) AddHolesOf(clause, documents, together, holes);
  return holes;
}

}  // namespace conformance
