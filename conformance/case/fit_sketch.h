// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a case valid and small. A random change of single fields usually gives fields that contradict each other.
// FitSketch then changes only the fields that make the case invalid or too large. A sketch is a case as plain fields.

#ifndef DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_
#define DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/case/sketch.h"
#include "oracle/resolve.h"

namespace conformance {

/// The largest size of a case. With the defaults, oracle and a backend with sanitizers finish within milliseconds.
struct CaseLimits {
  std::int64_t outputs = 2048;    ///< elements
  std::int64_t products = 20000;  ///< multiply-adds; also the limit for the elements of data and of filter

  /// Limits for a few larger cases. Their outputs may be more than 2^16, so that a 16-bit index overflows.
  CaseLimits Large() const { return {.outputs = 40 * outputs, .products = 4 * products}; }
};

/// Whether a geometry exceeds the limits. Every data element counts as multiplied with every tap of its group, even
/// where pads cut off the output element of the product.
bool Exceeds(const oracle::Geometry& geometry, const CaseLimits& limits);

/// The spellings of auto_pad that an operator's document allows (clauses A9 to A12). nullopt is an absent auto_pad.
std::span<const std::optional<std::string_view>> AutoPadsOf(oracle::OperatorKind kind);

/// Changes the sketch so that its case is valid in its dialect and within the limits. A sketch that is valid and small
/// already stays as it is, unless it has an attribute beyond 2^30.
void FitSketch(Sketch& sketch, const CaseLimits& limits = {});

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FIT_SKETCH_H_
