// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Minimizes a failing case: it searches for a case that still fails, with fewer axes, attributes and channels, and with
// smaller numbers. The caller defines "fails". The case may be valid or invalid.

#ifndef DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_
#define DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// Cases that are each simpler than `test_case` in one way, the largest simplifications first. Repeated simplification
/// never returns to an earlier case. Data set, seed, dialect and law stay. Dependent values change together: the
/// channels of data with those of the filter, and dst_shape with the sizes that determine it.
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

/// Replaces `failing` by a simpler case that fails, until none does or a limit is reached. `fails(failing)` must be
/// true. MinimizeCase calls `fails` for one case at a time.
MinimizedCase MinimizeCase(const Case& failing, const std::function<bool(const Case&)>& fails,
                           const MinimizeCaseLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_MINIMIZE_CASE_H_
