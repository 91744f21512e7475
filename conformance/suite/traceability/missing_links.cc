// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds missing links between the specification and the cases: sentences without clauses (numbered rules), clauses
// without sentences, and sentences or clauses that no case decides (decisions.h).

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
bool NamesAsSource(std::string_view source, std::string_view document) {
  source = source.substr(0, source.find("reading"));
  for (std::size_t at = source.find(document); at != std::string_view::npos; at = source.find(document, at + 1)) {
    const bool begins = at == 0 || source[at - 1] == ' ';  // so that CBD is not found in GCBD
    if (begins) return true;
  }
  return false;
}

/// The clauses that all cases of an operator and a dialect decide together.
using DecidedTogether = std::map<std::pair<oracle::OperatorKind, oracle::Dialect>, DecidedClauses>;

DecidedTogether DecidedByAllCases(const std::vector<Decision>& decisions) {
  DecidedTogether together;
  for (const Decision& decision : decisions) {
    DecidedClauses& clauses = together[{decision.kind, decision.dialect}];
    for (const auto& [clause, topics] : decision.clauses) clauses[clause] |= topics;
  }
  return together;
}

/// Whether a case of the sentence's operator and dialect decides the clause on the sentence's topic.
bool HasCase(const DecidedTogether& together, const Sentence& sentence, std::string_view clause) {
  const Document& document = *oracle::DocumentOf(sentence.id);
  const auto decided = together.find({document.kind, document.dialect});
  if (decided == together.end()) return false;
  const auto topics = decided->second.find(clause);
  return topics != decided->second.end() && (topics->second & FindTopic(sentence.topic).value_or(0)) != 0;
}

void AddMissingLinksOf(const Sentence& sentence, Clauses clauses, const DecidedTogether& together,
                       std::vector<std::string>& missing_links) {
  const auto ids = oracle::Words(sentence.clauses);
  const bool is_informative = sentence.kind == RuleKind::kInformative;
  if (is_informative && !ids.empty())
    missing_links.push_back(fmt::format("{}: informative, but has clauses", sentence.id));
  if (!is_informative && ids.empty()) missing_links.push_back(fmt::format("{}: no clause takes it up", sentence.id));
  if (!FindTopic(sentence.topic)) {
    missing_links.push_back(fmt::format("{}: there is no topic \"{}\"", sentence.id, sentence.topic));
  }
  bool has_open_clause = false;
  for (const std::string_view id : ids) {
    const Clause* clause = Find(clauses, id);
    if (clause == nullptr) {
      missing_links.push_back(fmt::format("{}: there is no clause {}", sentence.id, id));
      continue;
    }
    has_open_clause = has_open_clause || clause->kind == RuleKind::kOpen;
    if (!HasCase(together, sentence, id) && !IsUntestable(id)) {
      missing_links.push_back(fmt::format("{}: no case of level gate decides {} for it", sentence.id, id));
    }
  }
  if (sentence.kind == RuleKind::kOpen && !has_open_clause) {
    missing_links.push_back(fmt::format("{}: open, but none of its clauses is open", sentence.id));
  }
}

void AddMissingLinksOf(const Clause& clause, Documents documents, const DecidedTogether& together,
                       std::vector<std::string>& missing_links) {
  for (const std::string_view id : oracle::Words(clause.sentences)) {
    const Sentence* sentence = FindIn(documents, id);
    if (sentence == nullptr) {
      missing_links.push_back(fmt::format("{}: there is no sentence {}", clause.id, id));
    } else if (!oracle::HasClause(*sentence, clause.id)) {
      missing_links.push_back(fmt::format("{}: rests on {}, which does not list it", clause.id, id));
    }
  }
  for (const std::string_view name : {"CBD", "GCBD", "CBW"}) {
    if (!NamesAsSource(clause.source, name)) continue;
    const bool has_sentence = std::ranges::any_of(oracle::Words(clause.sentences), [&](std::string_view id) {
      return id.starts_with(std::string(name) + "-") || (name == "CBD" && id.starts_with(name));
    });
    if (!has_sentence) {
      missing_links.push_back(
          fmt::format("{}: its source names {}, but it rests on no sentence of it", clause.id, name));
    }
  }
  const bool decided =
      std::ranges::any_of(together, [&](const auto& cases) { return cases.second.contains(clause.id); });
  if (!decided && !IsUntestable(clause.id)) {
    missing_links.push_back(
        fmt::format("{}: {}, and no case of level gate decides it", clause.id, RuleKindName(clause.kind)));
  }
}

}  // namespace

std::vector<std::string> MissingLinks(Documents documents, Clauses clauses, const std::vector<Decision>& decisions) {
  std::vector<std::string> missing_links;
  const DecidedTogether together = DecidedByAllCases(decisions);
  for (const Document& document : documents) {
    for (const Sentence& sentence : document.sentences) AddMissingLinksOf(sentence, clauses, together, missing_links);
  }
  for (const Clause& clause : clauses) AddMissingLinksOf(clause, documents, together, missing_links);
  return missing_links;
}

}  // namespace conformance
