// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the classification: one function for each parameter, by its definition.

#include "conformance/suite/measured_coverage/classify.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Geometry;
using oracle::Operator;
using oracle::OperatorKind;

// 0 also beyond a list's end: onednn-runtime reads no output_padding, whatever its length (clause A18).
std::int64_t ValueAt(const std::optional<oracle::Dims>& list, std::size_t j) {
  return list && j < list->size() ? (*list)[j] : 0;
}

// The class that all axes are in.
void SetOfAxes(ClassRow& row, Parameter parameter, const std::vector<ClassRow>& axes) {
  const std::uint8_t first = axes.front()[parameter];
  const bool same = std::ranges::all_of(axes, [&](const ClassRow& axis) { return axis[parameter] == first; });
  if (same) row[parameter] = first;
}

AutoPadClass AutoPadOf(const Operator& op) {
  if (!op.auto_pad) return AutoPadClass::kAbsent;
  std::string name = *op.auto_pad;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name == "same_upper") return AutoPadClass::kSameUpper;
  if (name == "same_lower") return AutoPadClass::kSameLower;
  return name == "valid" ? AutoPadClass::kValid : AutoPadClass::kExplicit;
}

bool HasOutputShape(const Operator& op) {
  return op.kind == OperatorKind::kConvTranspose             ? op.output_shape_attribute.has_value()
         : op.kind == OperatorKind::kConvolutionBackwardData ? op.output_shape.has_value() || op.dst_shape.has_value()
                                                             : op.output_shape.has_value();
}

OutputShapeClass TotalOf(const Axis& axis) {
  const std::int64_t total = axis.pads_begin + axis.pads_end;  // clause P17
  if (total == 0) return OutputShapeClass::kZero;
  const bool odd = total % 2 != 0;
  if (total > 0) return odd ? OutputShapeClass::kPositiveOdd : OutputShapeClass::kPositiveEven;
  return odd ? OutputShapeClass::kNegativeOdd : OutputShapeClass::kNegativeEven;
}

PadsClass PadsOf(std::int64_t begin, std::int64_t end, const Axis& axis) {
  const std::int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
  if (begin >= extent || end >= extent) return PadsClass::kDeep;
  if (begin == end) return begin == 0 ? PadsClass::kZero : PadsClass::kSymmetric;
  if (end == 0) return PadsClass::kBegin;
  return begin == 0 ? PadsClass::kEnd : PadsClass::kAsymmetric;
}

OutputPaddingClass OutputPaddingOf(std::int64_t padding, const Axis& axis) {
  if (padding == 0) return OutputPaddingClass::kZero;
  return padding < axis.stride ? OutputPaddingClass::kBelowStride : OutputPaddingClass::kFromStride;
}

KernelClass KernelOf(const Axis& axis) {
  if (axis.kernel == 1) return KernelClass::kUnit;
  if (axis.kernel < axis.stride) return KernelClass::kBelowStride;
  return axis.kernel % 2 == 0 ? KernelClass::kEven : KernelClass::kOdd;
}

StepClass StepsOf(const Geometry& geometry, std::int64_t Axis::* step) {
  const std::int64_t first = geometry.axes.front().*step;
  const bool equal = std::ranges::all_of(geometry.axes, [&](const Axis& axis) { return axis.*step == first; });
  if (!equal) return StepClass::kDifferent;
  return first == 1 ? StepClass::kOne : StepClass::kEqual;
}

GroupsClass GroupsOf(const Geometry& geometry) {
  if (geometry.groups == 1) return GroupsClass::kOne;
  if (geometry.in_channels > 1) return GroupsClass::kSeveral;
  return geometry.out_channels == 1 ? GroupsClass::kDepthwise : GroupsClass::kMultiplier;
}

RankClass RankOf(const Geometry& geometry) {
  return static_cast<RankClass>(std::min<std::size_t>(geometry.axes.size() - 1, 3));
}

}  // namespace

std::vector<ClassRow> ClassifyAxes(const Operator& op, const Geometry& geometry) {
  const bool shaped = HasOutputShape(op);
  std::vector<ClassRow> rows;
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const Axis& axis = geometry.axes[j];
    ClassRow& row = rows.emplace_back();
    row.Set(Parameter::kOutputShape, shaped ? TotalOf(axis) : OutputShapeClass::kAbsent);
    row.Set(Parameter::kOutputPadding, OutputPaddingOf(ValueAt(op.output_padding, j), axis));
    row.Set(Parameter::kStride, axis.stride == 1 ? StepClass::kOne : StepClass::kEqual);
    row.Set(Parameter::kDilation, axis.dilation == 1 ? StepClass::kOne : StepClass::kEqual);
    row.Set(Parameter::kRelation,
            std::gcd(axis.stride, axis.dilation) == 1 ? RelationClass::kCoprime : RelationClass::kCommonDivisor);
    row.Set(Parameter::kPads, PadsOf(ValueAt(op.pads_begin, j), ValueAt(op.pads_end, j), axis));
    row.Set(Parameter::kKernel, KernelOf(axis));
    row.Set(Parameter::kSpan, axis.kernel > axis.data ? SpanClass::kBeyond : SpanClass::kWithin);
  }
  return rows;
}

std::optional<ClassRow> Classify(const Operator& op, const Geometry& geometry) {
  const auto small = [](const Axis& axis) { return axis.data < 2; };
  if (std::ranges::any_of(geometry.axes, small)) return std::nullopt;
  if (geometry.batch < 1 || geometry.in_channels < 1 || geometry.out_channels < 1) return std::nullopt;

  ClassRow row;
  row.Set(Parameter::kOperator, op.kind);
  row.Set(Parameter::kAutoPad, AutoPadOf(op));
  row.Set(Parameter::kRank, RankOf(geometry));
  row.Set(Parameter::kGroups, GroupsOf(geometry));
  row.Set(Parameter::kStride, StepsOf(geometry, &Axis::stride));
  row.Set(Parameter::kDilation, StepsOf(geometry, &Axis::dilation));
  const std::vector<ClassRow> axes = ClassifyAxes(op, geometry);
  for (const Parameter parameter : {Parameter::kOutputShape, Parameter::kOutputPadding, Parameter::kRelation,
                                    Parameter::kPads, Parameter::kKernel, Parameter::kSpan}) {
    SetOfAxes(row, parameter, axes);
  }
  row.Set(Parameter::kBatch, geometry.batch == 1 ? BatchClass::kOne : BatchClass::kSeveral);
  row.Set(Parameter::kType, geometry.type);
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    row.Set(Parameter::kDataFormat,
            geometry.layout == oracle::DataLayout::kNxc ? FormatClass::kChannelsLast : FormatClass::kChannelsFirst);
    row.Set(Parameter::kFilterFormat, geometry.filter_layout == oracle::FilterLayout::kXoi
                                          ? FormatClass::kChannelsLast
                                          : FormatClass::kChannelsFirst);
    row.Set(Parameter::kShapeSource, op.output_shape ? ShapeSourceClass::kInput : ShapeSourceClass::kAttribute);
  }
  return row;
}

}  // namespace conformance
