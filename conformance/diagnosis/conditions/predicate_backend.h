// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For tests: a backend that is a plain predicate on cases, and known cases that it passes or fails.

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

/// A search that asks the backend.
ConditionSearch SearchOf(const Fails& fails, std::uint64_t seed = 1);

/// Cases of every operator and many attributes, and `more`, with its verdicts.
std::vector<KnownCase> KnownCases(const Fails& fails, const std::vector<std::string>& more);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_PREDICATE_BACKEND_H_
