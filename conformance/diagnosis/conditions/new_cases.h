// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts how new cases agree with a claim about a backend's failures, such as "it fails where stride >= 3". New cases
// are cases that the run did not contain.

#ifndef DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_NEW_CASES_H_
#define DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_NEW_CASES_H_

#include <cstddef>

namespace conformance {

/// New cases that test a claim. The claim is that the backend fails all cases inside of it, and passes all others.
struct NewCases {
  std::size_t inside = 0;
  std::size_t inside_failed = 0;
  std::size_t outside = 0;
  std::size_t outside_failed = 0;

  std::size_t total() const { return inside + outside; }
  void Add(bool is_inside, bool failed) {
    ++(is_inside ? inside : outside);
    (is_inside ? inside_failed : outside_failed) += failed ? 1 : 0;
  }
  /// Whether the counts confirm the claim: at least three cases on each side, at least nine of ten inside fail, and at
  /// most one of ten outside. `has_outside`: false for a claim about all cases, which leaves no cases outside.
  bool IsConfirmed(bool has_outside = true) const {
    return inside >= 3 && (!has_outside || outside >= 3) && 10 * inside_failed >= 9 * inside &&
           10 * outside_failed <= outside;
  }
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DIAGNOSIS_CONDITIONS_NEW_CASES_H_
