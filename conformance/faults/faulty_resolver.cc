// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See geometry.h.

#include "conformance/faults/faulty_resolver.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/faults/number.h"

namespace conformance::faults {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

bool Small(Wide value) { return value <= kLargest && value >= std::numeric_limits<std::int64_t>::min(); }

// Rounded down, also below zero.
std::int64_t HalfDown(std::int64_t value) { return value >> 1; }

bool CountFits(const List& dims, std::int32_t type) {
  Wide bytes = static_cast<Wide>(BytesOf(type));
  for (const std::int64_t dim : dims) {
    bytes *= std::max<std::int64_t>(dim, 1);
    if (!Small(bytes)) return false;
  }
  return true;
}

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Fills in a geometry step by step; the first rule that is broken ends it.
class Maker {
 public:
  explicit Maker(const Attributes& attributes) : a_(attributes) {}

  std::variant<FaultyGeometry, Broken> Make() {
    if (CheckDialect() && CheckTypes() && TakeShapes() && TakeLists() && TakeAutoPad() && TakeShapeInput() &&
        TakeAxes() && CheckSizes()) {
      return std::move(plan_);
    }
    return std::move(*broken_);
  }

 private:
  bool Require(std::string_view rule, bool holds, std::string message) {
    if (holds) return true;
    broken_ = Broken{.rule = rule, .message = std::move(message)};
    return false;
  }

  bool CheckDialect() {
    const std::string& dialect = a_.dialect;
    bool legal = dialect == "openvino-spec" || dialect == "openvino-runtime";
    if (a_.onednn()) legal = dialect == "onednn-spec" || dialect == "onednn-runtime";
    if (a_.onnx()) legal = dialect == "onnx-1" || dialect == "onnx-11" || dialect == "onnxruntime";
    return Require("dialect", legal, fmt::format("{} does not speak operator {}", dialect, a_.kind)) &&
           Require("inputs", !a_.onnx() || !a_.has_shape, "a third input, expected two");
  }

  bool CheckTypes() {
    const std::int32_t type = a_.data_type;
    plan_.type = type;
    bool allowed = true;
    if (a_.onednn()) allowed = type == DECONV_ID_F32 || type == DECONV_ID_BF16 || type == DECONV_ID_F16;
    if (a_.onnx()) allowed = type == DECONV_ID_F32 || type == DECONV_ID_F64 || type == DECONV_ID_F16;
    return Require("numeric_types", IsNumber(type) && IsNumber(a_.filter_type), "a type that is not numeric") &&
           Require("equal_types", type == a_.filter_type, "data and filter of two types") &&
           Require("allowed_types", allowed, "a type that the operator is not defined on");
  }

  bool TakeShapes() {
    const std::size_t rank = a_.data.size();
    const std::size_t most = a_.dialect == "onednn-runtime" ? 5 : 10;
    if (!Require("rank", rank >= 3 && rank <= most, fmt::format("data of rank {}, expected 3 to {}", rank, most))) {
      return false;
    }
    const std::size_t filter_rank = rank + (a_.grouped_filter() ? 1 : 0);
    if (a_.filter.size() != filter_rank) {
      return Require("filter_rank", false,
                     fmt::format("filter of rank {}, expected {}", a_.filter.size(), filter_rank));
    }
    const auto negative = [](std::int64_t dim) { return dim < 0; };
    if (std::ranges::any_of(a_.data, negative) || std::ranges::any_of(a_.filter, negative)) {
      return Require("dims", false, "a negative dimension");
    }
    if (a_.onednn()) {
      const std::string data = a_.data_format.value_or("NXC");
      const std::string weights = a_.weights_format.value_or("XIO");
      if (!Require("data_format", data == "NXC" || data == "NCX", "data_format " + data) ||
          !Require("weights_format", weights == "XIO" || weights == "OIX", "weights_format " + weights)) {
        return false;
      }
      plan_.channels_last = data != "NCX";
      plan_.filter_order = weights == "OIX" ? FilterOrder::kChannelsFirst : FilterOrder::kChannelsLast;
    }
    plan_.axes.resize(rank - 2);
    return TakeChannels();
  }

