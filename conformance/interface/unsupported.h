// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the abilities that a valid operator needs and that a backend may declare to lack, such as dilations, groups,
// negative pads and layouts. A property (property.h) divides operators into classes: the property "dilation" has the
// classes "all 1", "equal above 1" and "different". Each bit of deconv_unsupported_bit stands for some of these
// classes.

#ifndef DECONV_CONFORMANCE_INTERFACE_UNSUPPORTED_H_
#define DECONV_CONFORMANCE_INTERFACE_UNSUPPORTED_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "conformance/case/property/property.h"
#include "conformance/interface/deconv_backend.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

/// A bit of deconv_unsupported_bit. It applies to operators that are, or have an axis, in one of `classes`.
struct UnsupportedName {
  std::uint32_t bit;
  std::string_view name;    ///< the name in the process protocol and in reports: "asymmetric-pads"
  std::string_view phrase;  ///< "pads that differ at the two ends of an axis"
  Property property;
  ClassSet classes;
};

// Columns: bit, name, phrase, property, classes.
inline constexpr std::array kUnsupportedNames = {
    UnsupportedName{DECONV_UNSUPPORTED_DILATIONS, "dilations", "a dilation above 1", Property::kDilation,
                    SetOf(StepClass::kEqual, StepClass::kDifferent)},
    UnsupportedName{DECONV_UNSUPPORTED_GROUPS, "groups", "more than one group", Property::kGroups,
                    SetOf(GroupsClass::kSeveral, GroupsClass::kDepthwise, GroupsClass::kMultiplier)},
    UnsupportedName{DECONV_UNSUPPORTED_ASYMMETRIC_PADS, "asymmetric-pads", "pads that differ at the ends of an axis",
                    Property::kResolvedPads,
                    SetOf(ResolvedPadsClass::kAsymmetric, ResolvedPadsClass::kNegativeAsymmetric)},
    UnsupportedName{DECONV_UNSUPPORTED_NEGATIVE_PADS, "negative-pads", "a negative pad", Property::kResolvedPads,
                    SetOf(ResolvedPadsClass::kNegativeSymmetric, ResolvedPadsClass::kNegativeAsymmetric)},
    UnsupportedName{DECONV_UNSUPPORTED_OUTPUT_PADDING, "output-padding", "an output_padding that is not 0",
                    Property::kOutputPadding, SetOf(OutputPaddingClass::kBelowStride, OutputPaddingClass::kFromStride)},
    UnsupportedName{DECONV_UNSUPPORTED_EMPTY_TENSORS, "empty-tensors", "an empty tensor", Property::kTensors,
                    SetOf(TensorsClass::kEmpty)},
    UnsupportedName{DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE, "shape-attribute", "an output shape as an attribute",
                    Property::kShapeSource, SetOf(ShapeSourceClass::kAttribute, ShapeSourceClass::kBoth)},
    UnsupportedName{DECONV_UNSUPPORTED_SHAPE_INPUT, "shape-input", "an output shape as a tensor",
                    Property::kShapeSource, SetOf(ShapeSourceClass::kInput, ShapeSourceClass::kBoth)},
    UnsupportedName{DECONV_UNSUPPORTED_AUTO_PAD, "auto-pad", "an auto_pad that is not explicit", Property::kAutoPad,
                    SetOf(AutoPadClass::kSameUpper, AutoPadClass::kSameLower, AutoPadClass::kValid)},
    UnsupportedName{DECONV_UNSUPPORTED_STRIDES, "strides", "a stride above 1", Property::kStride,
                    SetOf(StepClass::kEqual, StepClass::kDifferent)},
    UnsupportedName{DECONV_UNSUPPORTED_NCX, "ncx", "channels before the spatial axes", Property::kDataFormat,
                    SetOf(FormatClass::kChannelsFirst)},
    UnsupportedName{DECONV_UNSUPPORTED_NXC, "nxc", "channels after the spatial axes", Property::kDataFormat,
                    SetOf(FormatClass::kChannelsLast)},
    UnsupportedName{DECONV_UNSUPPORTED_OIX, "oix", "a filter in OIX", Property::kFilterFormat,
                    SetOf(FormatClass::kChannelsFirst)},
    UnsupportedName{DECONV_UNSUPPORTED_XIO, "xio", "a filter in XIO", Property::kFilterFormat,
                    SetOf(FormatClass::kChannelsLast)},
};

/// All bits that the header defines.
inline constexpr std::uint32_t kAllUnsupported = (DECONV_UNSUPPORTED_XIO << 1) - 1;

/// Returns the bits that apply to a valid operator. A backend that declares one of these bits cannot compute it.
std::uint32_t RequiredBits(const oracle::Operator& op, const oracle::Geometry& geometry);

/// Returns the largest magnitude of a size or an attribute of the operator, resolved pads and output sizes included.
std::int64_t LargestAttribute(const oracle::Operator& op, const oracle::Geometry& geometry);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_INTERFACE_UNSUPPORTED_H_
