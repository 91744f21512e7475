// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The properties of an operator and the classes of each, with the rule that finds the class. This is the one table of
// what is special about an operator. Covering arrays and their counter, declarations of backends, the support map, the
// conditions of failures, the features of fuzzing and the doctor take names and classes from here.
//
// A class of a property that each spatial axis has is a class of the operator only if every axis is in it.

#ifndef DECONV_CONFORMANCE_CASE_PROPERTY_PROPERTY_H_
#define DECONV_CONFORMANCE_CASE_PROPERTY_PROPERTY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

enum class Property : std::uint8_t {
  kOperator,       ///< oracle::OperatorKind
  kAutoPad,        ///< AutoPadClass
  kOutputShape,    ///< OutputShapeClass
  kOutputPadding,  ///< OutputPaddingClass
  kRank,           ///< RankClass
  kGroups,         ///< GroupsClass
  kStride,         ///< StepClass
  kDilation,       ///< StepClass
  kRelation,       ///< RelationClass: stride and dilation
  kPads,           ///< PadsClass
  kKernel,         ///< KernelClass
  kSpan,           ///< SpanClass: kernel and data
  kBatch,          ///< BatchClass
  kType,           ///< oracle::ElementType
  kDataFormat,     ///< FormatClass: NCX, NXC
  kFilterFormat,   ///< FormatClass: OIX, XIO
  kShapeSource,    ///< ShapeSourceClass
  kResolvedPads,   ///< ResolvedPadsClass
  kTensors,        ///< TensorsClass
};
/// The first properties, up to kShapeSource, are the parameters of the covering arrays. The others follow from them.
inline constexpr std::size_t kParameters = 17;
inline constexpr std::size_t kProperties = 19;

/// The parameters of which each spatial axis has a class of its own. An axis is in the class that an operator of this
/// axis alone would be in; its stride and its dilation are kOne or kEqual.
inline constexpr std::array kAxisParameters = {Property::kOutputShape, Property::kOutputPadding, Property::kStride,
                                               Property::kDilation,    Property::kRelation,      Property::kPads,
                                               Property::kKernel,      Property::kSpan};

/// The meaning of auto_pad, in capital or small letters. kExplicit: explicit, none or NOTSET. kOther: a word that no
/// dialect has.
enum class AutoPadClass : std::uint8_t { kAbsent, kExplicit, kSameUpper, kSameLower, kValid, kOther };

/// The sign and parity of pads_begin + pads_end, as the dialect resolves them beside an output shape.
enum class OutputShapeClass : std::uint8_t { kAbsent, kZero, kPositiveEven, kPositiveOdd, kNegativeEven, kNegativeOdd };

enum class OutputPaddingClass : std::uint8_t { kZero, kBelowStride, kFromStride };  ///< 0; 1..s-1; s or more

enum class RankClass : std::uint8_t { k3, k4, k5, kMore };  ///< rank of data

enum class GroupsClass : std::uint8_t {
  kOne,
  kSeveral,     ///< groups of more than one input channel each
  kDepthwise,   ///< groups of one input and one output channel each
  kMultiplier,  ///< groups of one input and several output channels each
};

enum class StepClass : std::uint8_t { kOne, kEqual, kDifferent };  ///< all 1; all the same above 1; not all the same

enum class RelationClass : std::uint8_t { kCoprime, kCommonDivisor };  ///< gcd(s, d) = 1; above 1

/// The attributes as given, whether the dialect uses them or not. Only kDeep reaches the kernel's extent (K - 1) * d
/// + 1.
enum class PadsClass : std::uint8_t {
  kZero,
  kSymmetric,   ///< begin = end > 0
  kBegin,       ///< begin > 0, end = 0
  kEnd,         ///< begin = 0, end > 0
  kAsymmetric,  ///< both pads > 0, different
  kDeep,        ///< begin or end is at least the kernel's extent
};

enum class KernelClass : std::uint8_t { kUnit, kBelowStride, kEven, kOdd };  ///< 1; 1 < K < s; K >= s and even or odd

enum class SpanClass : std::uint8_t { kWithin, kBeyond };  ///< K <= X; K > X

enum class BatchClass : std::uint8_t { kOne, kSeveral };

enum class FormatClass : std::uint8_t { kChannelsFirst, kChannelsLast };  ///< NCX, OIX; NXC, XIO

