// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the result of a case before it is judged, and finds the geometry of a case that was judged.

#ifndef DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_
#define DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_

#include <optional>

#include "conformance/suite/suite.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// A result with suite, name, reason and case. The runner adds the index in the case list and the file.
CaseResult ResultOf(const SuiteCase& suite_case);

/// The geometry of a result's operator in the dialect that judged it. nullopt for a sweep, for an operator that the
/// dialect refuses, and for a result without a case or a verdict.
std::optional<oracle::Geometry> GeometryOf(const CaseResult& result);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_RESULT_OF_CASE_H_
