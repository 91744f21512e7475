// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of properties: what may be special about an operator, such as its padding. Each row has the names of a
// property's classes, and the rule that computes the class of an operator or of an axis. Some classes are parameters of
// covering arrays, which are case lists in which every combination of three classes occurs.

#include "conformance/case/property/property.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Geometry;
using oracle::Operator;
using oracle::OperatorKind;

constexpr auto kOperators = std::to_array<std::string_view>(
    {"ConvolutionBackpropData", "GroupConvolutionBackpropData", "ConvolutionBackwardData", "ConvTranspose"});
constexpr auto kAutoPads =
    std::to_array<std::string_view>({"absent", "explicit", "same_upper", "same_lower", "valid", "another word"});
constexpr auto kOutputShapes = std::to_array<std::string_view>(
    {"absent", "total-zero", "total-even", "total-odd", "total-negative-even", "total-negative-odd"});
constexpr auto kOutputPaddings = std::to_array<std::string_view>({"zero", "below-stride", "from-stride"});
constexpr auto kRanks = std::to_array<std::string_view>({"3", "4", "5", "more"});
constexpr auto kGroups = std::to_array<std::string_view>({"one", "several", "depthwise", "depthwise-multiplier"});
constexpr auto kSteps = std::to_array<std::string_view>({"one", "equal", "different"});
constexpr auto kRelations = std::to_array<std::string_view>({"coprime", "common-divisor"});
constexpr auto kPads = std::to_array<std::string_view>({"zero", "symmetric", "begin", "end", "asymmetric", "deep"});
constexpr auto kKernels = std::to_array<std::string_view>({"1", "below-stride", "even", "odd"});
constexpr auto kSpans = std::to_array<std::string_view>({"within", "beyond"});
constexpr auto kBatches = std::to_array<std::string_view>({"one", "several"});
constexpr auto kTypes = std::to_array<std::string_view>(
    {"f64", "f32", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"});
constexpr auto kDataFormats = std::to_array<std::string_view>({"NCX", "NXC"});
constexpr auto kFilterFormats = std::to_array<std::string_view>({"OIX", "XIO"});
constexpr auto kShapeSources = std::to_array<std::string_view>({"attribute", "input", "absent", "attribute-and-input"});
constexpr auto kResolvedPads =
    std::to_array<std::string_view>({"symmetric", "asymmetric", "negative", "negative-asymmetric"});
constexpr auto kTensors = std::to_array<std::string_view>({"full", "empty"});

template <typename Class>
constexpr std::uint8_t ClassNumber(Class value) {
  return static_cast<std::uint8_t>(value);
}

// An element of a list. 0 if there is no list, or if it is too short: onednn-runtime ignores output_padding, so that a
// valid operator may have a list of any length (clause A18).
std::int64_t ValueAt(const std::optional<oracle::Dims>& list, std::size_t j) {
  return list && j < list->size() ? (*list)[j] : 0;
}

bool HasOutputShape(const Operator& op) {
  return op.kind == OperatorKind::kConvTranspose             ? op.output_shape_attribute.has_value()
         : op.kind == OperatorKind::kConvolutionBackwardData ? op.output_shape.has_value() || op.dst_shape.has_value()
                                                             : op.output_shape.has_value();
}

OutputShapeClass OutputShapeOf(const Operator& op, const Axis& axis) {
  if (!HasOutputShape(op)) return OutputShapeClass::kAbsent;
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

ResolvedPadsClass ResolvedPadsOf(const Axis& axis) {
  const bool differ = axis.pads_begin != axis.pads_end;
  if (axis.pads_begin >= 0 && axis.pads_end >= 0) {
    return differ ? ResolvedPadsClass::kAsymmetric : ResolvedPadsClass::kSymmetric;
  }
  return differ ? ResolvedPadsClass::kNegativeAsymmetric : ResolvedPadsClass::kNegativeSymmetric;
}

using Rule = std::uint8_t (*)(const Operator& op, const Geometry& geometry);
using AxisRule = std::uint8_t (*)(const Operator& op, const Axis& axis, std::size_t j);

struct Row {
  std::string_view name;
  std::span<const std::string_view> classes;
  std::size_t in_arrays;  ///< how many classes covering arrays use: the first ones
  Rule rule;              ///< class of an operator; nullptr: the class that all axes have in common, or none
  AxisRule axis_rule;     ///< class of an axis; nullptr: axes do not have this property
};

// The rows must have the order of the enumeration Property.
constexpr std::array<Row, kProperties> kRows = {{
    {"operator", kOperators, kOperators.size(),
     [](const Operator& op, const Geometry&) { return ClassNumber(op.kind); }, nullptr},
    {"auto_pad", kAutoPads, kAutoPads.size() - 1,
     [](const Operator& op, const Geometry&) { return ClassNumber(AutoPadOf(op)); }, nullptr},
    {"output_shape", kOutputShapes, kOutputShapes.size(), nullptr,
     [](const Operator& op, const Axis& axis, std::size_t) { return ClassNumber(OutputShapeOf(op, axis)); }},
    {"output_padding", kOutputPaddings, kOutputPaddings.size(), nullptr,
     [](const Operator& op, const Axis& axis, std::size_t j) {
       return ClassNumber(OutputPaddingOf(ValueAt(op.output_padding, j), axis));
     }},
    {"rank", kRanks, kRanks.size(),
     [](const Operator&, const Geometry& geometry) {
       return ClassNumber(std::min<std::size_t>(geometry.axes.size() - 1, kRanks.size() - 1));
     },
     nullptr},
    {"groups", kGroups, kGroups.size(),
     [](const Operator&, const Geometry& geometry) { return ClassNumber(GroupsOf(geometry)); }, nullptr},
    {"strides", kSteps, kSteps.size(),
     [](const Operator&, const Geometry& geometry) { return ClassNumber(StepsOf(geometry, &Axis::stride)); },
     [](const Operator&, const Axis& axis, std::size_t) {
       return ClassNumber(axis.stride == 1 ? StepClass::kOne : StepClass::kEqual);
     }},
    {"dilations", kSteps, kSteps.size(),
     [](const Operator&, const Geometry& geometry) { return ClassNumber(StepsOf(geometry, &Axis::dilation)); },
     [](const Operator&, const Axis& axis, std::size_t) {
       return ClassNumber(axis.dilation == 1 ? StepClass::kOne : StepClass::kEqual);
     }},
    {"stride-and-dilation", kRelations, kRelations.size(), nullptr,
     [](const Operator&, const Axis& axis, std::size_t) {
       const bool coprime = std::gcd(axis.stride, axis.dilation) == 1;
       return ClassNumber(coprime ? RelationClass::kCoprime : RelationClass::kCommonDivisor);
     }},
    {"pads", kPads, kPads.size(), nullptr,
     [](const Operator& op, const Axis& axis, std::size_t j) {
       return ClassNumber(PadsOf(ValueAt(op.pads_begin, j), ValueAt(op.pads_end, j), axis));
     }},
    {"kernel", kKernels, kKernels.size(), nullptr,
     [](const Operator&, const Axis& axis, std::size_t) { return ClassNumber(KernelOf(axis)); }},
    {"kernel-and-data", kSpans, kSpans.size(), nullptr,
     [](const Operator&, const Axis& axis, std::size_t) {
       return ClassNumber(axis.kernel > axis.data ? SpanClass::kBeyond : SpanClass::kWithin);
     }},
    {"batch", kBatches, kBatches.size(),
     [](const Operator&, const Geometry& geometry) {
       return ClassNumber(geometry.batch == 1 ? BatchClass::kOne : BatchClass::kSeveral);
     },
     nullptr},
    {"type", kTypes, kTypes.size(),
     [](const Operator&, const Geometry& geometry) { return ClassNumber(geometry.type); }, nullptr},
    {"data_format", kDataFormats, kDataFormats.size(),
     [](const Operator&, const Geometry& geometry) { return ClassNumber(geometry.layout); }, nullptr},
    // Only ConvolutionBackwardData has this attribute.
    {"weights_format", kFilterFormats, kFilterFormats.size(),
     [](const Operator& op, const Geometry& geometry) {
       if (op.kind != OperatorKind::kConvolutionBackwardData) return ClassRow::kNone;
       return ClassNumber(geometry.filter_layout == oracle::FilterLayout::kXoi ? FormatClass::kChannelsLast
                                                                               : FormatClass::kChannelsFirst);
     },
     nullptr},
    {"output_shape-source", kShapeSources, 2,
     [](const Operator& op, const Geometry&) { return ClassNumber(ShapeSourceOf(op)); }, nullptr},
    {"resolved pads", kResolvedPads, 0, nullptr,
     [](const Operator&, const Axis& axis, std::size_t) { return ClassNumber(ResolvedPadsOf(axis)); }},
    {"tensors", kTensors, 0,
     [](const Operator&, const Geometry& geometry) {
       const bool empty = geometry.DataCount() == 0 || geometry.FilterCount() == 0 || geometry.OutputCount() == 0;
       return ClassNumber(empty ? TensorsClass::kEmpty : TensorsClass::kFull);
     },
     nullptr},
}};

const Row& RowOf(Property property) { return kRows.at(static_cast<std::size_t>(property)); }

}  // namespace

std::string_view PropertyName(Property property) { return RowOf(property).name; }

std::span<const std::string_view> ClassNames(Property property) { return RowOf(property).classes; }

std::size_t ClassesInArrays(Property property) { return RowOf(property).in_arrays; }

bool HasClassOf(Property property, ClassSet classes, const Operator& op, const Geometry& geometry) {
  const Row& row = RowOf(property);
  const auto is_in = [&](std::uint8_t value) { return value != ClassRow::kNone && (classes >> value & 1) != 0; };
  if (row.rule != nullptr) return is_in(row.rule(op, geometry));
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (is_in(row.axis_rule(op, geometry.axes[j], j))) return true;
  }
  return false;
}

AutoPadClass AutoPadOf(const Operator& op) {
  if (!op.auto_pad) return AutoPadClass::kAbsent;
  std::string word = *op.auto_pad;
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word == "none" || word == "notset") return AutoPadClass::kExplicit;
  const auto* const found = std::ranges::find(kAutoPads.begin() + 1, kAutoPads.end() - 1, word);
  return static_cast<AutoPadClass>(found - kAutoPads.begin());  // kOther if there is none
}

