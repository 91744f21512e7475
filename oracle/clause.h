// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbered clauses of oracle/clauses.md as a table: every refusal and every step of a resolution cites a clause.

#ifndef DECONV_ORACLE_CLAUSE_H_
#define DECONV_ORACLE_CLAUSE_H_

#include <span>
#include <string_view>

namespace oracle {

/// How a rule stands to the documents.
enum class RuleKind {
  kRequired,     ///< a document or a library's code says it
  kChosen,       ///< the documents contradict each other, are ambiguous or silent, and the suite demands one reading
  kOpen,         ///< chosen, and in at least one point a backend may refuse or compute
  kInformative,  ///< for sentences only: the sentence states no rule
};

/// "required", "chosen", "open", "informative".
std::string_view RuleKindName(RuleKind kind);

struct Clause {
  std::string_view id;      ///< "P3": letter of the chapter and number
  std::string_view title;   ///< one line
  std::string_view source;  ///< the clause's place in a document, or "reading" with the reason where we had to choose
  RuleKind kind;
  std::string_view sentences;  ///< its sentences, "CBD-17 CBW-3" (oracle/sentences/); empty if there are none
};

/// All clauses, in the document's order. A test compares them with oracle/clauses.md.
std::span<const Clause> Clauses();

/// The clause with this id, or nullptr.
const Clause* FindClause(std::string_view id);

}  // namespace oracle

#endif  // DECONV_ORACLE_CLAUSE_H_
