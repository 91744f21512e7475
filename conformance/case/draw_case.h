// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a valid case at random, for fuzzers. Most sizes are small; some lie next to vector widths and powers of two.

#ifndef DECONV_CONFORMANCE_CASE_DRAW_CASE_H_
#define DECONV_CONFORMANCE_CASE_DRAW_CASE_H_

#include <cstddef>
#include <optional>

#include "conformance/case/case.h"
#include "conformance/case/fit_sketch.h"
#include "conformance/case/random.h"

namespace conformance {

struct DrawOptions {
  std::optional<oracle::Dialect> dialect = std::nullopt;  ///< absent: any dialect of the operator, each equally often
  std::size_t most_axes = 8;
  CaseLimits limits = {};
};

/// Draws a case that is valid and within the limits.
Case DrawCase(Random& random, const DrawOptions& options = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DRAW_CASE_H_