ShapeSourceClass ShapeSourceOf(const Operator& op) {
  const bool attribute = op.dst_shape || op.output_shape_attribute;
  if (op.output_shape) return attribute ? ShapeSourceClass::kBoth : ShapeSourceClass::kInput;
  return attribute ? ShapeSourceClass::kAttribute : ShapeSourceClass::kAbsent;
}

std::string ToText(const ClassRow& row) {
  std::string text;
  for (std::size_t i = 0; i < kParameters; ++i) {
    const auto property = static_cast<Property>(i);
    if (!row.Has(property)) continue;
    if (!text.empty()) text += ' ';
    text += PropertyName(property);
    text += '=';
    text += ClassNames(property)[row[property]];
  }
  return text;
}

std::vector<ClassRow> ClassifyAxes(const Operator& op, const Geometry& geometry) {
  std::vector<ClassRow> rows(geometry.axes.size());
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (const Property property : kAxisParameters) {
      rows[j][property] = RowOf(property).axis_rule(op, geometry.axes[j], j);
    }
  }
  return rows;
}

std::optional<ClassRow> Classify(const Operator& op, const Geometry& geometry) {
  const auto has_one_position = [](const Axis& axis) { return axis.data < 2; };
  if (std::ranges::any_of(geometry.axes, has_one_position)) return std::nullopt;
  if (geometry.batch < 1 || geometry.in_channels < 1 || geometry.out_channels < 1) return std::nullopt;
  const bool backward = op.kind == OperatorKind::kConvolutionBackwardData;
  const std::vector<ClassRow> axes = ClassifyAxes(op, geometry);
  ClassRow row;
  // The parameters from kDataFormat on are formats and the source of the shape: other operators have no choice there.
  for (std::size_t i = 0; i < (backward ? kParameters : ClassNumber(Property::kDataFormat)); ++i) {
    const auto property = static_cast<Property>(i);
    if (RowOf(property).rule != nullptr) {
      row[property] = RowOf(property).rule(op, geometry);
      continue;
    }
    const std::uint8_t first = axes.front()[property];
    const bool same = std::ranges::all_of(axes, [&](const ClassRow& axis) { return axis[property] == first; });
    if (same) row[property] = first;
  }
  return row;
}

}  // namespace conformance
