// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds for each sentence of the specification the cases that decide it, that is whose verdict depends on it. A
// sentence cites clauses (numbered rules) and has a topic, such as pads_end. A case decides the sentence if it decides
// one of these clauses on this topic.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECISIONS_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECISIONS_H_

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"
#include "conformance/suite/traceability/decided_clauses.h"
#include "oracle/sentences/sentence.h"

namespace conformance {

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
