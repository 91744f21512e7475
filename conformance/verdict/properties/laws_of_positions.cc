// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of positions along an axis: a shift of the data, pads that crop, a longer output, reversed axes, and zeros in
// data or filter instead of strides or dilations.

#include <algorithm>
#include <utility>

#include "conformance/verdict/properties/check.h"

namespace conformance::properties {
namespace {

/// The number of elements that pads_end crops at the end of the axis. Negative if output_padding lengthens the output.
std::int64_t EndPad(const oracle::Axis& axis) { return NaturalSize(axis) - axis.pads_begin - axis.output; }

}  // namespace

/// A zero before the data along an axis moves the output by the stride.
void CheckShift(LawTrial& trial) {
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  for (std::size_t j = 0; j < trial.base().axes(); ++j) {
    Problem shifted = trial.base();
    const oracle::Axis before = shifted.axis(j);
    shifted.axis(j).data += 1;
    shifted.axis(j).output += before.stride;
    shifted.data = Window(shifted.data, At(j), -1, before.data + 1);
    const auto output = trial.OutputOf(shifted);
    if (!output || !trial.Agree(*plain, Window(*output, At(j), before.stride, before.output))) return;
  }
}

/// The output is a part of the output without pads.
void CheckCrop(LawTrial& trial) {
  Problem whole = trial.base();
  for (oracle::Axis& axis : whole.geometry.axes) {
    axis.pads_begin = 0;
    axis.output = NaturalSize(axis);
  }
  if (HaveEqualOutputs(whole.geometry, trial.base().geometry)) return trial.DoesNotApply("the case crops nothing");
  const auto cropped = trial.OutputOfCase();
  auto by_law = trial.OutputOf(whole);
  if (!cropped || !by_law) return;
  for (std::size_t j = 0; j < trial.base().axes(); ++j) {
    by_law = Window(*by_law, At(j), trial.base().axis(j).pads_begin, trial.base().axis(j).output);
  }
  trial.Agree(*cropped, *by_law);
}

/// One more output along each axis, where the dialect allows it, changes no other output.
void CheckLongerOutput(LawTrial& trial) {
  Problem longer = trial.base();
  std::string obstacle;
  for (std::size_t j = 0; j < longer.axes(); ++j) {
    longer.axis(j).output += 1;
    const std::string why = trial.Obstacle(longer);
    if (why.empty()) continue;
    longer.axis(j).output -= 1;
    obstacle = why;
  }
  if (HaveEqualOutputs(longer.geometry, trial.base().geometry)) return trial.DoesNotApply(obstacle);
  const auto plain = trial.OutputOfCase();
  auto by_law = trial.OutputOf(longer);
  if (!plain || !by_law) return;
  for (std::size_t j = 0; j < longer.axes(); ++j) by_law = Window(*by_law, At(j), 0, trial.base().axis(j).output);
  trial.Agree(*plain, *by_law);
}

/// Data and filter that are reversed along every axis give the reversed output.
void CheckReversal(LawTrial& trial) {
  const Problem& base = trial.base();
  Problem reversed = base;
  for (std::size_t j = 0; j < base.axes(); ++j) {
    // Negative pads add outputs without taps, which are 0, at an end of the axis. The reversed problem leaves these
    // outputs out, and the window below adds them again.
    const std::int64_t begin = std::max<std::int64_t>(base.axis(j).pads_begin, 0);
    const std::int64_t end = std::max<std::int64_t>(EndPad(base.axis(j)), 0);
    const std::int64_t size = NaturalSize(base.axis(j)) - begin - end;
    if (size < 1) return trial.DoesNotApply("no output has taps");
    reversed.axis(j).pads_begin = end;
    reversed.axis(j).output = size;
    reversed.data = Reversed(reversed.data, At(j));
    reversed.filter = Reversed(reversed.filter, At(j));
  }
  const auto plain = trial.OutputOfCase();
  auto by_law = trial.OutputOf(reversed);
  if (!plain || !by_law) return;
  for (std::size_t j = 0; j < base.axes(); ++j) {
    by_law = Reversed(*by_law, At(j));
    by_law = Window(*by_law, At(j), std::min<std::int64_t>(base.axis(j).pads_begin, 0), base.axis(j).output);
  }
  trial.Agree(*plain, *by_law);
}

/// Stride 1 on data with stride - 1 zeros between neighbours gives the same output.
void CheckStrideZeros(LawTrial& trial) {
  Problem spread = trial.base();
  bool strided = false;
  for (std::size_t j = 0; j < spread.axes(); ++j) {
    oracle::Axis& axis = spread.axis(j);
    if (axis.stride == 1) continue;
    strided = true;
    // If output_padding lengthens the output, zeros are added at the end of the data instead: with stride 1,
    // output_padding must be 0.
    const std::int64_t beyond = std::max<std::int64_t>(-EndPad(axis), 0);
    spread.data = Spread(spread.data, At(j), axis.stride);
    axis.data = spread.data.dims[At(j)] + beyond;
    spread.data = Window(spread.data, At(j), 0, axis.data);
    axis.stride = 1;
  }
  if (!strided) return trial.DoesNotApply("all strides are 1");
  const auto plain = trial.OutputOfCase();
  const auto by_law = trial.OutputOf(spread);
  if (plain && by_law) trial.Agree(*plain, *by_law);
}

/// Dilation 1 with a filter with dilation - 1 zeros between neighbours gives the same output.
void CheckDilationZeros(LawTrial& trial) {
  Problem spread = trial.base();
  for (std::size_t j = 0; j < spread.axes(); ++j) {
    oracle::Axis& axis = spread.axis(j);
    spread.filter = Spread(spread.filter, At(j), axis.dilation);
    axis.kernel = spread.filter.dims[At(j)];
    axis.dilation = 1;
  }
  if (HaveEqualOutputs(spread.geometry, trial.base().geometry)) return trial.DoesNotApply("all dilations are 1");
  const auto plain = trial.OutputOfCase();
  const auto by_law = trial.OutputOf(spread);
  if (plain && by_law) trial.Agree(*plain, *by_law);
}

}  // namespace conformance::properties
