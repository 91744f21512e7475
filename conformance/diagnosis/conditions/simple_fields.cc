// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of simple fields: for each, how to see and how to change it. And the table of coincidences.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/case/checked.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

/// A number that is not simple, but small.
std::int64_t Above(std::int64_t simple, Random& random) { return simple + random.Pick(1, 3); }

template <std::int64_t SketchAxis::* kMember, std::int64_t kSimple>
bool IsOnEveryAxis(const Sketch& sketch) {
  return std::ranges::all_of(sketch.axes, [](const SketchAxis& axis) { return axis.*kMember == kSimple; });
}

template <std::int64_t SketchAxis::* kMember, std::int64_t kSimple>
void ChangeEveryAxis(Sketch& sketch, bool to_simple, Random& random) {
  for (SketchAxis& axis : sketch.axes) axis.*kMember = to_simple ? kSimple : Above(kSimple, random);
  // An absent list stands for numbers of 1.
  if constexpr (kMember == &SketchAxis::stride) sketch.strides = true;
  if constexpr (kMember == &SketchAxis::dilation) sketch.dilations = true;
}

template <std::int64_t SketchAxis::* kMember>
constexpr SimpleField OneOnEveryAxis(const char* simple, const char* other) {
  return {simple, other, IsOnEveryAxis<kMember, 1>, ChangeEveryAxis<kMember, 1>};
}

template <std::int64_t Sketch::* kMember>
constexpr SimpleField One(const char* simple, const char* other) {
  return {simple, other, [](const Sketch& sketch) { return sketch.*kMember == 1; },
          [](Sketch& sketch, bool to_simple, Random& random) { sketch.*kMember = to_simple ? 1 : Above(1, random); }};
}

template <std::size_t kCount>
constexpr SimpleField Axes(const char* simple, const char* other) {
  return {simple, other, [](const Sketch& sketch) { return sketch.axes.size() == kCount; },
          [](Sketch& sketch, bool to_simple, Random& random) {
            constexpr std::size_t kMost = 3;
            const std::size_t others = 1 + (kCount + random.Below(kMost - 1)) % kMost;
            sketch.axes.resize(to_simple ? kCount : others, sketch.axes.back());
          }};
}

bool HasNoPads(const Sketch& sketch) {
  return IsOnEveryAxis<&SketchAxis::pads_begin, 0>(sketch) && IsOnEveryAxis<&SketchAxis::pads_end, 0>(sketch);
}

void ChangePads(Sketch& sketch, bool to_simple, Random& random) {
  for (SketchAxis& axis : sketch.axes) {
    axis.pads_begin = to_simple ? 0 : random.Pick(0, 2);
    axis.pads_end = to_simple ? 0 : random.Pick(axis.pads_begin == 0 ? 1 : 0, 2);
  }
  sketch.pads_begin = sketch.pads_end = true;
}

void ChangeOutputPadding(Sketch& sketch, bool to_simple, Random&) {
  sketch.output_padding = !to_simple;
  // Any larger number is refused where stride and dilation are 2.
  for (SketchAxis& axis : sketch.axes) axis.output_padding = to_simple ? 0 : 1;
}

void ChangeShape(Sketch& sketch, bool to_simple, Random& random) {
  const bool is_onnx = sketch.kind() == oracle::OperatorKind::kConvTranspose;
  if (to_simple) sketch.shape = ShapeSourceClass::kAbsent;
  if (!to_simple) sketch.shape = is_onnx ? ShapeSourceClass::kAttribute : ShapeSourceClass::kInput;
  for (SketchAxis& axis : sketch.axes) axis.shape_excess = to_simple ? 0 : random.Pick(-1, 1);
}

void ChangeGroups(Sketch& sketch, bool to_simple, Random& random) {
  sketch.groups = to_simple ? 1 : Above(1, random);
  // ConvolutionBackpropData has no groups.
  oracle::OperatorKind& kind = sketch.base_case.op.kind;
  if (!to_simple && kind == oracle::OperatorKind::kConvolutionBackpropData) {
    kind = oracle::OperatorKind::kGroupConvolutionBackpropData;
  }
}

