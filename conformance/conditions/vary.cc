// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses a field and a number near the old one, near a number that statements mention, or at a power of two.

#include "conformance/conditions/vary.h"

#include <algorithm>
#include <array>
#include <string>

#include "conformance/case/operator_draft.h"
#include "conformance/door/describe_operator.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

constexpr std::array<std::int64_t, 30> kSizes = {1, 1, 1, 2, 2,  2,  3,  3,  3,  4,  4,  5,  5,  6,  7,
                                                 8, 8, 9, 9, 10, 12, 13, 15, 16, 17, 19, 31, 32, 33, 65};

std::string SpellingOf(AutoPad auto_pad, OperatorKind kind, oracle::Dialect dialect) {
  OperatorDraft draft;
  draft.kind = kind;
  draft.axes = {AxisDraft()};
  draft.auto_pad = auto_pad;
  return Spelled(Build(draft), dialect).auto_pad.value_or("explicit");
}

}  // namespace

std::int64_t Varier::SizeNear(std::int64_t now) {
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
      // Every remainder, and every number of full blocks.
      return 1 + static_cast<std::int64_t>(Below(Below(2) == 0 ? 24 : 80));
    default:
      return kSizes[Below(kSizes.size())];
  }
}

void Varier::ChangeAxis(Sketch& sketch) {
  const std::size_t at = Below(sketch.axes.size());
  SketchAxis& axis = sketch.axes[at];
  const auto small = [&](std::int64_t now) {
    const std::int64_t near =
        Below(2) == 0 ? static_cast<std::int64_t>(Below(4)) : now + static_cast<std::int64_t>(Below(3)) - 1;
    return std::max<std::int64_t>(near, 0);
  };
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
      axis.pads_begin = Below(8) == 0 ? (axis.kernel - 1) * axis.dilation + 1 : small(axis.pads_begin);
      break;
    case 9:
      axis.pads_end = Below(3) == 0 ? axis.pads_begin : small(axis.pads_end);
      break;
    case 10:
      axis.output_padding = Below(3) == 0 ? static_cast<std::int64_t>(Below(static_cast<std::size_t>(axis.stride) + 2))
                                          : small(axis.output_padding);
      sketch.output_padding = sketch.output_padding || axis.output_padding != 0;
      break;
    default:
      // Pads, or nothing where there were some.
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

void Varier::ChangeAxes(Sketch& sketch) {
  const std::size_t n = sketch.axes.size();
  switch (Below(5)) {
    case 0:
      if (n > 1) sketch.axes.erase(sketch.axes.begin() + static_cast<std::ptrdiff_t>(Below(n)));
      break;
    case 1:
      if (n < 3 || (n < 5 && Below(4) == 0)) {
        SketchAxis copy = sketch.axes[Below(n)];
        if (Below(2) == 0)
          copy = {.data = 1 + static_cast<std::int64_t>(Below(4)), .kernel = 1 + static_cast<std::int64_t>(Below(3))};
        sketch.axes.insert(sketch.axes.begin() + static_cast<std::ptrdiff_t>(Below(n + 1)), copy);
      }
      break;
    case 2:
      if (n > 1) std::swap(sketch.axes[0], sketch.axes[1 + Below(n - 1)]);
      break;
    case 3:
      // One attribute is made equal along all axes, mostly 1.
      {
        constexpr std::array kLists = {&SketchAxis::kernel, &SketchAxis::stride, &SketchAxis::dilation};
        const auto list = kLists[Below(kLists.size())];
        const std::int64_t value = Below(3) == 0 ? sketch.axes[0].*list : 1;
        for (SketchAxis& axis : sketch.axes) axis.*list = value;
      }
      break;
    default: {
      const std::size_t from = Below(n);
      constexpr std::array kMembers = {&SketchAxis::data,          &SketchAxis::kernel,     &SketchAxis::stride,
                                       &SketchAxis::dilation,      &SketchAxis::pads_begin, &SketchAxis::pads_end,
                                       &SketchAxis::output_padding};
      const auto member = kMembers[Below(kMembers.size())];
      sketch.axes[Below(n)].*member = sketch.axes[from].*member;
      break;
    }
  }
}

void Varier::ChangeChannels(Sketch& sketch) {
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

void Varier::ChangeValues(Sketch& sketch) {
  switch (Below(4)) {
    case 0:
      for (int tries = 0; tries < 8; ++tries) {
        const auto type = oracle::kNumericTypes[Below(oracle::kNumericTypes.size())];
        if ((declared_.element_types >> ElementTypeId(type) & 1) == 0) continue;
        sketch.rest.op.data.type = sketch.rest.op.filter.type = type;
        break;
      }
      break;
    case 1:
    case 2:
      sketch.rest.values = kDataSets[Below(kDataSets.size())];
      break;
    default:
      sketch.rest.seed = Below(1000);
      break;
  }
  sketch.rest.data_only.reset();
  if (!Suits(sketch.rest.values, sketch.type())) sketch.rest.values = DataSet::kIntegers;
}

void Varier::ChangeSpelling(Sketch& sketch) {
  oracle::Operator& op = sketch.rest.op;
  const auto dialect = sketch.rest.EffectiveDialect();
  const bool backward = op.kind == OperatorKind::kConvolutionBackwardData;
  switch (Below(backward ? 9 : 6)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      constexpr std::array kModes = {AutoPad::kExplicit, AutoPad::kSameUpper, AutoPad::kSameLower, AutoPad::kValid};
      const std::size_t mode = Below(kModes.size() + 1);
      if (mode == kModes.size()) {
        op.auto_pad.reset();
      } else {
        op.auto_pad = SpellingOf(kModes[mode], op.kind, dialect);
      }
      const bool pads = mode == kModes.size() || mode == 0;
      if (op.kind == OperatorKind::kConvTranspose) {
        sketch.pads_begin = sketch.pads_end = pads;
        if (!pads) {
          for (SketchAxis& axis : sketch.axes) axis.pads_begin = axis.pads_end = 0;
        }
      }
      break;
    }
    case 4: {
      // Omitted attributes have their default.
      constexpr std::array kGiven = {&Sketch::pads_begin, &Sketch::pads_end, &Sketch::strides, &Sketch::dilations,
                                     &Sketch::output_padding};
      const auto given = kGiven[Below(kGiven.size())];
      sketch.*given = !(sketch.*given);
      for (SketchAxis& axis : sketch.axes) {
        if (!sketch.pads_begin) axis.pads_begin = 0;
        if (!sketch.pads_end) axis.pads_end = 0;
        if (!sketch.strides) axis.stride = 1;
        if (!sketch.dilations) axis.dilation = 1;
        if (!sketch.output_padding) axis.output_padding = 0;
      }
      break;
    }
    case 5: {
      const auto dialects = oracle::DialectsOf(op.kind);
      sketch.rest.dialect = dialects[Below(dialects.size())];
      break;
    }
    case 6:
    case 7:
      op.data_format = std::array<std::optional<std::string>, 3>{std::nullopt, "NCX", "NXC"}[Below(3)];
      break;
    default:
      op.weights_format = std::array<std::optional<std::string>, 3>{std::nullopt, "OIX", "XIO"}[Below(3)];
      break;
  }
}

void Varier::ChangeShape(Sketch& sketch) {
  const bool backward = sketch.kind() == OperatorKind::kConvolutionBackwardData;
  if (Below(3) == 0 || sketch.shape == ShapeSource::kNone) {
    if (backward) {
      sketch.shape = sketch.shape == ShapeSource::kInput ? ShapeSource::kAttribute : ShapeSource::kInput;
      sketch.shape_type = oracle::ElementType::kI32;
    } else if (sketch.shape == ShapeSource::kNone) {
      sketch.shape = sketch.kind() == OperatorKind::kConvTranspose ? ShapeSource::kAttribute : ShapeSource::kInput;
      for (SketchAxis& axis : sketch.axes) axis.beyond = 0;
    } else {
      sketch.shape = ShapeSource::kNone;
    }
    return;
  }
  if (Below(4) == 0 && sketch.shape != ShapeSource::kAttribute && !backward) {
    constexpr std::array kTypes = {oracle::ElementType::kI8,  oracle::ElementType::kI16, oracle::ElementType::kI32,
                                   oracle::ElementType::kI64, oracle::ElementType::kU8,  oracle::ElementType::kU16,
                                   oracle::ElementType::kU32, oracle::ElementType::kU64};
    sketch.shape_type = kTypes[Below(kTypes.size())];
    return;
  }
  SketchAxis& axis = sketch.axes[Below(sketch.axes.size())];
  axis.beyond += static_cast<std::int64_t>(Below(7)) - 3;
}

void Varier::ChangeOperator(Sketch& sketch) {
  const OperatorKind kind = oracle::kOperatorKinds[Below(oracle::kOperatorKinds.size())];
  if ((declared_.operators >> OperatorId(kind) & 1) == 0 || kind == sketch.kind()) return;
  oracle::Operator& op = sketch.rest.op;
  op.kind = kind;
  op.data_format.reset();
  op.weights_format.reset();
  op.groups.reset();
  op.auto_pad.reset();
  if (kind == OperatorKind::kConvolutionBackpropData) sketch.groups = 1;
  const auto dialects = oracle::DialectsOf(kind);
  sketch.rest.dialect = dialects[Below(dialects.size())];
  sketch.strides = sketch.dilations = sketch.pads_begin = sketch.pads_end = true;
  const bool backward = kind == OperatorKind::kConvolutionBackwardData;
  if (backward) {
    sketch.shape = ShapeSource::kAttribute;
  } else if (sketch.shape != ShapeSource::kNone) {
    sketch.shape = kind == OperatorKind::kConvTranspose ? ShapeSource::kAttribute : ShapeSource::kInput;
  }
}

void Varier::Borrow(Sketch& sketch, const Sketch& other) {
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
      sketch.rest.op.data.type = sketch.rest.op.filter.type = other.type();
      sketch.rest.values = other.rest.values;
      sketch.rest.seed = other.rest.seed;
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

void Varier::Change(Sketch& sketch, const Sketch& other) {
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
      return Borrow(sketch, other);
  }
}

Sketch Varier::Vary(const Sketch& from, const Sketch& other) {
  Sketch sketch = from;
  sketch.rest.repeats.reset();
  sketch.rest.filter_values.reset();
  sketch.rest.data_only.reset();
  const std::size_t changes = 1 + Below(3);
  for (std::size_t i = 0; i < changes; ++i) Change(sketch, other);
  if (!Suits(sketch.rest.values, sketch.type())) sketch.rest.values = DataSet::kIntegers;
  if (plain_) {
    double data = static_cast<double>(sketch.batch * sketch.groups * sketch.in);
    double filter = static_cast<double>(sketch.groups * sketch.in * sketch.out);
    for (const SketchAxis& axis : sketch.axes) {
      data *= static_cast<double>(axis.data);
      filter *= static_cast<double>(axis.kernel);
    }
    const bool small = data >= 1 && filter >= 1 && data < 1000 && filter < 1000;
    const bool fits =
        small && TapsFit(static_cast<std::int64_t>(data), static_cast<std::int64_t>(filter), sketch.type());
    sketch.rest.values = fits ? DataSet::kTaps : DataSet::kIntegers;
  }
  return sketch;
}

Case Varier::VaryRaw(const Case& from) {
  Case test_case = from;
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
        number = Below(4) == 0 ? -number : SizeNear(number);
      }
      break;
  }
  return test_case;
}

}  // namespace conformance