/// The place of the output shape: an attribute, an input, nowhere, or both.
enum class ShapeSourceClass : std::uint8_t { kAttribute, kInput, kAbsent, kBoth };

/// The pads of an axis as the dialect resolves them. "Negative": one of the two pads is.
enum class ResolvedPadsClass : std::uint8_t { kSymmetric, kAsymmetric, kNegativeSymmetric, kNegativeAsymmetric };

enum class TensorsClass : std::uint8_t { kFull, kEmpty };  ///< kEmpty: data, filter or output have no elements

/// "auto_pad", "output_shape", ...
std::string_view PropertyName(Property property);

/// The names of all classes of a property, in the order of its enumeration.
std::span<const std::string_view> ClassNames(Property property);
template <typename Class>
std::string_view ClassName(Property property, Class value) {
  return ClassNames(property)[static_cast<std::size_t>(value)];
}

/// The number of a property's classes that covering arrays use: the first ones. 0 if the property is no parameter of
/// them.
std::size_t ClassesInArrays(Property property);

/// A set of classes of a property, one bit each.
using ClassSet = std::uint32_t;
template <typename... Classes>
constexpr ClassSet SetOf(Classes... classes) {
  return (ClassSet{0} | ... | (ClassSet{1} << static_cast<unsigned>(classes)));
}

/// Whether a valid operator, or one of its axes if the property is one of axes, is in one of the classes. `geometry` is
/// what the operator resolves to.
bool IsSomewhereIn(Property property, ClassSet classes, const oracle::Operator& op, const oracle::Geometry& geometry);

/// The following classes depend on the attributes alone, so that an invalid operator has them too.
AutoPadClass AutoPadOf(const oracle::Operator& op);
ShapeSourceClass ShapeSourceOf(const oracle::Operator& op);
/// Whether the pads are those of the attributes: auto_pad is absent or explicit.
inline bool PadsDecide(const oracle::Operator& op) { return AutoPadOf(op) <= AutoPadClass::kExplicit; }

/// Calls `visit` with every number of an operator: the dims of its tensors, its lists of attributes, and the values of
/// an output shape input.
template <typename Visit>
void ForEachNumber(const oracle::Operator& op, const Visit& visit) {
  const auto all = [&visit](const oracle::Dims& list) {
    for (const std::int64_t value : list) visit(value);
  };
  all(op.data.dims);
  all(op.filter.dims);
  for (const auto* list : {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding, &op.dst_shape,
                           &op.kernel_shape, &op.output_shape_attribute}) {
    if (*list) all(**list);
  }
  if (op.output_shape) all(op.output_shape->values);
}

/// A class of each parameter, or none.
class ClassRow {
 public:
  static constexpr std::uint8_t kNone = 0xff;

  ClassRow() { classes_.fill(kNone); }

  std::uint8_t operator[](Property property) const { return classes_[static_cast<std::size_t>(property)]; }
  std::uint8_t& operator[](Property property) { return classes_[static_cast<std::size_t>(property)]; }
  bool Has(Property property) const { return (*this)[property] != kNone; }

  template <typename Class>
  void Set(Property property, Class value) {
    (*this)[property] = static_cast<std::uint8_t>(value);
  }
  /// Whether the parameter's class is one of these.
  template <typename... Classes>
  bool Is(Property property, Classes... values) const {
    return (((*this)[property] == static_cast<std::uint8_t>(values)) || ...);
  }

  bool operator==(const ClassRow&) const = default;

 private:
  std::array<std::uint8_t, kParameters> classes_;
};

/// "auto_pad=valid rank=4": the parameters that have a class.
std::string ToText(const ClassRow& row);

/// The classes that a valid operator is in. Formats and places of the output shape are classes of
/// ConvolutionBackwardData alone. Nothing for an operator outside the model of the covering arrays: without data or
/// channels, or with a spatial size of data below 2. At 0 and 1 the stride decides nothing, and the classes would not
/// mean what they say; hand-made cases (suite_attributes_geometry.cc) are about those.
std::optional<ClassRow> Classify(const oracle::Operator& op, const oracle::Geometry& geometry);

/// The classes of kAxisParameters that each axis is in, of an operator inside the model.
std::vector<ClassRow> ClassifyAxes(const oracle::Operator& op, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_PROPERTY_PROPERTY_H_
