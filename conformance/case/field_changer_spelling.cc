// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes the spelling of a sketch, which is a case as plain fields, for fuzzers and the search for causes of failures.
// Spelling means auto_pad, which attributes are absent, the dialect (the document or library whose reading of the
// attributes counts), and the formats. This file also changes the source of the output shape and the kind of operator.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/case/checked.h"
#include "conformance/case/field_changer.h"
#include "conformance/case/operator_draft.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

/// The spelling of an auto_pad in a kind of operator and a dialect. Build and Spelled know all spellings.
std::string SpellingOf(AutoPad auto_pad, OperatorKind kind, oracle::Dialect dialect) {
  OperatorDraft draft;
  draft.kind = kind;
  draft.axes = {AxisDraft()};
  draft.auto_pad = auto_pad;
  return Spelled(Build(draft), dialect).auto_pad.value_or("explicit");
}

}  // namespace

void FieldChanger::ChangeSpelling(Sketch& sketch) {
  oracle::Operator& op = sketch.base_case.op;
  const auto dialect = sketch.base_case.EffectiveDialect();
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
      const bool pads_count = mode == kModes.size() || mode == 0;
      if (op.kind == OperatorKind::kConvTranspose) {  // it forbids pads beside another mode
        sketch.pads_begin = sketch.pads_end = pads_count;
        if (!pads_count) {
          for (SketchAxis& axis : sketch.axes) axis.pads_begin = axis.pads_end = 0;
        }
      }
      break;
    }
    case 4: {
      // If the attribute is absent now, its numbers become the default values.
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
      sketch.base_case.dialect = dialects[Below(dialects.size())];
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

void FieldChanger::ChangeShape(Sketch& sketch) {
  const bool backward = sketch.kind() == OperatorKind::kConvolutionBackwardData;
  if (Below(3) == 0 || sketch.shape == ShapeSourceClass::kAbsent) {
    if (backward) {
      sketch.shape = sketch.shape == ShapeSourceClass::kInput ? ShapeSourceClass::kAttribute : ShapeSourceClass::kInput;
      sketch.shape_type = oracle::ElementType::kI32;
    } else if (sketch.shape == ShapeSourceClass::kAbsent) {
      sketch.shape =
          sketch.kind() == OperatorKind::kConvTranspose ? ShapeSourceClass::kAttribute : ShapeSourceClass::kInput;
      for (SketchAxis& axis : sketch.axes) axis.shape_excess = 0;
    } else {
      sketch.shape = ShapeSourceClass::kAbsent;
    }
    return;
  }
  if (Below(4) == 0 && sketch.shape != ShapeSourceClass::kAttribute && !backward) {
    constexpr std::array kTypes = {oracle::ElementType::kI8,  oracle::ElementType::kI16, oracle::ElementType::kI32,
                                   oracle::ElementType::kI64, oracle::ElementType::kU8,  oracle::ElementType::kU16,
                                   oracle::ElementType::kU32, oracle::ElementType::kU64};
    sketch.shape_type = kTypes[Below(kTypes.size())];
    return;
  }
  // The output size of one axis changes by -3 to 3.
  SketchAxis& axis = sketch.axes[Below(sketch.axes.size())];
  axis.shape_excess = ClampedSum(axis.shape_excess, static_cast<std::int64_t>(Below(7)) - 3);
}

void FieldChanger::ChangeOperator(Sketch& sketch) {
  const OperatorKind kind = oracle::kOperatorKinds[Below(oracle::kOperatorKinds.size())];
  if (kind == sketch.kind() || std::ranges::find(choices_.kinds, kind) == choices_.kinds.end()) return;
  oracle::Operator& op = sketch.base_case.op;
  op.kind = kind;
  op.data_format.reset();
  op.weights_format.reset();
  op.groups.reset();
  op.auto_pad.reset();
  if (kind == OperatorKind::kConvolutionBackpropData) sketch.groups = 1;
  const auto dialects = oracle::DialectsOf(kind);
  sketch.base_case.dialect = dialects[Below(dialects.size())];
  sketch.strides = sketch.dilations = sketch.pads_begin = sketch.pads_end = true;
  const bool backward = kind == OperatorKind::kConvolutionBackwardData;
  if (backward) {
    sketch.shape = ShapeSourceClass::kAttribute;
  } else if (sketch.shape != ShapeSourceClass::kAbsent) {
    sketch.shape = kind == OperatorKind::kConvTranspose ? ShapeSourceClass::kAttribute : ShapeSourceClass::kInput;
  }
}

}  // namespace conformance
