// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The properties of an operator, such as its padding, and the classes of each property, such as `symmetric`. An
// operator or an axis is in at most one class of each property. The suite uses them wherever it speaks of groups of
// operators. Examples: covering arrays (case lists in which every combination of three classes occurs), declarations of
// what a backend supports, and the conditions under which a backend fails. K, s, d and X are kernel, stride, dilation
// and data size of an axis.
//
// Some properties, such as `pads`, belong to each spatial axis. An operator has a class of such a property only if all
// of its axes are in this class.

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
/// The first properties, up to kShapeSource, are the parameters of the covering arrays: a covering array chooses a
/// class of each. The other properties follow from them.
inline constexpr std::size_t kParameters = 17;
inline constexpr std::size_t kProperties = 19;

/// The parameters that each spatial axis has. The class of an axis is the class of an operator with this axis alone. So
/// stride and dilation of an axis are kOne or kEqual, never kDifferent.
inline constexpr std::array kAxisParameters = {Property::kOutputShape, Property::kOutputPadding, Property::kStride,
                                               Property::kDilation,    Property::kRelation,      Property::kPads,
                                               Property::kKernel,      Property::kSpan};

/// The meaning of auto_pad, read in upper or lower case. kExplicit: "explicit", "none" or "NOTSET". kOther: a word that
/// no dialect knows.
enum class AutoPadClass : std::uint8_t { kAbsent, kExplicit, kSameUpper, kSameLower, kValid, kOther };

/// The sign and parity of pads_begin + pads_end, as the dialect resolves them from an output shape.
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

/// The pads as the attributes state them, even if the dialect ignores them. In all classes but kDeep, both pads are
/// smaller than the kernel's extent (K - 1) * d + 1.
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

/// Where the operator has its output shape.
enum class ShapeSourceClass : std::uint8_t { kAttribute, kInput, kAbsent, kBoth };

/// The pads of an axis as the dialect resolves them. "Negative": at least one of the two pads is negative.
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

/// Returns the number of classes of a property that the covering arrays use. These are its first classes. Returns 0 if
/// the property is no parameter of the arrays.
std::size_t ClassesInArrays(Property property);

/// A set of classes of a property, one bit each.
using ClassSet = std::uint32_t;
template <typename... Classes>
constexpr ClassSet SetOf(Classes... classes) {
  return (ClassSet{0} | ... | (ClassSet{1} << static_cast<unsigned>(classes)));
}

/// Whether a valid operator is in one of the classes. For a property of axes, whether one of its axes is. `geometry`
/// must be the resolution of `op`.
bool HasClassOf(Property property, ClassSet classes, const oracle::Operator& op, const oracle::Geometry& geometry);

/// These classes depend on the attributes alone, so that they exist for invalid operators too.
AutoPadClass AutoPadOf(const oracle::Operator& op);
ShapeSourceClass ShapeSourceOf(const oracle::Operator& op);
/// Whether the pads of the attributes are used: auto_pad is absent or explicit.
inline bool PadsDecide(const oracle::Operator& op) { return AutoPadOf(op) <= AutoPadClass::kExplicit; }

/// Calls `visit` with every number of an operator: the dims of its tensors, its list attributes, and the values of an
/// output shape input.
template <typename Visit>
void ForEachNumber(const oracle::Operator& op, const Visit& visit) {
  const auto visit_all = [&visit](const oracle::Dims& list) {
    for (const std::int64_t value : list) visit(value);
  };
  visit_all(op.data.dims);
  visit_all(op.filter.dims);
  for (const auto* list : {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding, &op.dst_shape,
                           &op.kernel_shape, &op.output_shape_attribute}) {
    if (*list) visit_all(**list);
  }
  if (op.output_shape) visit_all(op.output_shape->values);
}

/// For each parameter of the covering arrays one class, or none.
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
  /// Whether the parameter's class is one of `values`.
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

/// The classes of a valid operator. Only ConvolutionBackwardData has classes of formats and of the shape's source.
/// Returns nullopt for operators that the covering arrays do not model: without batch or channels, or with a spatial
/// size of data below 2. With one data position the stride has no effect, so that its class would be meaningless.
/// Hand-written cases in suite_attributes_geometry.cc test such operators.
std::optional<ClassRow> Classify(const oracle::Operator& op, const oracle::Geometry& geometry);

/// For each axis its classes of kAxisParameters. Only for operators for which Classify returns a row.
std::vector<ClassRow> ClassifyAxes(const oracle::Operator& op, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_PROPERTY_PROPERTY_H_
