// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the earlier case that a failure needs, in a list of cases that ran before it in one process.

#ifndef DECONV_CONFORMANCE_RUN_LATEST_START_H_
#define DECONV_CONFORMANCE_RUN_LATEST_START_H_

#include <cstddef>
#include <functional>

namespace conformance {

/// The latest start from which a case still fails, on the assumption that more cases before never make it pass.
/// `fails_from(0)` is true, and `fails_from(count)` is false. Ends early with an earlier start if `interrupted` says
/// so.
inline std::size_t LatestStart(std::size_t count, const std::function<bool(std::size_t)>& fails_from,
                               const std::function<bool()>& interrupted) {
  std::size_t fails = 0;
  std::size_t passes = count;
  while (passes - fails > 1 && !interrupted()) {
    const std::size_t middle = fails + (passes - fails) / 2;
    (fails_from(middle) ? fails : passes) = middle;
  }
  return fails;
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_RUN_LATEST_START_H_
