// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` with hand-written geometries. Each row states why it exists: it shows a bug of a library,
// or a shortcut of an implementation gives wrong results for it. Clauses are the numbered rules of oracle/clauses.md.
// The natural size is the output size without pads: stride * (data - 1) + dilation * (kernel - 1) + 1.

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

struct GeometryRow {
  const char* name;
  const char* reason;
  std::vector<AxisDraft> axes;  // each axis: data, kernel, stride, dilation, pads_begin, pads_end, output_padding
};

const std::vector<GeometryRow>& SizeRows() {
  static const std::vector<GeometryRow> rows = {
      {"base", "clause V1: the vector that says everything, 1 2 13 20 130 200 300", {{3, 3, 2}}},
      {"k1s1", "a kernel of 1 without stride is a matrix product", {{3, 1, 1}}},
      {"k1s3", "clause V3: gaps between the strides are +0", {{3, 1, 3}}},
      {"k2s3", "clause V3: a kernel smaller than its stride leaves gaps", {{3, 2, 3}}},
      {"k3s5", "clause V3: a kernel smaller than its stride leaves gaps", {{3, 3, 5}}},
      {"k4s2p1", "the commonest up-sampling by 2", {{5, 4, 2, 1, 1, 1}}},
      {"k2s2", "kernel equal to stride: no overlap", {{5, 2, 2}}},
      {"k3s2p1op1", "up-sampling by 2 with an odd kernel needs output_padding", {{5, 3, 2, 1, 1, 1, 1}}},
      {"k4s4", "kernel equal to stride: no overlap", {{3, 4, 4}}},
      {"k16s8p4", "up-sampling by 8", {{4, 16, 8, 1, 4, 4}}},
      {"k9s4op3", "kernel that the stride does not divide, with output_padding", {{3, 9, 4, 1, 0, 0, 3}}},
      {"k7-on-x1", "kernel far larger than the data", {{1, 7}}},
      {"k5-on-x2", "kernel larger than the data", {{2, 5}}},
      {"k3s4-on-x1", "kernel larger than the data, smaller than the stride", {{1, 3, 4}}},
      {"pad-past-kernel", "pads_begin deeper than the kernel is long", {{5, 2, 1, 1, 3, 0}}},
      {"pads-past-kernel", "both pads deeper than the kernel is long", {{5, 2, 2, 1, 3, 2}}},
      {"pad28-k14d2", "pads so deep that one output is left", {{3, 14, 1, 2, 28, 0}}},
      {"x1k1p1op2", "a size of 1 is no reason to skip pads: OpenVINO's reference kernel does", {{1, 1, 1, 1, 1, 0, 2}}},
      {"x1k1op3", "output_padding past a single element", {{1, 1, 1, 1, 0, 0, 3}}},
      {"x1k3p1", "one element in, one out", {{1, 3, 1, 1, 1, 1}}},
      {"k2d2", "dilation in the size and in the values", {{3, 2, 1, 2}}},
      {"s2d3p2-1", "stride and dilation without a common divisor", {{4, 2, 2, 3, 2, 1}}},
      {"s2d2p2", "stride and dilation alike: every second output stays 0 (MXNet 11203)", {{4, 3, 2, 2, 2, 2}}},
      {"s4d2", "gcd(stride, dilation) = 2", {{4, 3, 4, 2}}},
      {"s6d3", "gcd(stride, dilation) = 3", {{4, 3, 6, 3}}},
      {"s6d4", "gcd(stride, dilation) = 2, neither divides the other", {{4, 3, 6, 4}}},
      {"s3d5", "dilation larger than the stride", {{4, 3, 3, 5}}},
      {"k3d4-on-x1", "taps further apart than the data are long", {{1, 3, 1, 4}}},
      {"k3d4-on-x2", "taps further apart than the data are long", {{2, 3, 1, 4}}},
      {"hw-different", "every attribute different along H and W", {{4, 2, 3, 2, 1, 2, 2}, {7, 3, 2, 1, 0, 1, 1}}},
      {"hw-swapped", "the same with H and W exchanged", {{7, 3, 2, 1, 0, 1, 1}, {4, 2, 3, 2, 1, 2, 2}}},
      {"rank-1d", "rank promotion: the 1-D original (OpenVINO 37752)", {{5, 3, 2, 1, 1}}},
      {"rank-1d-as-2d", "rank promotion: the same with H = 1", {{1}, {5, 3, 2, 1, 1}}},
      {"rank-1d-as-3d", "rank promotion: the same with D = H = 1", {{1}, {1}, {5, 3, 2, 1, 1}}},
      {"rank-w1", "rank promotion: the same with W = 1", {{5, 3, 2, 1, 1}, {1}}},
      {"rank-k1-inside", "3-D with a kernel of 1 on the middle axis", {{3, 2, 2}, {4, 1, 1}, {2, 3, 3}}},
      {"op2", "clause A5: output_padding equal to the stride", {{3, 3, 2, 1, 0, 0, 2}}},
      {"op3", "clause A5: output_padding above the stride", {{3, 3, 2, 1, 0, 0, 3}}},
      {"op7", "clause A5: output_padding above stride and kernel, zeros past the end", {{3, 3, 2, 1, 0, 0, 7}}},
      {"op-unlocks", "output_padding within pads_end makes real values visible", {{3, 3, 2, 1, 0, 1, 1}}},
      {"op-unlocks-two", "output_padding within pads_end, two elements", {{3, 5, 3, 1, 1, 3, 2}}},
      {"natural-1", "natural size of 1", {{1, 1}}},
      {"cropped-to-1", "pads leave one output", {{2, 2, 1, 1, 1, 1}}},
      {"x2s5k3", "stride larger than the data", {{2, 3, 5}}},
      {"s31", "a large stride", {{3, 2, 31}}},
      {"d33", "a large dilation", {{3, 2, 1, 33}}},
      {"s7d5k4", "large and coprime stride and dilation, asymmetric pads", {{6, 4, 7, 5, 4, 2}}},
  };
  return rows;
}

