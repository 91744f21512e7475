// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses that a case decides: its verdict depends on them.

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

/// The clauses that a case decides by its own dialect. An ordinary case decides what ClausesMet says: on the topics of
/// its operator, or on the topics that its refusal and its open points name. A case that names a law decides the same,
/// since the law holds for the geometry that the clauses give. A sweep decides what its operators decide, of which at
/// most kOperatorsOfSweep are looked at, in equal distances. A sweep of geometry computes no values, so that it decides
/// none of the clauses of chapter V.
DecidedClauses ClausesDecidedBy(const Case& test_case);

inline constexpr std::uint64_t kOperatorsOfSweep = 300;

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_TRACEABILITY_DECIDED_CLAUSES_H_
