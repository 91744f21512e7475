// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classifies an operator by what a backend may lack: dilations, groups, kinds of pads, layouts and so on. Static
// declarations and the support map use the same classes.

#ifndef DECONV_CONFORMANCE_DOOR_OPERATOR_TRAITS_H_
#define DECONV_CONFORMANCE_DOOR_OPERATOR_TRAITS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/door/deconv_backend.h"
#include "oracle/operator.h"
#include "oracle/resolve.h"

namespace conformance {

/// What a valid operator asks of a backend. Pads, sizes and layouts are those of its geometry.
struct OperatorTraits {
  bool grouped = false;          ///< more than one group
  bool dilated = false;          ///< a dilation above 1
  bool strided = false;          ///< a stride above 1
  bool asymmetric_pads = false;  ///< pads_begin differs from pads_end on some axis
  bool negative_pads = false;
  bool output_padding = false;   ///< not 0 on some axis
  bool auto_pad = false;         ///< same_upper, same_lower or valid
  bool shape_attribute = false;  ///< the output shape as an attribute
  bool shape_input = false;      ///< the output shape as a tensor
  bool empty = false;            ///< data, filter or output without elements
  bool channels_last = false;
  bool filter_xio = false;
  bool filter_oix = false;  ///< of ConvolutionBackwardData
  std::int64_t largest_attribute = 0;
};

OperatorTraits TraitsOf(const oracle::Operator& op, const oracle::Geometry& geometry);

/// A bit of deconv_unsupported_bit.
struct UnsupportedName {
  std::uint32_t bit;
  std::string_view name;    ///< in the process protocol and in reports: "asymmetric-pads"
  std::string_view phrase;  ///< "pads that differ at the two ends of an axis"
  bool (*applies)(const OperatorTraits& traits);
};

inline constexpr std::array kUnsupportedNames = {
    UnsupportedName{DECONV_UNSUPPORTED_DILATIONS, "dilations", "a dilation above 1",
                    [](const OperatorTraits& traits) { return traits.dilated; }},
    UnsupportedName{DECONV_UNSUPPORTED_GROUPS, "groups", "more than one group",
                    [](const OperatorTraits& traits) { return traits.grouped; }},
    UnsupportedName{DECONV_UNSUPPORTED_ASYMMETRIC_PADS, "asymmetric-pads", "pads that differ at the ends of an axis",
                    [](const OperatorTraits& traits) { return traits.asymmetric_pads; }},
    UnsupportedName{DECONV_UNSUPPORTED_NEGATIVE_PADS, "negative-pads", "a negative pad",
                    [](const OperatorTraits& traits) { return traits.negative_pads; }},
    UnsupportedName{DECONV_UNSUPPORTED_OUTPUT_PADDING, "output-padding", "an output_padding that is not 0",
                    [](const OperatorTraits& traits) { return traits.output_padding; }},
    UnsupportedName{DECONV_UNSUPPORTED_EMPTY_TENSORS, "empty-tensors", "an empty tensor",
                    [](const OperatorTraits& traits) { return traits.empty; }},
    UnsupportedName{DECONV_UNSUPPORTED_SHAPE_ATTRIBUTE, "shape-attribute", "an output shape as an attribute",
                    [](const OperatorTraits& traits) { return traits.shape_attribute; }},
    UnsupportedName{DECONV_UNSUPPORTED_SHAPE_INPUT, "shape-input", "an output shape as a tensor",
                    [](const OperatorTraits& traits) { return traits.shape_input; }},
    UnsupportedName{DECONV_UNSUPPORTED_AUTO_PAD, "auto-pad", "an auto_pad that is not explicit",
                    [](const OperatorTraits& traits) { return traits.auto_pad; }},
    UnsupportedName{DECONV_UNSUPPORTED_STRIDES, "strides", "a stride above 1",
                    [](const OperatorTraits& traits) { return traits.strided; }},
    UnsupportedName{DECONV_UNSUPPORTED_NCX, "ncx", "channels before the spatial axes",
                    [](const OperatorTraits& traits) { return !traits.channels_last; }},
    UnsupportedName{DECONV_UNSUPPORTED_NXC, "nxc", "channels after the spatial axes",
                    [](const OperatorTraits& traits) { return traits.channels_last; }},
    UnsupportedName{DECONV_UNSUPPORTED_OIX, "oix", "a filter in OIX",
                    [](const OperatorTraits& traits) { return traits.filter_oix; }},
    UnsupportedName{DECONV_UNSUPPORTED_XIO, "xio", "a filter in XIO",
                    [](const OperatorTraits& traits) { return traits.filter_xio; }},
};

/// All bits that the header defines.
inline constexpr std::uint32_t kAllUnsupported = (DECONV_UNSUPPORTED_XIO << 1) - 1;

/// The first declared bit that applies to the operator, as a reason: "a dilation above 1 (declared unsupported)". Empty
/// if none does.
std::string LackOf(std::uint32_t unsupported, const OperatorTraits& traits);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_DOOR_OPERATOR_TRAITS_H_
