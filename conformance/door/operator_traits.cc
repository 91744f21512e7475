// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the classes of an operator from its geometry and, where only the attributes tell, from its attributes.

#include "conformance/door/operator_traits.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace conformance {
namespace {

/// Whether the text is same_upper, same_lower or valid, in upper or lower case.
bool IsAutomatic(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "same_upper" || text == "same_lower" || text == "valid";
}

/// The magnitude; INT64_MAX for the lowest number.
std::int64_t Magnitude(std::int64_t value) {
  if (value >= 0) return value;
  return value == INT64_MIN ? INT64_MAX : -value;
}

std::int64_t LargestAttribute(const oracle::Operator& op, const oracle::Geometry& geometry) {
  std::int64_t largest = 0;
  const auto take = [&largest](std::int64_t value) { largest = std::max(largest, Magnitude(value)); };
  for (const oracle::Dims* dims : {&op.data.dims, &op.filter.dims}) std::ranges::for_each(*dims, take);
  for (const auto* list : {&op.strides, &op.dilations, &op.pads_begin, &op.pads_end, &op.output_padding, &op.dst_shape,
                           &op.kernel_shape, &op.output_shape_attribute}) {
    if (*list) std::ranges::for_each(**list, take);
  }
  if (op.output_shape) std::ranges::for_each(op.output_shape->values, take);
  for (const oracle::Axis& axis : geometry.axes) {
    for (const std::int64_t value : {axis.pads_begin, axis.pads_end, axis.output}) take(value);
  }
  return largest;
}

}  // namespace

OperatorTraits TraitsOf(const oracle::Operator& op, const oracle::Geometry& geometry) {
  OperatorTraits traits;
  traits.grouped = geometry.groups > 1;
  for (const oracle::Axis& axis : geometry.axes) {
    traits.dilated |= axis.dilation > 1;
    traits.strided |= axis.stride > 1;
    traits.asymmetric_pads |= axis.pads_begin != axis.pads_end;
    traits.negative_pads |= axis.pads_begin < 0 || axis.pads_end < 0;
  }
  traits.output_padding =
      op.output_padding && std::ranges::any_of(*op.output_padding, [](std::int64_t value) { return value != 0; });
  traits.auto_pad = op.auto_pad && IsAutomatic(*op.auto_pad);
  traits.shape_attribute = op.dst_shape.has_value() || op.output_shape_attribute.has_value();
  traits.shape_input = op.output_shape.has_value();
  traits.empty = geometry.DataCount() == 0 || geometry.FilterCount() == 0 || geometry.OutputCount() == 0;
  traits.channels_last = geometry.layout == oracle::DataLayout::kNxc;
  traits.filter_xio = geometry.filter_layout == oracle::FilterLayout::kXoi;
  traits.filter_oix = !traits.filter_xio && op.kind == oracle::OperatorKind::kConvolutionBackwardData;
  traits.largest_attribute = LargestAttribute(op, geometry);
  return traits;
}

std::string LackOf(std::uint32_t unsupported, const OperatorTraits& traits) {
  for (const UnsupportedName& name : kUnsupportedNames) {
    if ((unsupported & name.bit) != 0 && name.applies(traits)) {
      return fmt::format("{} (declared unsupported)", name.phrase);
    }
  }
  return "";
}

}  // namespace conformance
