// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A sketch is a case as plain fields that can be changed one by one: sizes, attributes of each axis, spelling, values.
// For example, the field `in` sets the dims of data and of filter at once. Fuzzers make new cases by changing these
// fields, and the diagnosis (the search for causes) states its conditions on them.

#ifndef DECONV_CONFORMANCE_CASE_SKETCH_H_
#define DECONV_CONFORMANCE_CASE_SKETCH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/case/property/property.h"
#include "oracle/resolve.h"

namespace conformance {

/// The numbers of one spatial axis.
struct SketchAxis {
  std::int64_t data = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pads_begin = 0;
  std::int64_t pads_end = 0;
  std::int64_t output_padding = 0;
  std::int64_t shape_excess = 0;  ///< output shape minus the output size that the attributes give

  bool operator==(const SketchAxis&) const = default;
};

/// A case as plain fields.
struct Sketch {
  Case base_case;  ///< gives the facts without a field below: the data set, the seed, the dialect, spellings
  std::int64_t batch = 1;
  std::int64_t groups = 1;
  std::int64_t in = 1;   ///< channels of a group
  std::int64_t out = 1;  ///< channels of a group
  std::vector<SketchAxis> axes;
  bool strides = true;  ///< whether the operator has the attribute; so for the next five
  bool dilations = true;
  bool pads_begin = true;
  bool pads_end = true;
  bool output_padding = false;
  bool kernel_shape = false;
  ShapeSourceClass shape = ShapeSourceClass::kAbsent;  ///< where the output shape stands
  /// The type of a shape input. CaseOf() takes i64 if this type cannot hold the sizes.
  oracle::ElementType shape_type = oracle::ElementType::kI64;

  oracle::OperatorKind kind() const { return base_case.op.kind; }
  oracle::ElementType type() const { return base_case.op.data.type; }
};

/// The sketch of a case; nullopt for a sweep, for a law, and if ranks or lists do not fit each other.
std::optional<Sketch> SketchOf(const Case& test_case);

/// The case that a sketch describes; the opposite of SketchOf.
Case CaseOf(const Sketch& sketch);

// Makes a case valid and small (fit_sketch.cc). A random change of single fields usually gives fields that contradict
// each other. FitSketch then changes only the fields that make the case invalid or too large.

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

#endif  // DECONV_CONFORMANCE_CASE_SKETCH_H_