  bool TakeChannels() {
    const std::size_t rank = a_.data.size();
    const bool filter_last = plan_.filter_order == FilterOrder::kChannelsLast;
    const std::size_t group_dims = a_.grouped_filter() ? 1 : 0;
    const std::int64_t in = filter_last ? a_.filter[rank - 1] : a_.filter[group_dims];
    const std::int64_t channels = plan_.channels_last ? a_.data[rank - 1] : a_.data[1];
    plan_.kind = a_.kind;
    plan_.batch = a_.data[0];
    plan_.out_channels = filter_last ? a_.filter[rank - 2] : a_.filter[group_dims + 1];
    if (a_.grouped_filter()) {
      plan_.groups = a_.filter[0];
    } else if (a_.onednn() || a_.onnx()) {
      plan_.groups = a_.groups && !a_.groups->empty() ? a_.groups->front() : 1;
    }
    if (plan_.groups < 1) {
      return Require("groups:zero", false, fmt::format("{} groups, expected at least 1", plan_.groups));
    }
    const Wide filter_channels = a_.grouped_filter() ? Wide{plan_.groups} * in : Wide{in};
    if (!Require("channels", filter_channels == channels, "channels of data and filter differ") ||
        !Require("groups:divide", channels % plan_.groups == 0, "groups do not divide the channels")) {
      return false;
    }
    plan_.in_channels = channels / plan_.groups;
    if (!Small(Wide{plan_.groups} * plan_.out_channels)) return Require("overflow", false, "too many output channels");
    for (std::size_t j = 0; j < plan_.axes.size(); ++j) {
      plan_.axes[j].data = a_.data[(plan_.channels_last ? 1 : 2) + j];
      plan_.axes[j].kernel = a_.filter[(filter_last ? 0 : 2 + group_dims) + j];
      if (!Require("kernel", plan_.axes[j].kernel >= 1, "a kernel of size 0")) return false;
    }
    return Require("filter_empty", a_.dialect != "onednn-runtime" || std::ranges::find(a_.filter, 0) == a_.filter.end(),
                   "a filter without elements");
  }

  // The attribute, or `absent` for each axis.
  bool TakeList(std::string_view name, const std::optional<List>& list, std::int64_t absent, std::int64_t least,
                std::string_view length_rule, std::string_view rule, List& values) {
    values.assign(plan_.axes.size(), absent);
    if (!list) {
      const bool required = a_.onednn() && name != "output_padding";
      return Require("required", !required, fmt::format("{} is missing", name));
    }
    if (!Require(length_rule, list->size() == values.size(),
                 fmt::format("{} [{}], expected {} values", name, fmt::join(*list, ", "), values.size())) ||
        !Require(rule, std::ranges::all_of(*list, [&](std::int64_t v) { return v >= least; }),
                 fmt::format("{} [{}], expected at least {}", name, fmt::join(*list, ", "), least))) {
      return false;
    }
    values = *list;
    return true;
  }

  bool TakeLists() {
    List strides;
    List dilations;
    List output_padding;
    if (!TakeList("strides", a_.strides, 1, 1, "lengths:strides", "strides", strides) ||
        !TakeList("dilations", a_.dilations, 1, 1, "lengths:dilations", "dilations", dilations) ||
        !TakeList("pads_begin", a_.pads_begin, 0, 0, "lengths:pads", "pads", pads_begin_) ||
        !TakeList("pads_end", a_.pads_end, 0, 0, "lengths:pads", "pads", pads_end_) ||
        !TakeList("output_padding", a_.output_padding, 0, 0, "lengths:output_padding", "output_padding",
                  output_padding)) {
      return false;
    }
    for (std::size_t j = 0; j < plan_.axes.size(); ++j) {
      plan_.axes[j].stride = strides[j];
      plan_.axes[j].dilation = dilations[j];
      plan_.axes[j].output_padding = output_padding[j];
    }
    return true;
  }

  bool TakeAutoPad() {
    const std::string given = a_.auto_pad.value_or(a_.onednn() ? "None" : a_.onnx() ? "NOTSET" : "explicit");
    const std::string lower = Lower(given);
    const std::string upper_free = a_.onnx() ? "notset" : a_.onednn() ? "none" : "explicit";
    if (lower == "same_upper") plan_.auto_pad = AutoPad::kSameUpper;
    if (lower == "same_lower") plan_.auto_pad = AutoPad::kSameLower;
    if (lower == "valid") plan_.auto_pad = AutoPad::kValid;
    const bool known = lower == "same_upper" || lower == "same_lower" || lower == "valid" || lower == upper_free;
    const bool all_lower = given == lower;
    const bool all_upper = std::ranges::none_of(given, [](unsigned char c) { return std::islower(c) != 0; });
    bool spelled = true;  // OpenVINO compares without case
    if (a_.onednn()) spelled = all_lower || all_upper || given == "None";
    if (a_.dialect == "onednn-runtime") spelled = lower == "none" ? given == "None" : all_upper;
    if (a_.onnx()) spelled = all_upper;
    const bool pads = a_.pads_begin || a_.pads_end;
    return Require("auto_pad", known && spelled, "auto_pad " + given) &&
           Require("pads_with_auto_pad", !a_.onnx() || Explicit() || !pads, "pads beside auto_pad " + given) &&
           Require("kernel_shape", !a_.onnx() || KernelShapeAgrees(), "kernel_shape differs from the filter");
  }

