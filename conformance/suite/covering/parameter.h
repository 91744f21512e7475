// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of an operator and the classes of each: the vocabulary of the covering array that builds cases and of
// the counter that classifies them. The two share these names and nothing else; what each class means stands here.
//
// A class of a property that each spatial axis has is a class of the case only if every axis is in it. Operators with
// a spatial data size below 2 are outside the model: at 0 and 1 the stride decides nothing, and the classes below would
// not mean what they say. Hand-made rows (suite_attributes_geometry.cc) are about those.

#ifndef DECONV_CONFORMANCE_SUITE_COVERING_PARAMETER_H_
#define DECONV_CONFORMANCE_SUITE_COVERING_PARAMETER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace conformance {

enum class Parameter : std::uint8_t {
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
};
inline constexpr std::size_t kParameters = 17;

/// Those of which each spatial axis has a class of its own. An axis is in the class that an operator of this axis alone
/// would be in; its stride and its dilation are kOne or kEqual.
inline constexpr std::array kAxisParameters = {Parameter::kOutputShape, Parameter::kOutputPadding, Parameter::kStride,
                                               Parameter::kDilation,    Parameter::kRelation,      Parameter::kPads,
                                               Parameter::kKernel,      Parameter::kSpan};

enum class AutoPadClass : std::uint8_t { kAbsent, kExplicit, kSameUpper, kSameLower, kValid };

/// By pads_begin + pads_end as the dialect resolves them, which is the total wherever the dialect has one.
enum class OutputShapeClass : std::uint8_t { kAbsent, kZero, kPositiveEven, kPositiveOdd, kNegativeEven, kNegativeOdd };

enum class OutputPaddingClass : std::uint8_t { kZero, kBelowStride, kFromStride };  ///< 0; 1..s-1; s or more

enum class RankClass : std::uint8_t { k3, k4, k5, kMore };  ///< of data

enum class GroupsClass : std::uint8_t {
  kOne,
  kSeveral,     ///< of more than one input channel each
  kDepthwise,   ///< of one input and one output channel each
  kMultiplier,  ///< of one input and several output channels each
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
  kAsymmetric,  ///< both > 0, different
  kDeep,        ///< begin or end is at least the kernel's extent
};

enum class KernelClass : std::uint8_t { kUnit, kBelowStride, kEven, kOdd };  ///< 1; 1 < K < s; K >= s and even or odd

enum class SpanClass : std::uint8_t { kWithin, kBeyond };  ///< K <= X; K > X

enum class BatchClass : std::uint8_t { kOne, kSeveral };

enum class FormatClass : std::uint8_t { kChannelsFirst, kChannelsLast };  ///< NCX, OIX; NXC, XIO

enum class ShapeSourceClass : std::uint8_t { kAttribute, kInput };  ///< where dst_shape comes from

/// "auto_pad", "output_shape", ...
std::string_view ParameterName(Parameter parameter);

/// The names of all its classes, in the order of the enumeration; f32 and gcbd are classes too.
std::span<const std::string_view> ClassNames(Parameter parameter);

/// A class for each parameter, or none.
class ClassRow {
 public:
  static constexpr std::uint8_t kNone = 0xff;

  ClassRow() { classes_.fill(kNone); }

  std::uint8_t operator[](Parameter parameter) const { return classes_[static_cast<std::size_t>(parameter)]; }
  std::uint8_t& operator[](Parameter parameter) { return classes_[static_cast<std::size_t>(parameter)]; }
  bool Has(Parameter parameter) const { return (*this)[parameter] != kNone; }

  template <typename Class>
  void Set(Parameter parameter, Class value) {
    (*this)[parameter] = static_cast<std::uint8_t>(value);
  }
  /// Whether the parameter's class is one of these.
  template <typename... Classes>
  bool Is(Parameter parameter, Classes... values) const {
    return (((*this)[parameter] == static_cast<std::uint8_t>(values)) || ...);
  }

  bool operator==(const ClassRow&) const = default;

 private:
  std::array<std::uint8_t, kParameters> classes_;
};

/// "auto_pad=valid rank=4": the parameters that have a class.
std::string ToText(const ClassRow& row);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_COVERING_PARAMETER_H_