void AddAxisPermutations(SuiteBuilder& suite) {
  const std::array<AxisDraft, 3> axes = {AxisDraft{2, 3, 1, 1, 1, 0, 0}, AxisDraft{3, 2, 2, 2, 0, 1, 1},
                                         AxisDraft{4, 1, 3, 1, 0, 0, 2}};
  std::array<std::size_t, 3> order = {0, 1, 2};
  do {
    AddGeometry(suite, Level::kSmoke, fmt::format("size.axes-{}{}{}", order[0], order[1], order[2]),
                "every attribute different along three axes, in each order (TensorFlow 68319)",
                {.axes = {axes[order[0]], axes[order[1]], axes[order[2]]}});
  } while (std::next_permutation(order.begin(), order.end()));
}

/// A geometry with an output shape. The total padding is the natural size minus the output size.
struct OutputRow {
  const char* name;
  const char* reason;
  std::vector<AutoPad> auto_pads;
  std::vector<AxisDraft> axes;
};

const std::vector<OutputRow>& OutputRows() {
  using enum AutoPad;
  static const std::vector<AutoPad> same = {kSameUpper, kSameLower};
  static const std::vector<AutoPad> all = {kExplicit, kSameUpper, kSameLower, kValid};
  // Each axis: data, kernel, stride, dilation, pads_begin, pads_end, output_padding, output. Most have natural size 7.
  static const std::vector<OutputRow> rows = {
      {"total2", "even total", same, {{3, 3, 2, 1, 0, 0, 0, 5}}},
      {"total4", "even total", same, {{3, 3, 2, 1, 0, 0, 0, 3}}},
      {"total1", "clause P5: odd total, the dialects differ", same, {{3, 3, 2, 1, 0, 0, 0, 6}}},
      {"total3", "clause P5: odd total, the dialects differ", same, {{3, 3, 2, 1, 0, 0, 0, 4}}},
      {"total0", "the natural size asked for", all, {{3, 3, 2, 1, 0, 0, 0, 7}}},
      {"pads-agree", "pads as the formula gives them", {kExplicit}, {{3, 3, 2, 1, 1, 0, 0, 5}}},
      {"pads-differ1", "clauses P4, P8: pads beside output_shape", {kExplicit}, {{3, 3, 2, 1, 1, 1, 0, 6}}},
      {"pads-differ3", "clauses P4, P8: pads beside output_shape", {kExplicit}, {{3, 3, 2, 1, 0, 3, 0, 4}}},
      {"valid1", "clauses P4, P9: valid beside output_shape", {kValid}, {{3, 3, 2, 1, 0, 0, 0, 6}}},
      {"valid2", "clauses P4, P9: valid beside output_shape", {kValid}, {{3, 3, 2, 1, 0, 0, 0, 5}}},
      {"beyond1", "clauses P6, P7: one more than natural", all, {{3, 3, 2, 1, 0, 0, 0, 8}}},
      {"beyond1-k1", "clause P7: OpenVINO's own test of a negative total", all, {{37, 1, 2, 1, 0, 0, 0, 74}}},
      {"beyond2", "clauses P6, P7: a stride more than natural", all, {{3, 3, 2, 1, 0, 0, 0, 9}}},
      {"beyond3", "clauses P6, P7: more than a stride beyond natural", all, {{3, 3, 2, 1, 0, 0, 0, 10}}},
      {"beyond7", "clauses P6, P7: twice natural", all, {{3, 3, 2, 1, 0, 0, 0, 14}}},
      {"example3-small", "Example 3 of ConvolutionBackpropData-1, small", {kValid}, {{4, 3, 1, 1, 1, 1, 0, 9}}},
      {"one-p0", "one output: OpenVINO's reference kernel wrote five", {kExplicit}, {{3, 3, 1, 1, 0, 0, 0, 1}}},
      {"one-p1", "one output with pads", {kExplicit}, {{3, 3, 1, 1, 1, 1, 0, 1}}},
      {"one-p2", "one output with pads", {kExplicit}, {{3, 3, 1, 1, 2, 2, 0, 1}}},
      {"op-odd", "output_padding enters the total", same, {{2, 3, 2, 1, 0, 0, 1, 3}}},
      {"op-no-size", "clause P18: output_padding does not change the size", all, {{3, 3, 2, 1, 1, 0, 1, 5}}},
      {"axes-differ",
       "odd, negative and even total in one operator",
       all,
       {{3, 3, 2, 1, 1, 0, 0, 6}, {2, 2, 3, 1, 0, 1, 0, 7}, {4, 1, 2, 2, 0, 0, 1, 6}}},
      {"one-axis",
       "output_shape smaller along one axis only, H and W different",
       all,
       {{3, 2, 3, 1, 0, 0, 0, 7}, {5, 3, 2, 1, 0, 0, 0, 11}}},
      {"pads2-both", "OpenVINO's own test: pads 2, 2 from the shape", same, {{5, 3, 1, 1, 0, 0, 0, 3}}},
      {"even-negative",
       "negative even totals along both axes",
       all,
       {{3, 2, 2, 1, 0, 0, 0, 8}, {2, 3, 3, 1, 0, 0, 0, 10}}},
  };
  return rows;
}

}  // namespace

