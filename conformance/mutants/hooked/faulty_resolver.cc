// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves all attributes of an operator for the plain loop in which faults are planted: dialect, types, shapes,
// channels, lists, auto_pad and output shape. Each step checks rules of the documents or libraries; faulty_axes.cc then
// computes the sizes along each axis. A planted fault is wrong on purpose in one way, for example if it ignores a rule.

#include "conformance/mutants/hooked/faulty_resolver.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

// Whether the number of bytes of a tensor fits 63 bits. If `least` is 1, a dimension of 0 counts as 1. If it is 0, an
// empty tensor always fits.
bool CountFits(const List& dims, std::int32_t type, std::int64_t least) {
  if (least == 0 && std::ranges::find(dims, 0) != dims.end()) return true;
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

// Fills in a geometry step by step. The first broken rule ends the resolution.
class Resolver : private RuleChecker {
 public:
  explicit Resolver(const Attributes& attributes) : op_(attributes) {}

  std::variant<FaultyGeometry, Broken> Resolve() {
    if (CheckDialect() && CheckTypes() && ReadShapes() && ReadAutoPad() && ReadLists() && ReadShapeInput() &&
        ResolveAxes() && CheckSizes()) {
      return std::move(geometry_);
    }
    return std::move(*broken_);
  }

 private:
  /// If `holds`, records `point`, for which a backend may refuse the operator: the document is silent about it.
  void OpenIf(bool holds, const char* point) {
    if (holds) geometry_.Open(point);
  }

  bool CheckDialect() {
    const std::string& dialect = op_.dialect;
    bool is_legal = dialect == "openvino-spec" || dialect == "openvino-runtime";
    if (op_.onednn()) is_legal = dialect == "onednn-spec" || dialect == "onednn-runtime";
    if (op_.onnx()) is_legal = dialect.starts_with("onnx") || dialect == "tensorflow";
    geometry_.by_document = dialect.ends_with("-spec") || dialect.starts_with("onnx-");
    return Require("dialect", is_legal, fmt::format("{} does not speak operator {}", dialect, op_.kind)) &&
           Require("inputs", !op_.onnx() || !op_.has_shape, "a third input, expected two");
  }

  bool CheckTypes() {
    const std::int32_t type = op_.data_type;
    geometry_.type = type;
    bool is_allowed = true;
    if (op_.onednn()) is_allowed = type == DECONV_ID_F32 || type == DECONV_ID_BF16 || type == DECONV_ID_F16;
    if (op_.onnx()) {
      const bool is_bf16 = type == DECONV_ID_BF16;
      const bool is_tensorflow_i32 = op_.tensorflow() && type == DECONV_ID_I32;
      is_allowed =
          type == DECONV_ID_F32 || type == DECONV_ID_F64 || type == DECONV_ID_F16 || is_bf16 || is_tensorflow_i32;
      OpenIf(is_bf16 && op_.dialect != "onnx-22" && !op_.tensorflow(), "bf16, which a newer operator set adds");
      OpenIf(is_tensorflow_i32, "i32, which TensorFlow has for some ranks");
    }
    return Require("numeric_types", IsNumber(type) && IsNumber(op_.filter_type), "a type that is not numeric") &&
           Require("equal_types", type == op_.filter_type, "data and filter of two types") &&
           Require("allowed_types", is_allowed, "a type that the operator is not defined on");
  }

  bool ReadShapes() {
    const std::size_t rank = op_.data.size();
    const bool to_three_axes = op_.dialect == "onednn-runtime" || op_.dialect == "openvino-runtime" || op_.tensorflow();
    const std::size_t most = to_three_axes ? 5 : 10;
    if (!Require("rank", rank >= 3 && rank <= most, fmt::format("data of rank {}, expected 3 to {}", rank, most))) {
      return false;
    }
    const std::size_t filter_rank = rank + (op_.grouped_filter() ? 1 : 0);
    if (op_.filter.size() != filter_rank) {
      return Require("filter_rank", false,
                     fmt::format("filter of rank {}, expected {}", op_.filter.size(), filter_rank));
    }
    const auto negative = [](std::int64_t dim) { return dim < 0; };
    if (std::ranges::any_of(op_.data, negative) || std::ranges::any_of(op_.filter, negative)) {
      return Require("dims", false, "a negative dimension");
    }
    if (op_.onednn()) {
      const std::string data = op_.data_format.value_or("NXC");
      const std::string weights = op_.weights_format.value_or("XIO");
      if (!Require("data_format", data == "NXC" || data == "NCX", "data_format " + data) ||
          !Require("weights_format", weights == "XIO" || weights == "OIX", "weights_format " + weights)) {
        return false;
      }
      geometry_.channels_last = data != "NCX";
      geometry_.filter_order = weights == "OIX" ? FilterOrder::kChannelsFirst : FilterOrder::kChannelsLast;
    }
    geometry_.axes.resize(rank - 2);
    return ReadChannels();
  }

  bool ReadChannels() {
    const std::size_t rank = op_.data.size();
    const bool filter_channels_last = geometry_.filter_order == FilterOrder::kChannelsLast;
    const std::size_t group_dims = op_.grouped_filter() ? 1 : 0;
    const std::int64_t in = filter_channels_last ? op_.filter[rank - 1] : op_.filter[group_dims];
    const std::int64_t channels = geometry_.channels_last ? op_.data[rank - 1] : op_.data[1];
    geometry_.kind = op_.kind;
    geometry_.batch = op_.data[0];
    geometry_.out_channels = filter_channels_last ? op_.filter[rank - 2] : op_.filter[group_dims + 1];
    if (op_.grouped_filter()) {
      geometry_.groups = op_.filter[0];
    } else if (op_.onednn() || op_.onnx()) {
      geometry_.groups = op_.groups && !op_.groups->empty() ? op_.groups->front() : 1;
    }
    if (geometry_.groups < 1) {
      return Require("groups:zero", false, fmt::format("{} groups, expected at least 1", geometry_.groups));
    }
    const Wide filter_channels = op_.grouped_filter() ? Wide{geometry_.groups} * in : Wide{in};
    if (!Require("channels", filter_channels == channels, "channels of data and filter differ") ||
        !Require("groups:divide", channels % geometry_.groups == 0, "groups do not divide the channels")) {
      return false;
    }
    geometry_.in_channels = channels / geometry_.groups;
    if (!Small(Wide{geometry_.groups} * geometry_.out_channels))
      return Require("overflow", false, "too many output channels");
    OpenIf(geometry_.batch == 0, "a batch of 0");
    OpenIf(channels == 0, "data without channels");
    OpenIf(geometry_.out_channels == 0, "an output without channels");
    for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
      geometry_.axes[j].data = op_.data[(geometry_.channels_last ? 1 : 2) + j];
      geometry_.axes[j].kernel = op_.filter[(filter_channels_last ? 0 : 2 + group_dims) + j];
      OpenIf(geometry_.axes[j].data == 0, "data with a spatial size of 0");
      if (!Require("kernel", geometry_.axes[j].kernel >= 1, "a kernel of size 0")) return false;
    }
    return true;
  }

  // The rules for an attribute with one value for each axis.
  struct ListRules {
    std::string_view name;
    std::int64_t absent;  ///< the value for each axis if the attribute is absent
    std::int64_t least;
    std::string_view length_rule;
    bool required = false;
    bool ignored = false;  ///< nothing depends on the values
    bool empty_is_absent = false;
  };

  // Sets `values` to the list or to its default, with one value for each axis. Returns false if a rule is broken.
  bool ReadList(const ListRules& rules, const std::optional<List>& list, List& values) {
    values.assign(geometry_.axes.size(), rules.absent);
    if (!list) return Require("required", !rules.required, fmt::format("{} is missing", rules.name));
    if (rules.empty_is_absent && list->empty()) return true;
    if (!Require(rules.length_rule, list->size() == values.size(),
                 fmt::format("{} [{}], expected {} values", rules.name, fmt::join(*list, ", "), values.size()))) {
      return false;
    }
    const bool in_range = std::ranges::all_of(*list, [&](std::int64_t v) { return v >= rules.least; });
    OpenIf(!in_range && rules.ignored, "values out of range in an attribute that is ignored");
    if (!in_range && rules.ignored) return true;
    values = *list;
    const std::string_view rule = rules.name.starts_with("pads") ? "pads" : rules.name;
    return Require(rule, in_range,
                   fmt::format("{} [{}], expected at least {}", rules.name, fmt::join(*list, ", "), rules.least));
  }

  bool ReadOutputPadding(List& values) {
    values.assign(geometry_.axes.size(), 0);
    // oneDNN's library does not read output_padding.
    return op_.dialect == "onednn-runtime" ||
           ReadList({"output_padding", 0, LeastAtTheEnd(), "lengths:output_padding", false, false, IsOpenvinoRuntime()},
                    op_.output_padding, values);
  }

  // OpenVINO's library reads an empty list as absent, and accepts negative numbers in pads_end and output_padding.
  bool IsOpenvinoRuntime() const { return op_.dialect == "openvino-runtime"; }
  std::int64_t LeastAtTheEnd() const { return IsOpenvinoRuntime() ? std::numeric_limits<std::int64_t>::min() : 0; }

  // Whether the document says that the attributes pads_begin and pads_end are ignored.
  bool IgnoresPads() const {
    if (op_.onnx()) return op_.output_shape_attribute.has_value() && !op_.tensorflow();
    return geometry_.auto_pad != AutoPad::kExplicit || (op_.dialect == "openvino-spec" && op_.has_shape);
  }

  bool ReadLists() {
    List strides;
    List dilations;
    List output_padding;
    // oneDNN's library refuses an operator without the attributes that the document requires.
    const bool required = op_.dialect == "onednn-runtime";
    const bool ignored = IgnoresPads();
    const bool empty_is_absent = IsOpenvinoRuntime();
    // The values in braces are the members of ListRules in their order.
    if (!ReadList({"strides", 1, 1, "lengths:strides", required, false, empty_is_absent}, op_.strides, strides) ||
        !ReadList({"dilations", 1, 1, "lengths:dilations", required, false, empty_is_absent}, op_.dilations,
                  dilations) ||
        !ReadList({"pads_begin", 0, 0, "lengths:pads", required, ignored, empty_is_absent}, op_.pads_begin,
                  pads_begin_) ||
        !ReadList({"pads_end", 0, LeastAtTheEnd(), "lengths:pads", required, ignored, empty_is_absent}, op_.pads_end,
                  pads_end_) ||
        !ReadOutputPadding(output_padding)) {
      return false;
    }
    const bool document_demands_lists = op_.dialect == "openvino-spec" || op_.dialect == "onednn-spec";
    OpenIf(document_demands_lists && !op_.strides, "absent strides");
    OpenIf(document_demands_lists && !op_.dilations, "absent dilations");
    // OpenVINO's document lets pads be omitted where they are calculated.
    OpenIf(document_demands_lists && (op_.onednn() || !ignored) && (!op_.pads_begin || !op_.pads_end), "absent pads");
    geometry_.has_pads = op_.pads_begin || op_.pads_end;
    for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
      FaultyAxis& axis = geometry_.axes[j];
      axis.stride = strides[j];
      axis.dilation = dilations[j];
      axis.output_padding = output_padding[j];
      OpenIf(op_.onnx() && geometry_.by_document && axis.output_padding >= axis.stride,
             "an output_padding of at least the stride");
    }
    return true;
  }

  bool ReadAutoPad() {
    const std::string given = op_.auto_pad.value_or(op_.onednn() ? "None" : op_.onnx() ? "NOTSET" : "explicit");
    const std::string in_lower_case = Lower(given);
    const std::string explicit_word = op_.onnx() ? "notset" : op_.onednn() ? "none" : "explicit";
    if (in_lower_case == "same_upper") geometry_.auto_pad = AutoPad::kSameUpper;
    if (in_lower_case == "same_lower") geometry_.auto_pad = AutoPad::kSameLower;
    if (in_lower_case == "valid") geometry_.auto_pad = AutoPad::kValid;
    const bool is_same_or_valid =
        in_lower_case == "same_upper" || in_lower_case == "same_lower" || in_lower_case == "valid";
    const bool is_none = op_.dialect == "openvino-spec" && given == "none";
    const bool is_lower_case = given == in_lower_case;
    const bool is_upper_case = std::ranges::none_of(given, [](unsigned char c) { return std::islower(c) != 0; });
    bool is_spelled_right = true;  // OpenVINO's library compares without case
    if (op_.dialect == "onednn-runtime") is_spelled_right = in_lower_case == "none" ? given == "None" : is_upper_case;
    if (op_.onnx()) is_spelled_right = is_upper_case;
    const bool wants_lower_case = op_.dialect == "openvino-spec" || op_.dialect == "onednn-spec";
    OpenIf(wants_lower_case && op_.auto_pad && !is_lower_case, "an auto_pad in upper case");
    OpenIf(is_none, "a word for auto_pad that the document does not list");
    const bool has_pads = op_.pads_begin || op_.pads_end;
    if (!Require("tensorflow_same", !op_.tensorflow() || in_lower_case != "same_lower",
                 "SAME_LOWER, expected SAME_UPPER")) {
      return false;
    }
    return Require("auto_pad", (is_same_or_valid || in_lower_case == explicit_word || is_none) && is_spelled_right,
                   "auto_pad " + given) &&
           Require("pads_with_auto_pad", !op_.onnx() || geometry_.auto_pad == AutoPad::kExplicit || !has_pads,
                   "pads beside auto_pad " + given) &&
           Require("kernel_shape", !op_.onnx() || op_.tensorflow() || KernelShapeAgrees(),
                   "kernel_shape differs from the filter");
  }

  bool KernelShapeAgrees() const {
    if (!op_.kernel_shape) return true;
    return std::ranges::equal(*op_.kernel_shape, geometry_.axes, {}, {}, &FaultyAxis::kernel);
  }

  bool ReadShapeInput() {
    geometry_.shape_type = op_.shape_type;
    if (op_.onednn()) return ReadDstShape();
    if (op_.onnx()) {
      const bool has_output_padding =
          std::ranges::any_of(geometry_.axes, [](const FaultyAxis& axis) { return axis.output_padding != 0; });
      if (op_.tensorflow() && !Require("tensorflow_output_padding", !has_output_padding, "an output_padding"))
        return false;
      if (!op_.output_shape_attribute) return Require("tensorflow_shape", !op_.tensorflow(), "no output_shape");
      const std::size_t axes = geometry_.axes.size();
      const std::size_t length = op_.output_shape_attribute->size();
      // ONNX Runtime takes the whole shape too, and reads its end.
      const bool has_batch_and_channels = op_.dialect == "onnxruntime" && length == axes + 2;
      OpenIf(has_batch_and_channels, "an output_shape with batch and channels, which newer versions refuse");
      if (length != axes && !has_batch_and_channels) return Require("shape_length", false, "output_shape's length");
      return SetOutput(*op_.output_shape_attribute, has_batch_and_channels ? 2 : 0);
    }
    if (!op_.has_shape) return true;
    return CheckShapeTensor(geometry_.axes.size()) && SetOutput(op_.shape, 0);
  }

  bool CheckShapeTensor(std::size_t length) {
    const bool is_integer = IsNumber(op_.shape_type) && !IsFloating(op_.shape_type);
    const bool fits = op_.shape_dims.size() == 1 && op_.shape_dims[0] == static_cast<std::int64_t>(length) &&
                      op_.shape.size() == length;
    return Require("shape_type", is_integer, "an output shape that is not of integers") &&
           Require("shape_rank", op_.shape_dims.size() == 1, "an output shape that is not a list") &&
           Require("shape_length", fits, fmt::format("an output shape of other than {} values", length));
  }

  bool ReadDstShape() {
    const std::size_t rank = op_.data.size();
    const std::size_t first = geometry_.channels_last ? 1 : 2;
    if (op_.dst_shape) {
      if (op_.dst_shape->size() != rank) return Require("shape_length", false, "dst_shape's length");
      const auto spatial = op_.dst_shape->begin() + static_cast<std::ptrdiff_t>(first);
      const bool not_negative = std::all_of(spatial, spatial + static_cast<std::ptrdiff_t>(rank - 2),
                                            [](std::int64_t size) { return size >= 0; });
      if (!Require("output_shape_sign", not_negative, "a negative size in dst_shape")) return false;
      OpenIf(op_.has_shape && std::find(spatial, spatial + static_cast<std::ptrdiff_t>(rank - 2), 0) !=
                                  spatial + static_cast<std::ptrdiff_t>(rank - 2),
             "a size of 0 in a dst_shape that is ignored");
    }
    if (!op_.has_shape && !op_.dst_shape) return Require("dst_shape", false, "no dst_shape");
    if (op_.has_shape && !CheckShapeTensor(rank)) return false;
    OpenIf(op_.has_shape && op_.shape_type != DECONV_ID_I32, "a dst_shape of another integer type than s32");
    const List& shape = op_.has_shape ? op_.shape : *op_.dst_shape;
    const std::int64_t channels = geometry_.channels_last ? shape[rank - 1] : shape[1];
    return Require("dst_shape_channels",
                   shape[0] == geometry_.batch && channels == geometry_.groups * geometry_.out_channels,
                   "batch or channels of dst_shape") &&
           SetOutput(shape, first);
  }

  bool SetOutput(const List& shape, std::size_t first) {
    geometry_.has_output_shape = true;
    for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
      geometry_.axes[j].output = shape[first + j];
      OpenIf(shape[first + j] == 0, "an output of size 0");
      if (!Require("output_shape_sign", shape[first + j] >= 0, "a negative size asked for")) return false;
    }
    return true;
  }

  bool ResolveAxes() {
    broken_ = ResolveAllAxes(op_, pads_begin_, pads_end_, geometry_);
    return !broken_.has_value();
  }

  bool AllFit(std::int64_t least) const {
    return CountFits(op_.data, geometry_.type, least) && CountFits(op_.filter, geometry_.type, least) &&
           CountFits(geometry_.OutputDims(), geometry_.type, least);
  }

  bool CheckSizes() {
    OpenIf(!AllFit(1), "an empty tensor whose other dimensions together are beyond 63 bits");
    return Require("overflow", AllFit(0), "a tensor beyond 63 bits");
  }

  const Attributes& op_;
  FaultyGeometry geometry_;
  List pads_begin_;
  List pads_end_;
};

}  // namespace

std::variant<FaultyGeometry, Broken> MakeFaultyGeometry(const Attributes& attributes) {
  return Resolver(attributes).Resolve();
}

}  // namespace conformance::faults
