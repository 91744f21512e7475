// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a case valid and small: changes of single fields seldom fit together. Only the fields that are in the way
// change.

#ifndef DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_
#define DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/case/sketch.h"
#include "oracle/resolve.h"

namespace conformance {

/// The size of a valid case. The defaults let the oracle and a backend with sanitizers finish within milliseconds.
struct CaseLimits {
  std::int64_t outputs = 2048;    ///< elements
  std::int64_t products = 20000;  ///< multiply-adds; also the limit for the elements of data and of filter

  /// The limits of the few cases that are larger than the others. Their outputs are more than 16 bits count.
  CaseLimits Large() const { return {.outputs = 40 * outputs, .products = 4 * products}; }
};

/// Counts as if every data element met every tap of its group.
bool Exceeds(const oracle::Geometry& geometry, const CaseLimits& limits);

/// The spellings of auto_pad that the document of an operator takes (clauses A9 to A12). Absent is one of them.
std::span<const std::optional<std::string_view>> AutoPadsOf(oracle::OperatorKind kind);

/// The case of the sketch becomes valid in its dialect and stays within the limits. A case that is so already stays as
/// it is, unless it has an attribute beyond 2^30.
void FitSketch(Sketch& sketch, const CaseLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_
