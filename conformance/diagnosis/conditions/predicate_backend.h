// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A backend for tests of the search for conditions: it fails a case exactly if a predicate is true of it. Also makes
// cases with their verdicts by this backend.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_PREDICATE_BACKEND_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_PREDICATE_BACKEND_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/diagnosis/conditions/find_condition.h"

namespace conformance {

using Fails = std::function<bool(const Sketch&, const FeatureRow&)>;

/// The types, ranks and limits that the planted backend declares.
const Capabilities& Declared();

Case CaseOfLine(const std::string& line);

/// A search for a condition that asks this backend.
ConditionSearch SearchOf(const Fails& fails, std::uint64_t seed = 1);

/// Cases of every operator and many attributes, and the case lines `more`, with the verdicts of this backend.
std::vector<KnownCase> KnownCases(const Fails& fails, const std::vector<std::string>& more);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_PREDICATE_BACKEND_H_
