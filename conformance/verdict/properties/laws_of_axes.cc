// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of axes, layouts and attributes: the same operator written in another way. Permuted spatial axes, an added axis
// of size 1, another layout of the tensors, and other attributes for the same pads and output size change no output
// value.

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/operator_draft.h"
#include "conformance/verdict/properties/check.h"

namespace conformance::properties {
namespace {

/// The order of all dimensions of an array if its spatial axes are put in the order `spatial`. Batch and channels stay
/// first. Example: spatial 1 0 gives 0 1 3 2.
std::vector<std::size_t> WithOuter(const std::vector<std::size_t>& spatial) {
  std::vector<std::size_t> order = {0, 1};
  for (const std::size_t j : spatial) order.push_back(At(j));
  return order;
}

/// Runs the problem with its spatial axes in the order `spatial`, and compares the output with `plain`.
bool AgreesInOrder(LawTrial& trial, const NdArray& plain, const std::vector<std::size_t>& spatial) {
  Problem moved = trial.base();
  for (std::size_t j = 0; j < spatial.size(); ++j) moved.axis(j) = trial.base().axis(spatial[j]);
  moved.data = Transposed(moved.data, WithOuter(spatial));
  moved.filter = Transposed(moved.filter, WithOuter(spatial));
  const auto output = trial.OutputOf(moved);
  if (!output) return false;
  std::vector<std::size_t> back(spatial.size());
  for (std::size_t j = 0; j < spatial.size(); ++j) back[spatial[j]] = j;
  return trial.Agree(plain, Transposed(*output, WithOuter(back)));
}

/// The problem with a spatial axis of size 1 inserted before axis `at`.
Problem WithUnitAxis(Problem problem, std::size_t at) {
  // Stride and dilation have no effect on an axis of size 1. They are not 1 here, so that a backend which uses them for
  // another axis is found.
  const oracle::Axis unit{.data = 1, .kernel = 1, .stride = 2, .dilation = 3, .pads_begin = 0, .output = 1};
  problem.geometry.axes.insert(problem.geometry.axes.begin() + static_cast<std::ptrdiff_t>(at), unit);
  for (NdArray* array : {&problem.data, &problem.filter}) {
    array->dims.insert(array->dims.begin() + static_cast<std::ptrdiff_t>(At(at)), 1);
  }
  return problem;
}

}  // namespace

/// Tries the reversed order of the spatial axes and, if there are three or more, also the order rotated by one axis.
void CheckAxisOrder(LawTrial& trial) {
  const std::size_t axes = trial.base().axes();
  if (axes < 2) return trial.DoesNotApply("one axis has one order");
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  std::vector<std::size_t> order(axes);
  std::iota(order.rbegin(), order.rend(), 0);
  if (!AgreesInOrder(trial, *plain, order)) return;
  if (axes == 2) return;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::rotate(order, order.begin() + 1);
  AgreesInOrder(trial, *plain, order);
}

/// An added axis of size 1, before the others, after them, or at both places, changes no output value.
void CheckRank(LawTrial& trial) {
  std::vector<Problem> promoted = {WithUnitAxis(trial.base(), 0), WithUnitAxis(trial.base(), trial.base().axes()),
                                   WithUnitAxis(WithUnitAxis(trial.base(), trial.base().axes()), 0)};
  std::string obstacle;
  std::erase_if(promoted, [&](const Problem& problem) {
    const std::string why = trial.Obstacle(problem);
    if (!why.empty()) obstacle = why;
    return !why.empty();
  });
  if (promoted.empty()) return trial.DoesNotApply(obstacle);
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  for (const Problem& problem : promoted) {
    const auto output = trial.OutputOf(problem);
    if (!output || !trial.Agree(*plain, Reshaped(*output, plain->dims))) return;
  }
}

/// Every other pair of layouts of data and filter gives the same output.
void CheckLayout(LawTrial& trial) {
  if (trial.base().kind != oracle::OperatorKind::kConvolutionBackwardData) {
    return trial.DoesNotApply("the operator has one layout");
  }
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  for (const auto data : {oracle::DataLayout::kNcx, oracle::DataLayout::kNxc}) {
    for (const auto filter : {oracle::FilterLayout::kIox, oracle::FilterLayout::kXoi}) {
      Problem other = trial.base();
      other.geometry.layout = data;
      other.geometry.filter_layout = filter;
      if (HaveEqualOutputs(other.geometry, trial.base().geometry)) continue;
      const auto output = trial.OutputOf(other);
      if (!output || !trial.Agree(*plain, *output)) return;
    }
  }
}

// The law of attributes. Example: explicit pads of 1, and auto_pad=same_upper with the matching output_shape.

namespace {

/// The problem (geometry and values) as an operator with this auto_pad, with or without an output shape. `longer` is
/// added to both pads_end and output_padding of each axis: their effects on the output size cancel.
oracle::Operator Written(const Problem& problem, oracle::Dialect dialect, std::optional<AutoPad> auto_pad,
                         bool with_output, std::int64_t longer) {
  OperatorDraft draft = DraftOf(problem);
  draft.auto_pad = auto_pad;
  for (std::size_t j = 0; j < draft.axes.size(); ++j) {
    draft.axes[j].pads_end += longer;
    draft.axes[j].output_padding += longer;
    if (with_output || problem.kind == oracle::OperatorKind::kConvolutionBackwardData) {
      draft.axes[j].output = problem.geometry.axes[j].output;
    }
  }
  return Spelled(Build(draft), dialect);
}

}  // namespace

/// Every other way to write the case's geometry gives the same output.
void CheckEqualAttributes(LawTrial& trial) {
  std::vector<oracle::Operator> other_ways;
  const auto consider = [&](const oracle::Operator& op) {
    if (op == trial.test_case().op || std::ranges::find(other_ways, op) != other_ways.end()) return;
    if (trial.Obstacle(trial.base(), op).empty()) other_ways.push_back(op);
  };
  for (const std::optional<AutoPad> auto_pad :
       {std::optional<AutoPad>(), std::optional(AutoPad::kExplicit), std::optional(AutoPad::kSameUpper),
        std::optional(AutoPad::kSameLower), std::optional(AutoPad::kValid)}) {
    for (const bool with_output : {false, true}) {
      for (const std::int64_t longer : {0, 1})
        consider(Written(trial.base(), trial.dialect(), auto_pad, with_output, longer));
    }
  }
  if (other_ways.empty()) return trial.DoesNotApply("there is one way to write it");
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  for (const oracle::Operator& op : other_ways) {
    const auto output = trial.OutputOf(trial.base(), op);
    if (!output || !trial.Agree(*plain, *output)) return;
  }
}

}  // namespace conformance::properties
