// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// From a case that fails to a smaller one that still does: fewer axes, attributes, channels, smaller numbers. Works for
// any case, valid or not, and any way of failing.

#ifndef DECONV_CONFORMANCE_CASE_SHRINK_H_
#define DECONV_CONFORMANCE_CASE_SHRINK_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "conformance/case/case.h"

namespace conformance {

/// Cases that are simpler in one way each, the boldest first; of none can one come back to where it started. Data set,
/// seed, dialect and law stay. What belongs together stays so: channels of data and filter, dst_shape and what it
/// follows from.
std::vector<Case> SimplerCases(const Case& test_case);

struct ShrinkLimits {
  std::chrono::nanoseconds time = std::chrono::seconds(5);
  std::size_t runs = 2000;
};

struct Shrunk {
  Case smallest;
  std::size_t runs = 0;
  bool complete = false;  ///< nothing simpler fails; else the limits ended the search
};

/// `fails(failing)` is true. It is asked for one case at a time.
Shrunk Shrink(const Case& failing, const std::function<bool(const Case&)>& fails, const ShrinkLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_SHRINK_H_
