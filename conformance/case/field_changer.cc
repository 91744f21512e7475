// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes sizes and attributes of a sketch, which is a test case as plain fields, to make new cases from it. A new
// number is near the old number, near a preferred number, or from a table of sizes around powers of two. Several `case`
// labels of one branch give it a larger share of the random choices.

#include "conformance/case/field_changer.h"

#include <algorithm>
#include <array>

#include "conformance/case/checked.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

// Small sizes occur several times, so that most new cases stay small.
constexpr std::array<std::int64_t, 30> kSizes = {1, 1, 1, 2, 2,  2,  3,  3,  3,  4,  4,  5,  5,  6,  7,
                                                 8, 8, 9, 9, 10, 12, 13, 15, 16, 17, 19, 31, 32, 33, 65};

// The largest old number that SizeNear and PadNear accept, so that doubling it does not overflow.
constexpr std::int64_t kLargest = std::int64_t{1} << 61;

/// Removes values that fit only the tensors of the old case, and repetitions.
void DropOwnValues(Case& test_case) {
  test_case.repeats.reset();
  test_case.data_only.reset();
  test_case.filter_values.reset();
  test_case.given_data.reset();
  test_case.given_filter.reset();
  test_case.recorded.reset();
}

}  // namespace

std::int64_t FieldChanger::SizeNear(std::int64_t from) {
  const std::int64_t now = std::clamp(from, -kLargest, kLargest);
  switch (Below(7)) {
    case 0:
      return now + 1;
    case 1:
      return std::max<std::int64_t>(now - 1, 1);
    case 2:
      if (!preferred_.empty()) {
        return std::max<std::int64_t>(preferred_[Below(preferred_.size())] + static_cast<std::int64_t>(Below(3)) - 1,
                                      1);
      }
      return 1 + static_cast<std::int64_t>(Below(6));
    case 3:
      return now < 64 ? now * 2 : now / 2;
    case 4:
      // Loops that work in blocks get each number of full blocks and each remainder.
      return 1 + static_cast<std::int64_t>(Below(Below(2) == 0 ? 24 : 80));
    default:
      return kSizes[Below(kSizes.size())];
  }
}

std::int64_t FieldChanger::PadNear(std::int64_t from) {
  const std::int64_t now = std::clamp(from, -kLargest, kLargest);
  const std::int64_t step = static_cast<std::int64_t>(Below(3)) - 1;
  std::int64_t near = now + step;
  switch (Below(6)) {
    case 0:
    case 1:
    case 2:
      near = static_cast<std::int64_t>(Below(4));
      break;
    case 3:
      if (!preferred_.empty()) near = preferred_[Below(preferred_.size())] + step;
      break;
    default:
      break;
  }
  // A pad becomes negative only if it was negative before: most operators with negative pads are refused.
  return now < 0 ? near : std::max<std::int64_t>(near, 0);
}

void FieldChanger::ChangeAxis(Sketch& sketch) {
  const std::size_t at = Below(sketch.axes.size());
  SketchAxis& axis = sketch.axes[at];
  const auto stride = static_cast<std::size_t>(std::clamp<std::int64_t>(axis.stride, 0, kLargest));
  switch (Below(12)) {
    case 0:
    case 1:
      axis.data = SizeNear(axis.data);
      break;
    case 2:
    case 3:
      axis.kernel = SizeNear(axis.kernel);
      break;
    case 4:
    case 5:
      axis.stride = Below(3) == 0 ? SizeNear(axis.stride) : 1 + static_cast<std::int64_t>(Below(5));
      break;
    case 6:
    case 7:
      axis.dilation = Below(3) == 0 ? SizeNear(axis.dilation) : 1 + static_cast<std::int64_t>(Below(4));
      break;
    case 8:
      // A pad of the kernel's extent, (kernel - 1) * dilation + 1, cuts off all products of the first data element.
      axis.pads_begin = Below(8) == 0
                            ? ClampedSum(ClampedProduct({ClampedDifference(axis.kernel, 1), axis.dilation}), 1)
                            : PadNear(axis.pads_begin);
      break;
    case 9:
      axis.pads_end = Below(3) == 0 ? axis.pads_begin : PadNear(axis.pads_end);
      break;
    case 10:
      axis.output_padding = Below(3) == 0 ? static_cast<std::int64_t>(Below(stride + 2)) : PadNear(axis.output_padding);
      sketch.output_padding = sketch.output_padding || axis.output_padding != 0;
      break;
    default:
      // Adds pads where there are none, and removes them otherwise.
      if (axis.pads_begin == 0) {
        axis.pads_begin = 1 + static_cast<std::int64_t>(Below(2));
        axis.pads_end = 1 + static_cast<std::int64_t>(Below(2));
      } else {
        axis.pads_begin = axis.pads_end = axis.output_padding = 0;
      }
      sketch.pads_begin = sketch.pads_end = true;
      break;
  }
}

