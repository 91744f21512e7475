// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a failing test case greedily: it moves to the first simpler case that fails, and repeats from there.
// RapidCheck, a library for random tests, makes the simpler cases one at a time, when they are needed.

#include "conformance/case/minimize_case.h"

#include <utility>

#include <rapidcheck.h>

namespace conformance {

MinimizedCase MinimizeCase(const Case& failing, const std::function<bool(const Case&)>& fails,
                           const MinimizeCaseLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.time;
  auto tree =
      rc::shrinkable::shrinkRecur(failing, [](const Case& at) { return rc::seq::fromContainer(SimplerCases(at)); });
  MinimizedCase minimized{failing};
  while (!minimized.complete) {
    auto simpler_cases = tree.shrinks();
    minimized.complete = true;  // unless one of the simpler cases fails too
    while (auto next = simpler_cases.next()) {
      if (minimized.runs == limits.runs || std::chrono::steady_clock::now() > deadline) {
        minimized.complete = false;
        return minimized;
      }
      ++minimized.runs;
      Case tried = next->value();
      if (!fails(tried)) continue;
      minimized.smallest = std::move(tried);
      tree = *std::move(next);
      minimized.complete = false;
      break;
    }
  }
  return minimized;
}

}  // namespace conformance
