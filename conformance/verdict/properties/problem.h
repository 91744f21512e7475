// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// A problem: the resolved geometry of an operator (sizes and pads) and the values of its tensors, independent of
// attributes and layouts. Laws, which relate the outputs of related operators, change a problem and then express it as
// an operator again.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_PROBLEM_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_PROBLEM_H_

#include <cstdint>
#include <optional>

#include "conformance/case/case.h"
#include "conformance/case/operator_draft.h"
#include "conformance/verdict/properties/nd_array.h"
#include "oracle/resolve.h"

namespace conformance::properties {

/// The geometry and the values of an operator.
struct Problem {
  oracle::OperatorKind kind = oracle::OperatorKind::kConvolutionBackpropData;
  oracle::Geometry geometry;
  NdArray data;     ///< [N, G * C_IN, X...], whatever the layout
  NdArray filter;   ///< [G * C_IN, C_OUT, K...], C_OUT of a group
  double unit = 1;  ///< every product is a multiple of this number

  oracle::Axis& axis(std::size_t j) { return geometry.axes[j]; }
  const oracle::Axis& axis(std::size_t j) const { return geometry.axes[j]; }
  std::size_t axes() const { return geometry.axes.size(); }
};

/// The index of spatial axis j among the dimensions of the arrays.
constexpr std::size_t At(std::size_t j) { return j + 2; }

/// Size along an axis without pads and output_padding (clause P1).
std::int64_t NaturalSize(const oracle::Axis& axis);

/// Parameters for drawing integer values: the seed, and the largest magnitude.
struct ValueDraw {
  std::uint64_t seed = 0;
  std::int64_t largest = 15;
};

/// The problem that the case states, with drawn values.
Problem ProblemOf(const Case& test_case, const oracle::Geometry& geometry, const ValueDraw& draw);

/// An array of drawn integers with the dims of the output.
NdArray WeightsOfOutputs(const oracle::Geometry& geometry, const ValueDraw& draw);

oracle::Dims OutputDims(const oracle::Geometry& geometry);  ///< [N, G * C_OUT, Y...]

/// The problem as an operator with explicit pads. Negative pads become 0.
OperatorDraft DraftOf(const Problem& problem);
/// An operator with explicit pads that resolves to the problem's geometry. nullopt if pads_begin would be negative.
std::optional<oracle::Operator> Express(const Problem& problem);

/// Whether both geometries give the same outputs. pads_end is ignored, because no output value depends on it.
bool HaveEqualOutputs(oracle::Geometry a, oracle::Geometry b);

// Convert between arrays and the order of elements in an operator's tensors.
NdArray InLayout(const NdArray& data_or_output, oracle::DataLayout layout);
NdArray FromLayout(NdArray data_or_output, oracle::DataLayout layout);
NdArray FilterInLayout(const NdArray& filter, oracle::FilterLayout layout);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_PROBLEM_H_