void FieldChanger::ChangeAxes(Sketch& sketch) {
  const std::size_t count = sketch.axes.size();
  switch (Below(5)) {
    case 0:
      if (count > 1) sketch.axes.erase(sketch.axes.begin() + static_cast<std::ptrdiff_t>(Below(count)));
      break;
    case 1:
      if (count < 3 || (count < 5 && Below(4) == 0)) {
        SketchAxis copy = sketch.axes[Below(count)];
        if (Below(2) == 0)
          copy = {.data = 1 + static_cast<std::int64_t>(Below(4)), .kernel = 1 + static_cast<std::int64_t>(Below(3))};
        sketch.axes.insert(sketch.axes.begin() + static_cast<std::ptrdiff_t>(Below(count + 1)), copy);
      }
      break;
    case 2:
      if (count > 1) std::swap(sketch.axes[0], sketch.axes[1 + Below(count - 1)]);
      break;
    case 3: {
      // One attribute becomes equal along all axes: most often 1, otherwise its value on the first axis.
      constexpr std::array kAttributes = {&SketchAxis::kernel, &SketchAxis::stride, &SketchAxis::dilation};
      const auto attribute = kAttributes[Below(kAttributes.size())];
      const std::int64_t value = Below(3) == 0 ? sketch.axes[0].*attribute : 1;
      for (SketchAxis& axis : sketch.axes) axis.*attribute = value;
      break;
    }
    default: {
      // One number is copied from one axis to another.
      const std::size_t from = Below(count);
      constexpr std::array kMembers = {&SketchAxis::data,          &SketchAxis::kernel,     &SketchAxis::stride,
                                       &SketchAxis::dilation,      &SketchAxis::pads_begin, &SketchAxis::pads_end,
                                       &SketchAxis::output_padding};
      const auto member = kMembers[Below(kMembers.size())];
      sketch.axes[Below(count)].*member = sketch.axes[from].*member;
      break;
    }
  }
}

void FieldChanger::ChangeChannels(Sketch& sketch) {
  switch (Below(6)) {
    case 0:
      sketch.batch = SizeNear(sketch.batch);
      break;
    case 1:
    case 2:
      sketch.in = SizeNear(sketch.in);
      break;
    case 3:
      sketch.out = SizeNear(sketch.out);
      break;
    case 4:
      if (sketch.kind() != OperatorKind::kConvolutionBackpropData) sketch.groups = SizeNear(sketch.groups);
      break;
    default:
      if (Below(2) == 0) {
        sketch.in = sketch.out = 1;
      } else {
        std::swap(sketch.in, sketch.out);
      }
      break;
  }
}

void FieldChanger::ChangeValues(Sketch& sketch) {
  switch (Below(4)) {
    case 0:
      for (int tries = 0; tries < 8; ++tries) {
        const auto type = oracle::kNumericTypes[Below(oracle::kNumericTypes.size())];
        if (std::ranges::find(choices_.types, type) == choices_.types.end()) continue;
        sketch.base_case.op.data.type = sketch.base_case.op.filter.type = type;
        break;
      }
      break;
    case 1:
    case 2:
      sketch.base_case.values = kDataSets[Below(kDataSets.size())];
      break;
    default:
      sketch.base_case.seed = Below(1000);
      break;
  }
  if (!IsDefinedFor(sketch.base_case.values, sketch.type())) sketch.base_case.values = DataSet::kIntegers;
}