void AddSizeGeometries(SuiteBuilder& suite) {
  for (const GeometryRow& row : SizeRows()) {
    AddGeometry(suite, Level::kSmoke, fmt::format("size.{}", row.name), row.reason, {.axes = row.axes});
  }
  AddAxisPermutations(suite);
  for (const auto& [begin, end] : {std::pair{0, 1}, {1, 0}, {2, 0}, {0, 2}, {3, 1}}) {
    for (const std::int64_t stride : {1, 2, 3}) {
      AddGeometry(suite, stride == 2 ? Level::kSmoke : Level::kGate, fmt::format("size.p{}-{}s{}", begin, end, stride),
                  "pads_begin and pads_end have different roles",
                  {.axes = {{.data = 5, .kernel = 3, .stride = stride, .pads_begin = begin, .pads_end = end}}});
    }
  }
  for (std::int64_t stride = 2; stride <= 5; ++stride) {
    for (std::int64_t output_padding = 1; output_padding < stride; ++output_padding) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        std::vector<AxisDraft> axes = {{.data = 3, .kernel = 2, .stride = stride, .pads_begin = 1},
                                       {.data = 2, .kernel = 3, .stride = stride, .pads_end = 2}};
        axes[axis].output_padding = output_padding;
        AddGeometry(suite, Level::kGate, fmt::format("size.s{}op{}-axis{}", stride, output_padding, axis),
                    "output_padding along one axis alone", {.axes = axes});
      }
    }
  }
  for (const AutoPad auto_pad : {AutoPad::kSameLower, AutoPad::kSameUpper, AutoPad::kValid}) {
    for (const std::int64_t output_padding : {0, 1}) {
      AddGeometry(suite, Level::kSmoke, fmt::format("size.{}-ignores-pads-op{}", AutoPadName(auto_pad), output_padding),
                  "clause P3: auto_pad overrules the pads beside it",
                  {.axes = {{3, 3, 2, 1, 7, 7, output_padding}, {4, 2, 3, 1, 7, 7, 0}}, .auto_pad = auto_pad});
    }
  }
  for (std::size_t rank = 4; rank <= 8; ++rank) {
    std::vector<AxisDraft> axes(rank, {.data = 2, .kernel = 1});
    axes[0] = {2, 2, 2, 1, 1, 0, 1};
    axes[rank / 2] = {3, 2, 1, 2, 0, 1, 0};
    axes[rank - 1] = {2, 3, 3, 1, 1, 2, 2};
    AddGeometry(suite, rank == 4 ? Level::kSmoke : Level::kGate, fmt::format("size.rank-{}d", rank),
                "clause S1: up to eight spatial axes", {.in = 2, .out = 1, .axes = axes});
  }
  const std::vector<GeometryRow> empty = {
      {"empty-data", "clause S8: no data, outputs are +0 all the same", {{0, 3, 1}}},
      {"empty-data-s2", "clause S8: no data with a stride, one output", {{0, 4, 2}}},
      {"empty-data-h", "clause S8: no data along H alone", {{0, 3, 1}, {3, 2, 2}}},
  };
  for (const GeometryRow& row : empty) {
    AddGeometry(suite, Level::kGate, fmt::format("size.{}", row.name), row.reason, {.axes = row.axes});
  }
  AddGeometry(suite, Level::kGate, "size.empty-batch", "clause S8: an empty batch", {.batch = 0, .axes = {{3, 3, 2}}});
  AddGeometry(suite, Level::kGate, "size.no-input-channels", "clause S8: no input channels, all outputs +0",
              {.in = 0, .axes = {{3, 3, 2}}});
  AddGeometry(suite, Level::kGate, "size.no-output-channels", "clause S8: no output channels",
              {.out = 0, .axes = {{3, 3, 2}}});
}

void AddOutputShapeGeometries(SuiteBuilder& suite) {
  for (const OutputRow& row : OutputRows()) {
    for (const AutoPad auto_pad : row.auto_pads) {
      AddGeometry(suite, Level::kSmoke, fmt::format("shape.{}.{}", row.name, AutoPadName(auto_pad)), row.reason,
                  {.axes = row.axes, .auto_pad = auto_pad});
    }
  }
  AddGeometry(suite, Level::kSmoke, "shape.no-auto-pad", "clause A12: auto_pad absent is explicit, beside output_shape",
              {.axes = {{3, 3, 2, 1, 1, 1, 0, 6}, {4, 2, 3, 1, 2, 0, 0, 8}}});
}

}  // namespace conformance
