// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says which statements of a condition the known cases support. A case tests a statement if it satisfies all others of
// the conjunction and not this one. It supports the statement if it passes. Statements without support fit the failures
// perhaps only by chance.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SUPPORT_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SUPPORT_H_

#include <deque>

#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {

/// Leaves out each statement without support if hardly any pass satisfies the others. Alternatives that become equal
/// are joined. The counts of new cases (`confirmed`, `refuted`) must be known.
void LeaveOutUnsupported(const std::deque<TrainingRow>& rows, Condition& condition);

/// Sets for each alternative whether all of its statements are supported. `explaining`: a condition
/// that gives a reason for failures outside of an alternative.
void NoteSupport(const std::deque<TrainingRow>& rows, const Condition& explaining, Condition& condition);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_SUPPORT_H_