void FieldChanger::CopyFields(Sketch& sketch, const Sketch& other) {
  switch (Below(4)) {
    case 0:
      sketch.axes[Below(sketch.axes.size())] = other.axes[Below(other.axes.size())];
      break;
    case 1:
      sketch.batch = other.batch;
      sketch.in = other.in;
      sketch.out = other.out;
      if (sketch.kind() != OperatorKind::kConvolutionBackpropData) sketch.groups = other.groups;
      break;
    case 2:
      sketch.base_case.op.data.type = sketch.base_case.op.filter.type = other.type();
      sketch.base_case.values = other.base_case.values;
      sketch.base_case.seed = other.base_case.seed;
      break;
    default: {
      Sketch next = other;
      next.axes = sketch.axes;
      next.batch = sketch.batch;
      sketch = next;
      break;
    }
  }
}

void FieldChanger::ChangeOneField(Sketch& sketch, const Sketch& other) {
  switch (Below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return ChangeAxis(sketch);
    case 5:
      return ChangeAxes(sketch);
    case 6:
    case 7:
    case 8:
      return ChangeChannels(sketch);
    case 9:
    case 10:
      return ChangeValues(sketch);
    case 11:
      return ChangeSpelling(sketch);
    case 12:
      return ChangeShape(sketch);
    case 13:
      return ChangeOperator(sketch);
    default:
      return CopyFields(sketch, other);
  }
}

Sketch FieldChanger::Changed(const Sketch& from, const Sketch& other) {
  Sketch sketch = from;
  const std::size_t changes = 1 + Below(3);
  for (std::size_t i = 0; i < changes; ++i) ChangeOneField(sketch, other);
  return WithFittingValues(std::move(sketch));
}

Sketch FieldChanger::WithFittingValues(Sketch sketch) const {
  DropOwnValues(sketch.base_case);
  if (!IsDefinedFor(sketch.base_case.values, sketch.type())) sketch.base_case.values = DataSet::kIntegers;
  if (uses_plain_data_sets_) {
    const double in = static_cast<double>(sketch.groups) * static_cast<double>(sketch.in);
    double data = static_cast<double>(sketch.batch) * in;
    double filter = in * static_cast<double>(sketch.out);
    for (const SketchAxis& axis : sketch.axes) {
      data *= static_cast<double>(axis.data);
      filter *= static_cast<double>(axis.kernel);
    }
    // The numbers are bounded first, so that TapsFit gets no number that overflows.
    const bool are_small = data >= 1 && filter >= 1 && data < 1000 && filter < 1000;
    const bool fits =
        are_small && TapsFit(static_cast<std::int64_t>(data), static_cast<std::int64_t>(filter), sketch.type());
    sketch.base_case.values = fits ? DataSet::kTaps : DataSet::kIntegers;
  }
  return sketch;
}

Case FieldChanger::WithOneNumberChanged(const Case& from) {
  Case test_case = from;
  DropOwnValues(test_case);
  oracle::Operator& op = test_case.op;
  std::vector<oracle::Dims*> lists = {&op.data.dims, &op.filter.dims};
  for (const auto list : {&oracle::Operator::strides, &oracle::Operator::dilations, &oracle::Operator::pads_begin,
                          &oracle::Operator::pads_end, &oracle::Operator::output_padding, &oracle::Operator::dst_shape,
                          &oracle::Operator::output_shape_attribute}) {
    if (op.*list) lists.push_back(&*(op.*list));
  }
  oracle::Dims& list = *lists[Below(lists.size())];
  switch (Below(8)) {
    case 0:
      list.push_back(1 + static_cast<std::int64_t>(Below(3)));
      break;
    case 1:
      if (!list.empty()) list.pop_back();
      break;
    case 2:
      if (op.groups) op.groups = static_cast<std::int64_t>(Below(5));
      break;
    case 3:
      op.filter.type = oracle::kNumericTypes[Below(oracle::kNumericTypes.size())];
      break;
    default:
      if (!list.empty()) {
        std::int64_t& number = list[Below(list.size())];
        number = Below(4) == 0 ? -Clamped(number) : SizeNear(number);
      }
      break;
  }
  return test_case;
}

}  // namespace conformance
