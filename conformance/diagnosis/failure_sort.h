// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the kind and the sort of a failure. Only failures of the same sort can have one presumed cause.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_

#include <compare>
#include <string>

#include "conformance/run/failure_causes.h"
#include "conformance/verdict/result.h"

namespace conformance {

/// Returns the kind of causes to which failures of this class belong.
CauseKind CauseKindOf(FailureClass failure);

struct FailureSort {
  CauseKind kind = CauseKind::kWrongOutput;
  FailureClass failure = FailureClass::kNone;  ///< "cannot do" counts as a refusal
  std::string clause;                          ///< that refuses the operator; empty for one that the dialect computes
  std::string words;  ///< pattern of the backend's own words, if it refused or reported an error (PatternOf)
  std::string law;    ///< that was judged

  auto operator<=>(const FailureSort&) const = default;
};

FailureSort SortOf(const CaseResult& result);

/// The sort without what one defect may show in several ways: wrong values are also values where no tap reaches, and
/// outputs that keep old contents. Invalid operators are of one kind, whatever refuses them.
FailureSort KindOf(FailureSort sort);

/// The backend's own words if it declined or reported an error; else empty.
std::string WordsOf(const CaseResult& result);

/// A message without its numbers, addresses and lists of numbers. A list is one number, however long it is: "Conv2D:
/// pads (0, 1) at 0x7f1" and "Conv3D: pads (0, 1, -2) at 0x8a2" give the same pattern.
std::string PatternOf(const std::string& message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_
