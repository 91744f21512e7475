// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules of oracle/clauses.md) that a case decides: the clauses on which its verdict
// depends.

#ifndef DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_
#define DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_

#include <cstdint>
#include <map>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/suite/traceability/topic.h"

namespace conformance {

/// Clauses by id, with the topics on which the case decides them.
using DecidedClauses = std::map<std::string_view, Topics>;

/// The clauses that a case decides in its own dialect.
/// - An ordinary case decides the clauses of TestedClauses, on the topics of its operator. A refusal and
///   the open points give their own topics, which their messages name.
/// - A case with a law decides the same clauses, because they give the geometry for which the law must hold.
/// - A sweep decides the clauses of its operators; at most kOperatorsOfSweep of them, equally spaced, are looked at. A
///   sweep of geometries computes no values, so that it decides no clause of chapter V.
DecidedClauses ClausesDecidedBy(const Case& test_case);

/// A guess that bounds the time; it is part of the numbers in oracle/sentences.md.
inline constexpr std::uint64_t kOperatorsOfSweep = 300;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_