  bool KernelShapeAgrees() const {
    if (!a_.kernel_shape) return true;
    return std::ranges::equal(*a_.kernel_shape, plan_.axes, {}, {}, &FaultyAxis::kernel);
  }

  bool TakeShapeInput() {
    if (a_.onednn()) return TakeDstShape();
    if (a_.onnx()) {
      if (!a_.output_shape_attribute) return true;
      if (a_.output_shape_attribute->size() != plan_.axes.size())
        return Require("shape_length", false, "output_shape's length");
      return SetOutput(*a_.output_shape_attribute, 0);
    }
    if (!a_.has_shape) return true;
    return CheckShapeTensor(plan_.axes.size()) && SetOutput(a_.shape, 0);
  }

  bool CheckShapeTensor(std::size_t length) {
    const bool integer = IsNumber(a_.shape_type) && !IsFloating(a_.shape_type);
    const bool fits =
        a_.shape_dims.size() == 1 && a_.shape_dims[0] == static_cast<std::int64_t>(length) && a_.shape.size() == length;
    return Require("shape_type", integer, "an output shape that is not of integers") &&
           Require("shape_rank", a_.shape_dims.size() == 1, "an output shape that is not a list") &&
           Require("shape_length", fits, fmt::format("an output shape of other than {} values", length));
  }

  bool TakeDstShape() {
    const std::size_t rank = a_.data.size();
    const std::size_t first = plan_.channels_last ? 1 : 2;
    if (a_.dst_shape) {
      if (a_.dst_shape->size() != rank) return Require("shape_length", false, "dst_shape's length");
      const auto spatial = a_.dst_shape->begin() + static_cast<std::ptrdiff_t>(first);
      const bool positive = std::all_of(spatial, spatial + static_cast<std::ptrdiff_t>(rank - 2),
                                        [](std::int64_t size) { return size >= 1; });
      if (!Require("output_shape_sign", positive, "a size below 1 in dst_shape")) return false;
    }
    if (!a_.has_shape && !a_.dst_shape) return Require("dst_shape", false, "no dst_shape");
    if (a_.has_shape && !CheckShapeTensor(rank)) return false;
    const List& shape = a_.has_shape ? a_.shape : *a_.dst_shape;
    const std::int64_t channels = plan_.channels_last ? shape[rank - 1] : shape[1];
    return Require("dst_shape_channels", shape[0] == plan_.batch && channels == plan_.groups * plan_.out_channels,
                   "batch or channels of dst_shape") &&
           SetOutput(shape, first);
  }

  bool SetOutput(const List& shape, std::size_t first) {
    plan_.has_output_shape = true;
    for (std::size_t j = 0; j < plan_.axes.size(); ++j) {
      plan_.axes[j].output = shape[first + j];
      if (!Require("output_shape_sign", shape[first + j] >= 1, "a size below 1 asked for")) return false;
    }
    return true;
  }

  bool TakeAxes() {
    for (std::size_t j = 0; j < plan_.axes.size(); ++j) {
      if (!TakeAxis(j)) return false;
    }
    return true;
  }

  bool Explicit() const { return plan_.auto_pad == AutoPad::kExplicit; }
  bool Same() const { return plan_.auto_pad == AutoPad::kSameUpper || plan_.auto_pad == AutoPad::kSameLower; }

  bool TakeAxis(std::size_t j) {
    FaultyAxis& axis = plan_.axes[j];
    axis.given_begin = pads_begin_[j];
    axis.given_end = pads_end_[j];
    const bool runtime = a_.dialect == "onnxruntime";
    const Wide extent = Wide{axis.dilation} * (axis.kernel - 1) + 1;
    const Wide span = Wide{axis.stride} * (Wide{axis.data} - 1);
    // oneDNN's library has no use for output_padding.
    const Wide natural = extent + span + (a_.dialect == "onednn-runtime" ? 0 : axis.output_padding);
    if (!Small(extent) || !Small(span) || !Small(extent + span) || !Small(natural)) {
      return Require("overflow", false, "a size beyond 64 bits");
    }
    if (!Require("output_padding_below_stride", !runtime || axis.output_padding < axis.stride,
                 fmt::format("output_padding {}, expected less than the stride", axis.output_padding)) ||
        !(plan_.has_output_shape ? AlignToShape(axis) : TakeSize(axis, natural))) {
      return false;
    }
    const Wide total = natural - axis.output;
    if (!Small(total)) return Require("overflow", false, "a size beyond 64 bits");
    axis.total = static_cast<std::int64_t>(total);
    if (axis.split) axis.pads_begin = Share(axis.total);
    if (!Small(Wide{axis.output} + axis.pads_begin) || !Small(total - axis.pads_begin)) {
      return Require("overflow", false, "a coordinate or pad beyond 64 bits");
    }
    return !plan_.has_output_shape || CheckConsistency(axis, extent);
  }

