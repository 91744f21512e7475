// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The law of attributes: every way of writing the same offsets and sizes gives the same output.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/properties/check.h"
#include "conformance/suite_plan.h"

namespace conformance::properties {
namespace {

/// What the operator looks like with these pads and this auto_pad, with an output shape or without one.
oracle::Operator Written(const Problem& problem, oracle::Dialect dialect, std::optional<AutoPad> auto_pad,
                         bool with_output, std::int64_t longer) {
  const oracle::Geometry& geometry = problem.geometry;
  Plan plan;
  plan.kind = problem.kind;
  plan.batch = geometry.batch;
  plan.groups = geometry.groups;
  plan.in = geometry.in_channels;
  plan.out = geometry.out_channels;
  plan.type = geometry.type;
  plan.nxc = geometry.layout == oracle::DataLayout::kNxc;
  plan.xio = geometry.filter_layout == oracle::FilterLayout::kXoi;
  plan.auto_pad = auto_pad;
  for (const oracle::Axis& axis : geometry.axes) {
    const std::int64_t rest = NaturalSize(axis) - axis.pad_begin - axis.output;
    AxisPlan planned{.data = axis.data,
                     .kernel = axis.kernel,
                     .stride = axis.stride,
                     .dilation = axis.dilation,
                     .pad_begin = std::max<std::int64_t>(axis.pad_begin, 0),
                     .pad_end = std::max<std::int64_t>(rest, 0) + longer,
                     .output_padding = std::max<std::int64_t>(-rest, 0) + longer};
    if (with_output || problem.kind == oracle::OperatorKind::kConvolutionBackwardData) planned.output = axis.output;
    plan.axes.push_back(planned);
  }
  return Spelled(Build(plan), dialect);
}

}  // namespace

void CheckEqualAttributes(Bench& bench) {
  // All ways to write it, and of those the ones that mean this case in this dialect.
  std::vector<oracle::Operator> equals;
  const auto consider = [&](const oracle::Operator& op) {
    if (op == bench.test_case().op || std::ranges::find(equals, op) != equals.end()) return;
    if (bench.Obstacle(bench.base(), op).empty()) equals.push_back(op);
  };
  for (const std::optional<AutoPad> auto_pad :
       {std::optional<AutoPad>(), std::optional(AutoPad::kExplicit), std::optional(AutoPad::kSameUpper),
        std::optional(AutoPad::kSameLower), std::optional(AutoPad::kValid)}) {
    for (const bool with_output : {false, true}) {
      for (const std::int64_t longer : {0, 1})
        consider(Written(bench.base(), bench.dialect(), auto_pad, with_output, longer));
    }
  }
  if (equals.empty()) return bench.DoesNotApply("there is one way to write it");
  const auto plain = bench.OutputOfCase();
  if (!plain) return;
  for (const oracle::Operator& op : equals) {
    const auto output = bench.OutputOf(bench.base(), op);
    if (!output || !bench.Agree(*plain, *output)) return;
  }
}

}  // namespace conformance::properties
