// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules of oracle/clauses.md) that a case decides: the clauses on which its verdict
// depends. The page oracle/sentences.md uses them to count the cases that test a sentence of the specification.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_

#include <cstdint>
#include <map>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/suite/traceability/topic.h"

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_
