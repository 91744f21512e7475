// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the failing cases have the features that a class of defects needs: a backend that misreads output_padding
// fails only where output_padding decides a size or a pad.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CLASS_SUPPORT_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CLASS_SUPPORT_H_

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/conditions/feature.h"
#include "conformance/diagnosis/likeness.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// How much the failures support a class, for each class that needs a feature. If nearly all failing cases have one
/// feature: their share minus that of the passing cases. If the failing cases lack all features of the class: -1, which
/// speaks against the class, or 0 for a class that has other defects, too.
using ClassSupport = std::map<std::string_view, double>;
inline constexpr double kAgainst = -1;

ClassSupport SupportOfClasses(std::span<const FeatureRow> failures, std::span<const FeatureRow> passes);

/// The features of the cases of these trials.
std::vector<FeatureRow> RowsOfTrials(std::span<const Trial* const> trials);

/// The features of at most 1,000 passing cases of a run, spread over all of them.
std::vector<FeatureRow> RowsOfPasses(std::span<const CaseResult> results);

/// The features that a class needs. Each failure must have at least one of them. Empty if the class needs none. All are
/// flags or sizes of Features().whole.
std::vector<std::string_view> FeaturesNeededBy(std::string_view mutant_class);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CLASS_SUPPORT_H_
