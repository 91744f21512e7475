// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives access to the clauses of oracle/clauses.md. A clause is one numbered rule of the specification of transposed
// convolution, as this project reads it. When the oracle computes sizes and pads of an operator, each step cites a
// clause. So does each refusal of an invalid operator.

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
  kInformative,  ///< only for sentences of a document (oracle/sentences/): the sentence states no rule
};

/// "required", "chosen", "open", "informative".
std::string_view RuleKindName(RuleKind kind);

struct Clause {
  std::string_view id;      ///< "P3": the letter of a chapter and a number
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