  // Without an output shape.
  bool TakeSize(FaultyAxis& axis, Wide natural) {
    Wide size = natural;
    if (Explicit()) {
      axis.pads_begin = axis.given_begin;
      size = natural - axis.given_begin - axis.given_end;
    } else if (a_.onnx() && Same()) {
      if (!Require("same_without_shape", a_.dialect != "onnx-1", "SAME without output_shape is not defined")) {
        return false;
      }
      size = Wide{axis.data} * axis.stride;
      if (a_.dialect == "onnxruntime") size = std::min(size, natural);
      axis.split = true;
    }
    if (!Small(size)) return Require("overflow", false, "a size beyond 64 bits");
    axis.output = static_cast<std::int64_t>(size);
    return Require("output_size", size >= 1, fmt::format("output of size {}", axis.output));
  }

  // With an output shape; what it splits is split later.
  bool AlignToShape(FaultyAxis& axis) {
    const bool keeps = a_.onednn() || a_.dialect == "openvino-runtime";
    if (keeps && Explicit()) {
      axis.pads_begin = axis.given_begin;
    } else if (a_.dialect == "onednn-runtime" && Same()) {
      axis.pads_begin = ForwardShare(axis);
    } else if (!keeps || Same()) {
      axis.split = true;
    }
    return Require("empty_data_with_shape", a_.dialect != "onnxruntime" || axis.data > 0, "no data to shape");
  }

  // The total of the forward operator, from the output and what its stride leaves over.
  static std::int64_t ForwardTotal(const FaultyAxis& axis) {
    const std::int64_t rest = axis.output % axis.stride;
    return std::max<std::int64_t>(axis.dilation * (axis.kernel - 1) + 1 - (rest == 0 ? axis.stride : rest), 0);
  }

  std::int64_t ForwardShare(const FaultyAxis& axis) const {
    const std::int64_t total = ForwardTotal(axis);
    return plan_.auto_pad == AutoPad::kSameUpper ? HalfDown(total) : total - HalfDown(total);
  }

  // Whether the forward operator would make data of this output.
  bool CheckConsistency(const FaultyAxis& axis, Wide extent) {
    Wide size = axis.data;
    if (a_.dialect == "onednn-runtime") {
      const Wide pads = Explicit() ? Wide{axis.given_begin} + axis.given_end : Same() ? Wide{ForwardTotal(axis)} : 0;
      size = (axis.output - extent + pads) / axis.stride + 1;
    } else if (a_.dialect == "onnxruntime") {
      const Wide forward = axis.output + Wide{std::max<std::int64_t>(axis.total, 0)} - extent;
      size = (forward >= 0 ? forward : forward - axis.stride + 1) / axis.stride + 1;
    }
    return Require("consistent_shape", size == axis.data, "an output shape that the forward operator does not invert");
  }

  // What of the total crops the beginning.
  std::int64_t Share(std::int64_t total) const {
    if (a_.dialect == "openvino-runtime" || a_.dialect == "onnxruntime") total = std::max<std::int64_t>(total, 0);
    // ONNX since 11 has the roles of upper and lower exchanged, and every other mode with lower.
    const bool upper = plan_.auto_pad == AutoPad::kSameUpper;
    const bool more_at_begin = a_.onnx() && a_.dialect != "onnx-1" ? !upper : upper;
    return more_at_begin ? total - HalfDown(total) : HalfDown(total);
  }

  bool CheckSizes() {
    return Require(
        "overflow",
        CountFits(a_.data, plan_.type) && CountFits(a_.filter, plan_.type) && CountFits(plan_.OutputDims(), plan_.type),
        "a tensor beyond 63 bits");
  }

  const Attributes& a_;
  FaultyGeometry plan_;
  std::optional<Broken> broken_;
  List pads_begin_;
  List pads_end_;
};

}  // namespace

std::variant<FaultyGeometry, Broken> MakeFaultyGeometry(const Attributes& attributes) {
  return Maker(attributes).Make();
}

}  // namespace conformance::faults
