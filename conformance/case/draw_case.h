// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a valid case at random, and makes a valid case invalid, for fuzzers: backends must refuse invalid operators. A
// case line can express each of these cases. Most sizes are small; some lie next to vector widths and powers of two.

#ifndef DECONV_CONFORMANCE_CASE_DRAW_CASE_H_
#define DECONV_CONFORMANCE_CASE_DRAW_CASE_H_

#include <cstddef>
#include <optional>

#include "conformance/case/case.h"
#include "conformance/case/random.h"
#include "conformance/case/sketch.h"

namespace conformance {

struct DrawOptions {
  std::optional<oracle::Dialect> dialect = std::nullopt;  ///< absent: any dialect of the operator, each equally often
  std::size_t most_axes = 8;
  CaseLimits limits = {};
};

/// Draws a case that is valid and within the limits.
Case DrawCase(Random& random, const DrawOptions& options = {});

/// Changes one number, list, type or word to an invalid one. Sometimes the result is still valid, for example if an
/// auto_pad ignores a huge padding. The result always has a case line.
void CorruptCase(Case& test_case, Random& random);

/// Makes sure that a case line can express the case after a change of types or values. Values of the output shape are
/// cut to the bits of their type. A data set that the element type does not have becomes `integers`.
void SettleTypes(Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DRAW_CASE_H_
