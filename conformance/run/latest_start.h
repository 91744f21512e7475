// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds by binary search the earlier case of the same process on which a failure depends. Such a failure comes from
// state that a backend (the library under test) keeps from case to case.

#ifndef DECONV_CONFORMANCE_RUN_LATEST_START_H_
#define DECONV_CONFORMANCE_RUN_LATEST_START_H_

#include <cstddef>
#include <functional>

namespace conformance {

/// The largest i such that the case fails after the cases [i, count) ran before it: the failure needs case i. Example:
/// of 5 earlier cases, number 3 damages the process. The case fails after 0 to 4, 2 to 4 and 3 to 4, and passes after 4
/// alone. So i is 3.
/// `fails_from(i)` runs the cases. It must be true for 0 and false for `count`, and is assumed to change only once.
/// Returns a smaller i if `interrupted` becomes true.
inline std::size_t LatestStart(std::size_t count, const std::function<bool(std::size_t)>& fails_from,
                               const std::function<bool()>& interrupted) {
  std::size_t failing_start = 0;
  std::size_t passing_start = count;
  while (passing_start - failing_start > 1 && !interrupted()) {
    const std::size_t middle = failing_start + (passing_start - failing_start) / 2;
    (fails_from(middle) ? failing_start : passing_start) = middle;
  }
  return failing_start;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_LATEST_START_H_
