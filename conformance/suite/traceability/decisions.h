// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules of oracle/clauses.md) that a case decides: its verdict depends on them. Finds for
// each sentence of the specification the cases that decide it. The page oracle/sentences.md uses them to count the
// cases that test a sentence of the specification.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECISIONS_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECISIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/suite/suite.h"
#include "conformance/suite/traceability/topic.h"
#include "oracle/sentences/sentence.h"

namespace conformance {

/// The decided clauses by id. The value is the set of topics: the parts of the operator, such as pads_end, on which the
/// case tests the clause (topic.h).
using DecidedClauses = std::map<std::string_view, Topics>;

/// The clauses that a case decides in its own dialect.
/// - An ordinary case decides the clauses that TestedClauses (tested_clauses.h) returns. If the operator is valid, the
///   topics are all parts that have an effect in it. If it is refused, the topic is the argument that the refusal
///   names. For an open point, the topic is the argument that its message names.
/// - A law relates the outputs of several operators (law.h). A case with a law decides the same clauses as an ordinary
///   case, because these clauses give the geometry for which the law must hold.
/// - A sweep is one case for many operators. It decides the clauses of its operators; only kOperatorsOfSweep of them,
///   equally spaced, are examined. A sweep that checks geometries alone compares no values, so it decides no clause on
///   values (ids V1, V2, ...).
DecidedClauses ClausesDecidedBy(const Case& test_case);

/// The most operators of a sweep that are examined. 300 is a guess that keeps the time short. If you change it, the
/// counts in oracle/sentences.md may change.
inline constexpr std::uint64_t kOperatorsOfSweep = 300;

// A sentence cites clauses (numbered rules) and has a topic, such as pads_end. A case decides the sentence if it
// decides one of these clauses on this topic.

/// The clauses that one case of the suites decides.
struct Decision {
  std::string id;              ///< suite/name
  Level level = Level::kFull;  ///< the lowest level that has the case
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  DecidedClauses clauses;
};

/// The decisions of every case of every suite at the level, in their order.
std::variant<std::vector<Decision>, ReadError> DecisionsAt(Level level);

/// The cases that have the operator and the dialect of a document, by the clauses that they decide.
class DocumentDecisions {
 public:
  /// The object points into `decisions`.
  DocumentDecisions(const oracle::Document& document, const std::vector<Decision>& decisions);

  /// The cases that decide one of the sentence's clauses on its topic, in their order.
  std::vector<const Decision*> DecidingCases(const oracle::Sentence& sentence) const;

 private:
  struct Entry {
    std::size_t number;  ///< index in decisions_
    Topics topics;
  };
  std::vector<const Decision*> decisions_;
  std::map<std::string_view, std::vector<Entry>> by_clause_;
};

/// The number of cases at each level. Each level contains the cases of lower levels.
using CountByLevel = std::array<std::size_t, 3>;
CountByLevel CountByLevels(const std::vector<const Decision*>& decisions);

/// One line for each missing link: a sentence without clauses, a clause without sentences, or one of them without
/// cases. Empty if nothing is missing. `decisions` must be those of level gate.
std::vector<std::string> MissingLinks(std::span<const oracle::Document> documents,
                                      std::span<const oracle::Clause> clauses, const std::vector<Decision>& decisions);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECISIONS_H_
