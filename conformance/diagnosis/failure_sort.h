// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines the sort of a failure. Only failures of the same sort can have one presumed cause.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_

#include <compare>
#include <string>

#include "conformance/verdict/result.h"

namespace conformance {

struct FailureSort {
  FailureClass failure = FailureClass::kNone;  ///< "cannot do" counts as a refusal
  std::string clause;                          ///< that refuses the operator; empty for one that the dialect computes
  std::string message;  ///< the backend's own words, if it refused or reported an error; its numbers are left out
  std::string law;      ///< that was judged

  auto operator<=>(const FailureSort&) const = default;
};

FailureSort SortOf(const CaseResult& result);

/// The backend's own words if it declined or reported an error; else empty.
std::string WordsOf(const CaseResult& result);

/// Whether the backend declined a valid operator, or reported an error: its message says why.
bool IsDeclined(FailureClass failure);

/// A message without its numbers: "rank # is not supported".
std::string PatternOf(const std::string& message);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_FAILURE_SORT_H_
