// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says what a single failing operator needs to fail: makes it as small as possible, and names small changes with which
// it passes, or a case that must run before it. This needs no other failure, so it serves causes without a condition.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_NEAREST_PASSES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_NEAREST_PASSES_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "conformance/diagnosis/conditions/find_condition.h"

namespace conformance {

/// The most new cases that NearestPasses needs.
inline constexpr std::size_t kMostQuestionsOfNearest = 80;

/// "the smallest operator that was found to fail so is CASE; it passes with strides=65535, or with data=1,1,1". Asks at
/// most search.questions times. Empty if the failing operator is the smallest one, and no simpler one passes.
std::string NearestPasses(const KnownCase& failing, const ConditionSearch& search);

/// The most new cases that CaseBefore needs.
inline constexpr std::size_t kMostQuestionsOfCaseBefore = 8;

/// Returns the line of a similar case with an output of the same size. After that case the failing case, which passes
/// alone, fails again: the backend reads an output that it has not written. Empty if no such case was found.
std::string CaseBefore(const Case& failing, const std::function<std::optional<bool>(const Case&)>& ask);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_NEAREST_PASSES_H_
