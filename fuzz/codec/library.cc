// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Adjusts recipes for the dialects that refuse more than their documents do: OpenVINO's and oneDNN's library, ONNX
// Runtime, and ConvTranspose-1 where it has no size. Each recipe moves to the nearest one that the dialect takes.

#include <algorithm>
#include <array>
#include <cstdlib>

#include "fuzz/codec/range.h"
#include "fuzz/codec/recipe.h"

namespace conformance::codec {
namespace {

using oracle::Dialect;

constexpr std::size_t kMostRuntimeAxes = 3;  // clauses S16 and S19

bool Same(const Recipe& recipe) { return recipe.auto_pad && recipe.auto_pad->starts_with("SAME"); }
bool Valid(const Recipe& recipe) { return recipe.auto_pad == std::string_view("VALID"); }

std::int64_t Reach(const AxisRecipe& axis) { return (axis.kernel - 1) * axis.dilation + 1; }
std::int64_t SizeWithDelta(const AxisRecipe& axis) {
  const std::int64_t natural = axis.stride * (axis.data - 1) + Reach(axis) + axis.output_padding;
  return std::max<std::int64_t>(natural, 1) + axis.delta;
}

// Clause P21, with at least one element of data.
bool FitsOnednn(const Recipe& recipe, const AxisRecipe& axis) {
  const std::int64_t size = SizeWithDelta(axis);
  if (size < 1) return false;
  std::int64_t pads = axis.pads_begin + axis.pads_end;
  if (Valid(recipe)) pads = 0;
  if (Same(recipe)) pads = std::max<std::int64_t>(Reach(axis) - ((size - 1) % axis.stride + 1), 0);
  return (size - Reach(axis) + pads) / axis.stride + 1 == axis.data;
}

// The delta nearest to the axis' own that fits and makes the output no larger than before, if there is one.
bool FindDelta(const Recipe& recipe, AxisRecipe& axis) {
  const std::int64_t wanted = axis.delta;
  const std::int64_t most = std::max<std::int64_t>(wanted, 0);
  bool found = false;
  AxisRecipe best = axis;
  for (unsigned byte = 0; byte < 256; ++byte) {
    AxisRecipe candidate = axis;
    candidate.delta = kDeltas.At(static_cast<std::uint8_t>(byte));
    if (candidate.delta > most || !FitsOnednn(recipe, candidate)) continue;
    if (!found || std::abs(candidate.delta - wanted) < std::abs(best.delta - wanted)) best = candidate;
    found = true;
  }
  axis = best;
  return found;
}

void FitOnednn(Recipe& recipe) {
  if (recipe.auto_pad) {  // clause A17
    const char first = recipe.auto_pad->front();
    const bool same = first == 's' || first == 'S';
    const bool upper = same && (recipe.auto_pad->ends_with("upper") || recipe.auto_pad->ends_with("UPPER"));
    const bool valid = first == 'v' || first == 'V';
    recipe.auto_pad = valid ? "VALID" : !same ? "None" : upper ? "SAME_UPPER" : "SAME_LOWER";
  }
  for (AxisRecipe& axis : recipe.axes) {
    if (FindDelta(recipe, axis)) continue;
    // Too far from any size that a byte can say: the natural one, without what moves it.
    axis.output_padding = axis.pads_begin = axis.pads_end = 0;
    if (FindDelta(recipe, axis)) continue;
    axis.kernel = axis.dilation = 1;
    axis.delta = 0;
  }
}

void FitOnnxruntime(Recipe& recipe) {
  for (AxisRecipe& axis : recipe.axes) {
    if (recipe.shape_form == ShapeForm::kNone) {
      // Less output_padding may have left pads that crop everything.
      const std::int64_t room = axis.stride * (axis.data - 1) + Reach(axis) + axis.output_padding - 1;
      if (!recipe.auto_pad || *recipe.auto_pad == "NOTSET") {
        axis.pads_begin = kPads.AtMost(std::min(room, axis.pads_begin));
        axis.pads_end = kPads.AtMost(std::min(room - axis.pads_begin, axis.pads_end));
      }
      continue;
    }
    axis.delta = kDeltas.AtMost(std::min(axis.delta, axis.stride - 1 - axis.output_padding));  // clause P26
    while (SizeWithDelta(axis) < 1) axis.delta = -kDeltas.AtMost(-axis.delta - 1);
  }
}

}  // namespace

void FitSizes(Recipe& recipe) {
  const bool is_onnxruntime = recipe.dialect == Dialect::kOnnxruntime;
  for (AxisRecipe& axis : recipe.axes) {
    if (is_onnxruntime) {
      axis.output_padding = kOutputPaddings.AtMost(std::min(axis.output_padding, axis.stride - 1));  // clause A19
    }
    const bool needs_data = recipe.dialect == Dialect::kOnednnRuntime ||                // clause P21
                            (is_onnxruntime && recipe.shape_form != ShapeForm::kNone);  // clause S18
    if (needs_data) axis.data = std::max<std::int64_t>(axis.data, 1);
  }
}

void FitDialect(Recipe& recipe) {
  const bool runtime = recipe.dialect == Dialect::kOnednnRuntime || recipe.dialect == Dialect::kOpenvinoRuntime;
  if (runtime && recipe.axes.size() > kMostRuntimeAxes) recipe.axes.resize(kMostRuntimeAxes);
  if (recipe.dialect == Dialect::kOnednnRuntime) FitOnednn(recipe);
  if (recipe.dialect == Dialect::kOnnxruntime) FitOnnxruntime(recipe);
}

}  // namespace conformance::codec
