// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Puts the condition under which a cause's failures occur, and the place of their wrong outputs, in front of the cause.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_CONDITION_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_CONDITION_H_

#include <map>
#include <span>
#include <string>
#include <vector>

#include "conformance/diagnosis/conditions/condition.h"
#include "conformance/diagnosis/conditions/place.h"
#include "conformance/run/failure_causes.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// The conditions of a run, and the wrong outputs of the failures that were run again.
struct RunConditions {
  std::vector<Condition> conditions;
  std::map<std::size_t, WrongOutputs> wrong;  ///< by the index of the result
};

/// Sets condition, place and title of each cause for which a condition is true of most of the failures. The causes'
/// failures are indices of results.
void AddConditions(std::span<const CaseResult> results, const RunConditions& conditions, std::vector<Cause>& causes);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CAUSE_CONDITION_H_
