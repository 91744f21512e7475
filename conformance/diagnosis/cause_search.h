// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the condition of each group of failures, such as "stride >= 3": a statement that is true of all failures and of
// no passing case. Each condition is tested on new cases, that is on cases that the run did not contain.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_SEARCH_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_SEARCH_H_

#include <span>
#include <vector>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/diagnosis/group_by_cause.h"

namespace conformance {

/// Fills in each group's condition, limit (a feature that the backend cannot do) and small case. Groups of wrong
/// outputs whose failures satisfy one condition are joined; a group that has two conditions is divided. Asks the
/// backend as often as the diagnoser's budget allows.
void FindConditions(std::span<const CaseResult> results, Diagnoser& diagnoser, std::vector<CauseGroup>& groups);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_SEARCH_H_
