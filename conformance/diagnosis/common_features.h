// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the classes of properties that all failing cases of a group have and most passing cases do not have, and tests
// on new cases that the backend fails because of them.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/case/property/property.h"
#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// A class of a property, such as rank=4.
struct CommonClass {
  Property property;
  std::uint8_t value;
};

/// The classes that all these failing operators have: first the class that the fewest passing cases of the same suites
/// have, then the class that the fewest of these have, and so on. A class is left out if half of them have it, or if as
/// many of them might share it by chance. Indices are those of results. Empty if there is only one failure, or an
/// operator without classes.
std::vector<CommonClass> CommonClasses(std::span<const CaseResult> results, const std::vector<std::size_t>& failures);

/// The classes that all failures of a group have, and the counts of new cases that confirm them.
struct TestedClasses {
  std::string text;  ///< "rank=4, type=bf16"
  NewCases tested;
};

/// The most new cases that TestClasses asks about.
inline constexpr std::size_t kMostQuestionsOfClasses = 20;

/// Makes new cases of the failing ones, with the same values. Drops each class without which one of them fails too, and
/// each class without which no case could be tried. Nothing if no class is left, or if new cases that have all of the
/// others pass.
std::optional<TestedClasses> TestClasses(std::vector<CommonClass> classes, std::span<const KnownCase> failures,
                                         const ConditionSearch& search);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_COMMON_FEATURES_H_
