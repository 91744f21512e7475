// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the clauses (numbered rules of oracle/clauses.md) that a case tests. Collects the clauses that a case's
// resolution cites, and applies a rule for each clause that no resolution cites.

#include "conformance/suite/measured_coverage/tested_clauses.h"

#include <algorithm>
#include <vector>

#include "conformance/case/data_set.h"
#include "conformance/case/property/property.h"
#include "conformance/suite/measured_coverage/tap_regimes.h"
#include "oracle/evaluate.h"

namespace conformance {
namespace {

using oracle::Geometry;
using oracle::Operator;
using oracle::OperatorKind;

// Whether the operator has an attribute that only other kinds of operators have.
bool HasForeignAttribute(const Operator& op) {
  const bool backward = op.kind == OperatorKind::kConvolutionBackwardData;
  const bool onnx = op.kind == OperatorKind::kConvTranspose;
  return (!backward && (op.data_format || op.weights_format || op.dst_shape)) || (!backward && !onnx && op.groups) ||
         (!onnx && (op.kernel_shape || op.output_shape_attribute));
}

// Whether the dialect refuses an attribute that it would otherwise ignore: pads beside an auto_pad that ignores them,
// or the attribute dst_shape beside the shape input.
bool RefusesIgnored(const Operator& op, std::string_view clause) {
  return (clause == "A1" && !PadsDecide(op)) || (clause == "S11" && op.output_shape && op.dst_shape);
}

// Whether the data or the filter has two dimensions whose order matters.
bool OrderMatters(const Geometry& geometry) {
  int data = 0;
  int filter = 0;
  for (const std::int64_t dim : {geometry.batch, geometry.groups, geometry.in_channels}) data += dim > 1 ? 1 : 0;
  for (const std::int64_t dim : {geometry.groups, geometry.in_channels, geometry.out_channels}) {
    filter += dim > 1 ? 1 : 0;
  }
  for (const oracle::Axis& axis : geometry.axes) {
    data += axis.data > 1 ? 1 : 0;
    filter += axis.kernel > 1 ? 1 : 0;
  }
  return data > 1 || filter > 1;
}

// Whether output and data have different sizes, so that a backend that exchanges them gives a wrong answer.
bool OutputDiffersFromData(const Geometry& geometry) {
  return geometry.in_channels != geometry.out_channels ||
         std::ranges::any_of(geometry.axes, [](const oracle::Axis& axis) { return axis.data != axis.output; });
}

// Whether strides leave gaps between data, or dilations between the elements of the filter.
bool HasGaps(const Geometry& geometry) {
  return std::ranges::any_of(geometry.axes,
                             [](const oracle::Axis& axis) { return axis.stride > 1 || axis.dilation > 1; });
}

// Whether some output has no products.
bool HasEmptyOutputs(const Geometry& geometry) {
  TapRegimes regimes;
  regimes.Add(geometry);
  for (const PhaseClass phase : {PhaseClass::kOnly, PhaseClass::kFirst, PhaseClass::kMiddle, PhaseClass::kLast}) {
    if (regimes.count(phase, TapRegime::kGap) + regimes.count(phase, TapRegime::kOutside) != 0) return true;
  }
  return false;
}

// Whether the exact sum of some output with products is 0, in a floating type.
bool HasZeroSum(const Case& test_case, const Geometry& geometry) {
  constexpr std::int64_t kFew = 4096;  // sums to look at: if a data set gives zeros, many of its sums are 0
  const std::size_t element = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element);
  FillData(test_case, geometry, data);
  FillTensor(test_case.values, test_case.seed, geometry, Tensor::kFilter, filter);
  std::vector<oracle::FloatSum> sums(static_cast<std::size_t>(std::min(kFew, geometry.OutputCount())));
  oracle::Gather(oracle::Operands(geometry, data, filter), {0, static_cast<std::int64_t>(sums.size())}, sums);
  return std::ranges::any_of(sums, [](const oracle::FloatSum& sum) {
    return sum.taps > 0 && sum.special == oracle::Special::kNone && sum.sum == 0;
  });
}

// Adds the clauses on values (V1 to V7) that the values of the case can show.
void AddValueClauses(const Case& test_case, const Geometry& geometry, std::set<std::string_view>& tested) {
  if (geometry.OutputCount() == 0) return;
  if (HasEmptyOutputs(geometry)) tested.insert("V3");
  if (geometry.DataCount() == 0) return;
  tested.insert("V1");
  if (oracle::IsInteger(geometry.type)) {
    if (test_case.values == DataSet::kWide || test_case.values == DataSet::kExtremes) tested.insert("V7");
    return;
  }
  const bool has_infinities = test_case.values == DataSet::kSpecials || test_case.values == DataSet::kZeros;
  if (has_infinities) {
    tested.insert("V5");
    if (HasGaps(geometry)) tested.insert("V2");
  } else if (test_case.values != DataSet::kIntegers && test_case.values != DataSet::kTaps) {
    tested.insert("V4");  // the sums of the other sets have to be rounded
  }
  if (test_case.values == DataSet::kZeros && HasZeroSum(test_case, geometry)) tested.insert("V6");
}

}  // namespace

std::set<std::string_view> TestedClauses(const Case& test_case, const oracle::Resolution& resolution) {
  std::set<std::string_view> tested;
  const Operator& op = test_case.op;
  for (const oracle::OpenPoint& point : resolution.open) tested.insert(point.clause);
  if (resolution.refusal) {
    tested.insert(resolution.refusal->clause);
    if (RefusesIgnored(op, resolution.refusal->clause)) tested.insert("A15");
    return tested;
  }
  for (const oracle::Step& step : resolution.steps) tested.insert(step.clause);
  if (HasForeignAttribute(op)) tested.insert("D2");
  const Geometry& geometry = *resolution.geometry;
  constexpr std::size_t kUsualAxes = 3;  // the documents name operators of one to three axes
  if (geometry.axes.size() > kUsualAxes) tested.insert("S1");
  if (!OrderMatters(geometry)) tested.erase("S4");
  if (geometry.groups > 1 || geometry.in_channels > 1) tested.insert("S6");
  if (op.output_shape) tested.insert("T6");
  if (op.kind == OperatorKind::kConvolutionBackwardData && OutputDiffersFromData(geometry)) tested.insert("D4");
  if (geometry.OutputCount() == 0 || geometry.DataCount() == 0) tested.insert("S8");
  AddValueClauses(test_case, geometry, tested);
  return tested;
}

bool IsUntestable(std::string_view clause) {
  // D1: a backend is never asked in a dialect that does not define the operator; the oracle's own tests refuse such
  // dialects.
  // D5: neither a case line nor a call of a backend can leave an input out.
  // T7: the types that this clause leaves out have no name in a case line.
  // P17: pads_end decides no value, and a backend does not tell its pads_end.
  return clause == "D1" || clause == "D5" || clause == "T7" || clause == "P17";
}

}  // namespace conformance
