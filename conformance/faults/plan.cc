// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See plan.h.

#include "conformance/faults/plan.h"

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

std::int64_t Product(const List& dims) {
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) product *= dim;
  return product;
}

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

// Fills in a plan step by step; the first rule that is broken ends it.
class Maker {
 public:
  Maker(const Attributes& attributes, std::string_view accepts) : a_(attributes), accepts_(accepts) {}

  std::variant<Plan, Broken> Make() {
    if (CheckDialect() && CheckTypes() && TakeShapes() && TakeLists() && TakeAutoPad() && TakeShapeInput() &&
        TakeAxes() && CheckSizes()) {
      return std::move(plan_);
    }
    return std::move(*broken_);
  }

 private:
  // True if the rule holds or is the one not enforced. What a plan cannot be made without has no name: an empty rule is
  // always enforced, also where `accepts_` is empty because all are.
  bool Require(std::string_view rule, bool holds, std::string message) {
    if (holds || (!rule.empty() && rule == accepts_)) return true;
    broken_ = Broken{.rule = rule, .message = std::move(message)};
    return false;
  }

  bool CheckDialect() {
    const bool openvino = a_.dialect == "openvino-spec" || a_.dialect == "openvino-runtime";
    const bool legal = a_.onednn() ? a_.dialect == "onednn-spec" : a_.onnx() ? a_.dialect == "onnx-11" : openvino;
    return Require("dialect", legal, fmt::format("{} does not speak operator {}", a_.dialect, a_.kind)) &&
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
    // The two rank rules are the ground that everything else stands on: nothing can be planned without them.
    if (!Require("", rank >= 3 && rank <= 10, fmt::format("data of rank {}, expected 3 to 10", rank))) return false;
    const std::size_t filter_rank = rank + (a_.grouped_filter() ? 1 : 0);
    if (a_.filter.size() != filter_rank) {
      return Require("", false, fmt::format("filter of rank {}, expected {}", a_.filter.size(), filter_rank));
    }
    const auto negative = [](std::int64_t dim) { return dim < 0; };
    if (std::ranges::any_of(a_.data, negative) || std::ranges::any_of(a_.filter, negative)) {
      return Require("", false, "a negative dimension");
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
    plan_.batch = a_.data[0];
    plan_.out_channels = filter_last ? a_.filter[rank - 2] : a_.filter[group_dims + 1];
    if (a_.grouped_filter()) {
      plan_.groups = a_.filter[0];
    } else if (a_.onednn() || a_.onnx()) {
      plan_.groups = a_.groups && !a_.groups->empty() ? a_.groups->front() : 1;
    }
    if (plan_.groups < 1) return Require("", false, fmt::format("{} groups, expected at least 1", plan_.groups));
    const Wide filter_channels = a_.grouped_filter() ? Wide{plan_.groups} * in : Wide{in};
    if (!Require("channels", filter_channels == channels, "channels of data and filter differ") ||
        !Require("groups", channels % plan_.groups == 0, "groups do not divide the channels")) {
      return false;
    }
    plan_.in_channels = channels / plan_.groups;
    if (!Small(Wide{plan_.groups} * plan_.out_channels)) return Require("", false, "too many output channels");
    for (std::size_t j = 0; j < plan_.axes.size(); ++j) {
      plan_.axes[j].data = a_.data[(plan_.channels_last ? 1 : 2) + j];
      plan_.axes[j].kernel = a_.filter[(filter_last ? 0 : 2 + group_dims) + j];
      if (!Require("kernel", plan_.axes[j].kernel >= 1, "a kernel of size 0")) return false;
    }
    return true;
  }

  // The attribute, or `absent` for each axis; also of the right length if a wrong one is accepted.
  bool TakeList(std::string_view name, const std::optional<List>& list, std::int64_t absent, std::int64_t least,
                std::string_view rule, List& values) {
    values.assign(plan_.axes.size(), absent);
    if (!list) {
      const bool required = a_.onednn() && name != "output_padding";
      return Require("required", !required, fmt::format("{} is missing", name));
    }
    if (!Require("lengths", list->size() == values.size(),
                 fmt::format("{} [{}], expected {} values", name, fmt::join(*list, ", "), values.size())) ||
        !Require(rule, std::ranges::all_of(*list, [&](std::int64_t v) { return v >= least; }),
                 fmt::format("{} [{}], expected at least {}", name, fmt::join(*list, ", "), least))) {
      return false;
    }
    std::copy_n(list->begin(), std::min(list->size(), values.size()), values.begin());
    return true;
  }

  bool TakeLists() {
    List strides;
    List dilations;
    List output_padding;
    if (!TakeList("strides", a_.strides, 1, 1, "strides", strides) ||
        !TakeList("dilations", a_.dilations, 1, 1, "dilations", dilations) ||
        !TakeList("pads_begin", a_.pads_begin, 0, 0, "pads", pads_begin_) ||
        !TakeList("pads_end", a_.pads_end, 0, 0, "pads", pads_end_) ||
        !TakeList("output_padding", a_.output_padding, 0, 0, "output_padding", output_padding)) {
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
    const std::string given = a_.auto_pad.value_or(a_.onednn() ? "none" : a_.onnx() ? "NOTSET" : "explicit");
    const std::string lower = Lower(given);
    const std::string upper_free = a_.onnx() ? "notset" : a_.onednn() ? "none" : "explicit";
    mode_ = lower;
    const bool known = lower == "same_upper" || lower == "same_lower" || lower == "valid" || lower == upper_free;
    const bool all_lower = given == lower;
    const bool all_upper = std::ranges::none_of(given, [](unsigned char c) { return std::islower(c) != 0; });
    bool spelled = true;  // OpenVINO compares without case
    if (a_.onednn()) spelled = all_lower || all_upper || given == "None";
    if (a_.onnx()) spelled = all_upper;
    const bool pads = a_.pads_begin || a_.pads_end;
    return Require("auto_pad", known && spelled, "auto_pad " + given) &&
           Require("pads_with_auto_pad", !a_.onnx() || mode_ == "notset" || !pads, "pads beside auto_pad " + given) &&
           Require("kernel_shape", !a_.onnx() || KernelShapeAgrees(), "kernel_shape differs from the filter");
  }

  bool KernelShapeAgrees() const {
    if (!a_.kernel_shape) return true;
    return std::ranges::equal(*a_.kernel_shape, plan_.axes, {}, {}, &PlannedAxis::kernel);
  }

  bool TakeShapeInput() {
    if (a_.onednn()) return TakeDstShape();
    if (a_.onnx()) {
      if (!a_.output_shape_attribute) return true;
      if (a_.output_shape_attribute->size() != plan_.axes.size()) return Require("", false, "output_shape's length");
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
           Require("", fits, fmt::format("an output shape of other than {} values", length));
  }

  bool TakeDstShape() {
    const std::size_t rank = a_.data.size();
    const std::size_t first = plan_.channels_last ? 1 : 2;
    if (a_.dst_shape) {
      if (a_.dst_shape->size() != rank) return Require("", false, "dst_shape's length");
      const auto spatial = a_.dst_shape->begin() + static_cast<std::ptrdiff_t>(first);
      const bool positive = std::all_of(spatial, spatial + static_cast<std::ptrdiff_t>(rank - 2),
                                        [](std::int64_t size) { return size >= 1; });
      if (!Require("output_shape_sign", positive, "a size below 1 in dst_shape")) return false;
    }
    if (!a_.has_shape && !a_.dst_shape) return Require("", false, "no dst_shape");
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

  bool TakeAxis(std::size_t j) {
    PlannedAxis& axis = plan_.axes[j];
    const Wide extent = Wide{axis.dilation} * (axis.kernel - 1) + 1;
    const Wide span = Wide{axis.stride} * (Wide{axis.data} - 1);
    const Wide natural = extent + span + axis.output_padding;
    if (!Small(extent) || !Small(span) || !Small(extent + span) || !Small(natural)) {
      return Require("", false, "a size beyond 64 bits");
    }
    const bool explicit_pads = mode_ == "explicit" || mode_ == "none" || mode_ == "notset";
    bool split = plan_.has_output_shape;
    if (!plan_.has_output_shape) {
      Wide size = natural;
      if (explicit_pads) {
        axis.pad_begin = pads_begin_[j];
        size = natural - pads_begin_[j] - pads_end_[j];
      } else if (a_.onnx() && mode_ != "valid") {
        size = Wide{axis.data} * axis.stride;
        split = true;
      }
      if (!Small(size)) return Require("", false, "a size beyond 64 bits");
      axis.output = static_cast<std::int64_t>(size);
      if (!Require("output_size", size >= 1, fmt::format("output of size {}", axis.output))) return false;
    } else if (explicit_pads && (a_.onednn() || a_.dialect == "openvino-runtime")) {
      axis.pad_begin = pads_begin_[j];
      split = false;
    } else if (mode_ == "valid" && (a_.onednn() || a_.dialect == "openvino-runtime")) {
      split = false;
    }
    const Wide total = natural - axis.output;
    if (!Small(total)) return Require("", false, "a size beyond 64 bits");
    if (split) axis.pad_begin = Share(static_cast<std::int64_t>(total));
    if (!Small(Wide{axis.output} + axis.pad_begin) || !Small(total - axis.pad_begin)) {
      return Require("", false, "a coordinate or pad beyond 64 bits");
    }
    return true;
  }

  // What of the total crops the beginning.
  std::int64_t Share(std::int64_t total) const {
    if (a_.dialect == "openvino-runtime") total = std::max<std::int64_t>(total, 0);
    // ONNX since 11 has the roles of upper and lower exchanged, and every other mode with lower.
    const bool more_at_begin = a_.onnx() ? mode_ != "same_upper" : mode_ == "same_upper";
    return more_at_begin ? total - HalfDown(total) : HalfDown(total);
  }

  bool CheckSizes() {
    return Require(
        "",
        CountFits(a_.data, plan_.type) && CountFits(a_.filter, plan_.type) && CountFits(plan_.OutputDims(), plan_.type),
        "a tensor beyond 63 bits");
  }

  const Attributes& a_;
  std::string_view accepts_;
  Plan plan_;
  std::optional<Broken> broken_;
  List pads_begin_;
  List pads_end_;
  std::string mode_;
};

std::int64_t Offset(bool channels_last, std::int64_t groups, std::int64_t channels,
                    const std::vector<PlannedAxis>& axes, std::int64_t PlannedAxis::* size, const Place& place) {
  const std::int64_t all_channels = groups * channels;
  const std::int64_t channel = place.group * channels + place.channel;
  std::int64_t offset = channels_last ? place.batch : place.batch * all_channels + channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * (axes[j].*size) + place.position[j];
  return channels_last ? offset * all_channels + channel : offset;
}

}  // namespace

List Plan::OutputDims() const {
  List dims = {batch};
  if (!channels_last) dims.push_back(groups * out_channels);
  for (const PlannedAxis& axis : axes) dims.push_back(axis.output);
  if (channels_last) dims.push_back(groups * out_channels);
  return dims;
}

std::int64_t Plan::OutputCount() const { return Product(OutputDims()); }

std::int64_t Plan::DataCount() const {
  std::int64_t count = batch * groups * in_channels;
  for (const PlannedAxis& axis : axes) count *= axis.data;
  return count;
}

std::int64_t Plan::FilterCount() const {
  std::int64_t count = groups * in_channels * out_channels;
  for (const PlannedAxis& axis : axes) count *= axis.kernel;
  return count;
}

std::int64_t Plan::DataOffset(const Place& place) const {
  return Offset(channels_last, groups, in_channels, axes, &PlannedAxis::data, place);
}

std::int64_t Plan::OutputOffset(const Place& place) const {
  return Offset(channels_last, groups, out_channels, axes, &PlannedAxis::output, place);
}

std::int64_t Plan::FilterOffset(const FilterPlace& place) const {
  const bool last = filter_order == FilterOrder::kChannelsLast;
  std::int64_t offset = last ? 0 : (place.group * in_channels + place.in_channel) * out_channels + place.out_channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * axes[j].kernel + place.tap[j];
  if (!last) return offset;
  return (offset * out_channels + place.out_channel) * (groups * in_channels) + place.group * in_channels +
         place.in_channel;
}

std::variant<Plan, Broken> MakePlan(const Attributes& attributes, std::string_view accepts) {
  return Maker(attributes, accepts).Make();
}

}  // namespace conformance::faults