constexpr std::array kFields = {
    OneOnEveryAxis<&SketchAxis::kernel>("kernel == 1 on every axis", "kernel >= 2 on an axis"),
    OneOnEveryAxis<&SketchAxis::stride>("stride == 1 on every axis", "stride >= 2 on an axis"),
    OneOnEveryAxis<&SketchAxis::dilation>("dilation == 1 on every axis", "dilation >= 2 on an axis"),
    OneOnEveryAxis<&SketchAxis::data>("data size == 1 on every axis", "data size != 1 on an axis"),
    SimpleField{"data size == 1 on the first axis", "data size != 1 on the first axis",
                [](const Sketch& sketch) { return sketch.axes.front().data == 1; },
                [](Sketch& sketch, bool to_simple, Random& random) {
                  sketch.axes.front().data = to_simple ? 1 : Above(1, random);
                }},
    SimpleField{"no pads", "pads", HasNoPads, ChangePads},
    SimpleField{"no output_padding", "output_padding", IsOnEveryAxis<&SketchAxis::output_padding, 0>,
                ChangeOutputPadding},
    SimpleField{"no output shape", "an output shape",
                [](const Sketch& sketch) { return sketch.shape == ShapeSourceClass::kAbsent; }, ChangeShape},
    One<&Sketch::batch>("batch == 1", "batch != 1"),
    SimpleField{"groups == 1", "groups >= 2", [](const Sketch& sketch) { return sketch.groups == 1; }, ChangeGroups},
    One<&Sketch::in>("input channels of a group == 1", "input channels of a group != 1"),
    One<&Sketch::out>("output channels of a group == 1", "output channels of a group != 1"),
    SimpleField{"one channel of each group", "several channels of a group",
                [](const Sketch& sketch) { return sketch.in == 1 && sketch.out == 1; },
                [](Sketch& sketch, bool to_simple, Random& random) {
                  sketch.in = to_simple ? 1 : Above(1, random);
                  sketch.out = to_simple ? 1 : random.Pick(1, 3);
                }},
    Axes<1>("spatial axes == 1", "spatial axes != 1"),
    Axes<2>("spatial axes == 2", "spatial axes != 2"),
    Axes<3>("spatial axes == 3", "spatial axes != 3"),
};

}  // namespace

std::span<const SimpleField> SimpleFields() { return kFields; }

void ImposeCoincidence(SketchAxis& axis, Random& random) {
  const std::int64_t extent = ClampedSum(ClampedProduct({axis.kernel - 1, axis.dilation}), 1);
  const auto set_pads = [&axis](std::int64_t begin, std::int64_t end) {
    axis.pads_begin = std::max<std::int64_t>(begin, 0);
    axis.pads_end = std::max<std::int64_t>(end, 0);
  };
  switch (random.Below(11)) {
    case 0:  // the natural size is data * stride + extent - 1
      axis.output_padding = axis.stride - 1;
      break;
    case 1:  // the natural size is data * stride, so that auto_pad crops nothing
      axis.kernel = 1;
      axis.output_padding = axis.stride - 1;
      break;
    case 2:  // the same without output_padding
      axis.kernel = axis.stride;
      axis.dilation = 1;
      axis.output_padding = 0;
      break;
    case 3:  // an output shape of the natural size crops nothing
      set_pads(0, 0);
      axis.shape_excess = 0;
      break;
    case 4: {  // explicit pads like those of auto_pad
      const std::int64_t total = extent - axis.stride + axis.output_padding;
      set_pads(total / 2, total - total / 2);
      break;
    }
    case 5:  // the first and the last tap are outside of the output at the borders
      set_pads(extent - 1, extent - 1);
      break;
    case 6:
      set_pads(axis.pads_end, axis.pads_end);
      break;
    case 7:
      axis.kernel = std::max<std::int64_t>(axis.data, 1);
      break;
    case 8:
      axis.dilation = axis.stride;
      break;
    case 9:  // outputs without data, beside axes that have some
      axis = {.data = 0, .kernel = 2};
      break;
    default:  // nothing overlaps and nothing lies between the taps
      axis.data = axis.kernel = axis.stride = 1;
      axis.output_padding = 0;
  }
}

std::span<const SimpleField> FieldsBesideAxes() {
  constexpr std::size_t kOfAxisCounts = 3;  // the last ones of the table
  return SimpleFields().first(kFields.size() - kOfAxisCounts);
}

}  // namespace conformance
