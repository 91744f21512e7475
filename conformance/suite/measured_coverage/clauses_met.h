// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses of oracle/clauses.md that a case tests.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLAUSES_MET_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLAUSES_MET_H_

#include <set>
#include <string_view>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// The clauses that the resolution cites: its steps, or its refusal alone. S4 counts only if the case has dimensions
/// whose order matters. And the clauses that no step cites, recognised by what the case holds: foreign attributes (D2),
/// an output of other sizes than the data (D4), a shape input (T6), more axes than the later documents name (S1),
/// several groups or channels (S6), empty dimensions (S8), ranges of ignored attributes (A15), and of the values'
/// clauses (V) the ones that the case's type, data set and geometry put to the test.
std::set<std::string_view> ClausesMet(const Case& test_case, const oracle::Resolution& resolution);

/// Clauses that no case can be about, each with the reason in a comment where it is listed.
bool BeyondCases(std::string_view clause);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_CLAUSES_MET_H_
