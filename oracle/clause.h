// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the clauses of oracle/clauses.md as a table. A clause is one numbered rule of the specification as this project
// reads it. Every refusal and every step of a resolution cites a clause.

#ifndef DECONV_ORACLE_CLAUSE_H_
#define DECONV_ORACLE_CLAUSE_H_

#include <span>
#include <string_view>

namespace oracle {

/// Where a rule comes from.
enum class RuleKind {
  kRequired,     ///< a document states the rule, or a library's code follows it
  kChosen,       ///< the documents contradict each other, are ambiguous or silent, and the suite demands one reading
  kOpen,         ///< chosen, and in at least one point a backend may either refuse or compute
  kInformative,  ///< for sentences only: the sentence states no rule
};

/// "required", "chosen", "open", "informative".
std::string_view RuleKindName(RuleKind kind);

struct Clause {
  std::string_view id;      ///< "P3": letter of the chapter and number
  std::string_view title;   ///< one line
  std::string_view source;  ///< where the document states the rule, or "reading" and the reason for a chosen rule
  RuleKind kind;
  std::string_view sentences;  ///< ids of the sentences that state it, "CBD-17 CBW-3" (oracle/sentences/), or empty
};

/// All clauses, in the document's order. A test compares them with oracle/clauses.md.
std::span<const Clause> Clauses();

/// The clause with this id, or nullptr.
const Clause* FindClause(std::string_view id);

}  // namespace oracle

#endif  // DECONV_ORACLE_CLAUSE_H_
