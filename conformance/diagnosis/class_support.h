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

#include "conformance/conditions/feature.h"
#include "conformance/diagnosis/likeness.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// How much the failures support a class, for each class that needs a feature. The share of the failing cases that have
/// the feature minus that of the passing ones, if nearly all failing cases have it; else -1, which speaks against the
/// class.
using ClassSupport = std::map<std::string_view, double>;
inline constexpr double kAgainst = -1;

ClassSupport SupportOfClasses(std::span<const FeatureRow> failures, std::span<const FeatureRow> passes);

/// The features of the cases of these trials.
std::vector<FeatureRow> RowsOfTrials(std::span<const Trial* const> trials);

/// The features of at most 1,000 passing cases of a run, spread over all of them.
std::vector<FeatureRow> RowsOfPasses(std::span<const CaseResult> results);

/// The features that a class needs: of each failure at least one. Empty if the class needs none. All are flags or sizes
/// of Features().whole.
std::vector<std::string_view> FeaturesNeededBy(std::string_view mutant_class);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CLASS_SUPPORT_H_
