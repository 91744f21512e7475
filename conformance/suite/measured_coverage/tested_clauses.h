// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules of oracle/clauses.md) that a case tests, to measure which clauses no case tests.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TESTED_CLAUSES_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TESTED_CLAUSES_H_

#include <set>
#include <string_view>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// The clauses that a case tests.
/// - Clauses that the resolution cites: in its steps, or only in its refusal. S4 counts only if the order of two
///   dimensions matters in this case.
/// - Clauses that no step cites, recognised by the case: foreign attributes (D2), an output with other sizes than the
///   data (D4), a shape input (T6), many axes (S1), several groups or channels (S6), empty dimensions (S8), and ranges
///   of ignored attributes (A15).
/// - Clauses on values (V) that the type, the data set and the geometry of the case can show.
std::set<std::string_view> TestedClauses(const Case& test_case, const oracle::Resolution& resolution);

/// Whether no case can test the clause. The definition gives the reason for each such clause.
bool IsUntestable(std::string_view clause);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TESTED_CLAUSES_H_
