// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Divides groups of failures by the element types of their cases, and by the implementation that ran them. A library
// may compute f64 and wide integers in f32, and fail nearly all of them, while a wrong index fails all types alike.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_DIVIDE_GROUPS_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_DIVIDE_GROUPS_H_

#include <span>
#include <vector>

#include "conformance/diagnosis/group_by_cause.h"

namespace conformance {

/// Splits failures off each group of wrong outputs that nothing explains: those of an implementation that fails far
/// more often than the others. Its defect is then searched for among its own cases.
void DivideByImplementation(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Divides groups of wrong outputs that nothing explains, if some types fail more often than others: several defects of
/// arithmetic look alike. The failures of each family of types become a group. The family that fails least often stands
/// first: it has the fewest defects, and others may share them.
void DivideByFamilies(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Splits the failures without data elements off each group of wrong outputs that nothing explains. A backend that
/// does not write the outputs then fails by the content of the memory, which hides the conditions of other defects.
void DivideBySize(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Joins what is left of families without a reason: wrong values, and NaN of both classes. To divide them taught
/// nothing.
void JoinLeftFamilies(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Adds to the condition of each group of a family the types to which its failures belong. "... and type == i16 or u16"
void NameTypes(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

/// Divides groups of wrong outputs that nothing explains. Failures of types of which nearly all cases fail become a
/// group. The others tell to which types they belong, if other types are computed rightly.
void SplitByTypes(std::span<const CaseResult> results, std::vector<CauseGroup>& groups);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_DIVIDE_GROUPS_H_
