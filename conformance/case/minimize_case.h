// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a case that fails: it searches a smaller case that still fails, with fewer axes, attributes and channels
// and with smaller numbers. It works for any case, valid or not, and for any kind of failure.

#ifndef DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_
#define DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// Cases that are each simpler in one way, the largest steps first. No sequence of steps returns to an earlier case.
/// Data set, seed, dialect and law stay. Values that depend on each other change together: the channels of data and
/// filter, and dst_shape with the sizes that it follows from.
std::vector<Case> SimplerCases(const Case& test_case);

struct MinimizeCaseLimits {
  std::chrono::nanoseconds time = std::chrono::seconds(5);
  std::size_t runs = 2000;
};

struct MinimizedCase {
  Case smallest;
  std::size_t runs = 0;
  bool complete = false;  ///< no simpler case fails; false: the limits ended the search
};

/// `fails(failing)` must be true. MinimizeCase calls `fails` for one case at a time.
MinimizedCase MinimizeCase(const Case& failing, const std::function<bool(const Case&)>& fails,
                           const MinimizeCaseLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_
