// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds for each sentence of the specification the cases of the suites that decide it.

#ifndef DECONV_CONFORMANCE_TRACEABILITY_DECISIONS_H_
#define DECONV_CONFORMANCE_TRACEABILITY_DECISIONS_H_

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/suite/suite.h"
#include "conformance/traceability/decided_clauses.h"
#include "oracle/sentences/sentence.h"

namespace conformance {

/// What one case of the suites decides.
struct Decision {
  std::string id;              ///< suite/name
  Level level = Level::kFull;  ///< the lowest one that has the case
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  oracle::Dialect dialect = oracle::Dialect::kOpenvinoSpec;
  DecidedClauses clauses;
};

/// Of every case of every suite at the level, in their order.
std::variant<std::vector<Decision>, ReadError> DecisionsAt(Level level);

/// Whether the case decides a clause for the sentence: it decides the clause on the topic of the sentence, and it has
/// the operator and the dialect of the sentence's document.
bool Decides(const Decision& decision, const oracle::Sentence& sentence, std::string_view clause);
/// The cases that decide any clause of the sentence.
std::vector<const Decision*> DecisionsFor(const std::vector<Decision>& decisions, const oracle::Sentence& sentence);

/// Number of cases at each level; each level contains the one before.
using CountByLevel = std::array<std::size_t, 3>;
CountByLevel CountByLevels(const std::vector<const Decision*>& decisions);

/// What is missing between sentences, clauses and cases, a line each; empty if nothing is. `decisions` are those of
/// level gate.
std::vector<std::string> Holes(std::span<const oracle::Document> documents, std::span<const oracle::Clause> clauses,
                               const std::vector<Decision>& decisions);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_TRACEABILITY_DECISIONS_H_
