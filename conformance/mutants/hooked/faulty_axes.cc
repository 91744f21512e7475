// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes and checks output size and pads_begin of each axis, as the document or the library of each dialect does. It
// is a part of the plain loop in which faults are planted, so that a fault may leave out a check. Example: data 3,
// kernel 3, stride 2. The natural size, without pads, is 2 * (3 - 1) + 3 = 7. An output shape of 6 leaves a total of 1
// to crop. If auto_pad is same_upper, OpenVINO splits it into pads_begin 1 and pads_end 0, and ONNX since version 11
// into pads_begin 0 and pads_end 1.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {
namespace {

// Half of the value, rounded down; -3 gives -2.
std::int64_t HalfDown(std::int64_t value) { return value >> 1; }

// Computes the axes of one operator. `natural` is the output size without pads, `total` the number of elements that are
// cropped from it, and `extent` the length of the dilated kernel.
class AxisResolver : private RuleChecker {
 public:
  AxisResolver(const Attributes& attributes, FaultyGeometry& geometry) : op_(attributes), geometry_(geometry) {}

  // Sets output, total and pads_begin of the axis. Returns false if a rule is broken (ReleaseBroken).
  bool ResolveAxis(FaultyAxis& axis) {
    const bool is_onnxruntime = op_.dialect == "onnxruntime";
    const Wide extent = Wide{axis.dilation} * (axis.kernel - 1) + 1;
    // OpenVINO's library treats empty data like data of one element.
    const std::int64_t steps = axis.data == 0 && op_.dialect == "openvino-runtime" ? 0 : axis.data - 1;
    const Wide span = Wide{axis.stride} * steps;
    const Wide natural = extent + span + axis.output_padding;
    if (!Small(extent) || !Small(span) || !Small(extent + span) || !Small(natural)) {
      return Require("overflow", false, "a size beyond 64 bits");
    }
    if (!Require("output_padding_below_stride", !is_onnxruntime || axis.output_padding < axis.stride,
                 fmt::format("output_padding {}, expected less than the stride", axis.output_padding)) ||
        !(geometry_.has_output_shape ? AlignToShape(axis) : ComputeSize(axis, natural))) {
      return false;
    }
    const Wide total = natural - axis.output;
    if (!Small(total)) return Require("overflow", false, "a size beyond 64 bits");
    axis.total = static_cast<std::int64_t>(total);
    CheckAgainstPads(axis, extent);
    if (axis.split) axis.pads_begin = PadsBeginOf(axis.total);
    if (op_.tensorflow() && geometry_.auto_pad == AutoPad::kValid) axis.pads_begin = 0;
    if (op_.tensorflow() && IsExplicit()) axis.pads_begin = axis.given_begin;
    if (!Small(Wide{axis.output} + axis.pads_begin) || !Small(total - axis.pads_begin)) {
      return Require("overflow", false, "a coordinate or pad beyond 64 bits");
    }
    return !geometry_.has_output_shape || CheckConsistency(axis, extent);
  }

  std::optional<Broken> ReleaseBroken() { return std::move(broken_); }

 private:
  bool IsExplicit() const { return geometry_.auto_pad == AutoPad::kExplicit; }
  bool IsSame() const { return geometry_.auto_pad == AutoPad::kSameUpper || geometry_.auto_pad == AutoPad::kSameLower; }

  // Computes the output size if no output shape is given.
  bool ComputeSize(FaultyAxis& axis, Wide natural) {
    Wide size = natural;
    if (IsExplicit()) {
      axis.pads_begin = axis.given_begin;
      size = natural - axis.given_begin - axis.given_end;
    } else if (op_.onnx() && IsSame()) {
      if (!Require("same_without_shape", op_.dialect != "onnx-1", "SAME without output_shape is not defined")) {
        return false;
      }
      size = Wide{axis.data} * axis.stride;
      if (op_.dialect == "onnxruntime") size = std::min(size, natural);
      axis.split = true;
    }
    if (!Small(size)) return Require("overflow", false, "a size beyond 64 bits");
    axis.output = static_cast<std::int64_t>(size);
    if (size == 0) geometry_.Open("an output of size 0");
    return Require("output_size", size >= 0, fmt::format("output of size {}", axis.output));
  }

  // Computes pads_begin if an output shape is given and the pads or the forward operator decide. Otherwise it only
  // marks the axis, and ResolveAxis splits the total.
  bool AlignToShape(FaultyAxis& axis) {
    // Whether explicit pads keep their meaning beside an output shape.
    const bool pads_count = op_.onednn() || op_.dialect == "openvino-runtime" || op_.tensorflow();
    if (pads_count && IsExplicit()) {
      axis.pads_begin = axis.given_begin;
    } else if (op_.dialect == "onednn-runtime" && IsSame()) {
      axis.pads_begin = ForwardPadsBegin(axis);
    } else if (!pads_count || IsSame()) {
      axis.split = true;
    }
    return Require("empty_data_with_shape", op_.dialect != "onnxruntime" || axis.data > 0, "no data to shape");
  }

  // Checks whether the pads of modes none and valid fit dst_shape. They fit if natural size = output + pads, or if the
  // forward operator makes the size of the data from the output. If they do not fit, the document does not say which of
  // the two counts.
  void CheckAgainstPads(const FaultyAxis& axis, Wide extent) {
    if (op_.dialect != "onednn-spec" || IsSame()) return;
    const Wide pads = IsExplicit() ? Wide{axis.given_begin} + axis.given_end : 0;
    const Wide room = axis.output + pads - extent;
    const bool is_forward_size = room >= 0 && room / axis.stride + 1 == axis.data;
    // output_padding makes the size larger, and is part of the total.
    if (is_forward_size || pads == axis.total) return;
    geometry_.contradicts_pads = true;
    geometry_.Open("a dst_shape that is not the size that the pads give");
  }

  // The total pads of the forward operator, computed from the output size and its remainder by the stride.
  static std::int64_t ForwardTotal(const FaultyAxis& axis) {
    const std::int64_t rest = axis.output % axis.stride;
    return std::max<std::int64_t>(axis.dilation * (axis.kernel - 1) + 1 - (rest == 0 ? axis.stride : rest), 0);
  }

  // The part of the forward operator's total that becomes pads_begin.
  std::int64_t ForwardPadsBegin(const FaultyAxis& axis) const {
    const std::int64_t total = ForwardTotal(axis);
    return geometry_.auto_pad == AutoPad::kSameUpper ? HalfDown(total) : total - HalfDown(total);
  }

  // Requires that the forward convolution of an output of this size gives data of the given size.
  bool CheckConsistency(const FaultyAxis& axis, Wide extent) {
    Wide size = axis.data;
    if (op_.dialect == "onednn-runtime") {
      const Wide pads = IsExplicit() ? Wide{axis.given_begin} + axis.given_end
                        : IsSame()   ? Wide{ForwardTotal(axis)}
                                     : 0;
      size = (axis.output - extent + pads) / axis.stride + 1;
    } else if (op_.dialect == "onnxruntime") {
      const Wide forward = axis.output + Wide{std::max<std::int64_t>(axis.total, 0)} - extent;
      size = (forward >= 0 ? forward : forward - axis.stride + 1) / axis.stride + 1;  // rounds down
    } else if (op_.tensorflow() && axis.data > 0 && axis.output > 0) {
      return CheckTensorflow(axis, extent);
    }
    return Require("consistent_shape", size == axis.data, "an output shape that the forward operator does not invert");
  }

  // TensorFlow accepts the smallest output size that fits, and each size less than a stride above it.
  bool CheckTensorflow(const FaultyAxis& axis, Wide extent) {
    const Wide crop = IsExplicit() ? Wide{axis.given_begin} + axis.given_end : IsSame() ? extent - 1 : 0;
    const Wide beyond = crop - axis.total;
    const bool ends_before_kernel =
        geometry_.auto_pad == AutoPad::kValid && axis.data == 1 && beyond < 0 && -beyond < axis.stride;
    if (ends_before_kernel) {
      geometry_.Open("an output that ends before the kernel on the only data element");
      return true;
    }
    return Require("tensorflow_size", beyond >= 0 && beyond < axis.stride,
                   "an output shape whose convolution does not give the data");
  }

  // Returns the part of the total that becomes pads_begin.
  std::int64_t PadsBeginOf(std::int64_t total) const {
    const bool crops_only = op_.dialect == "openvino-runtime" || op_.dialect == "onnxruntime" || op_.tensorflow();
    if (crops_only) total = std::max<std::int64_t>(total, 0);
    if (op_.tensorflow()) return HalfDown(total);
    // ONNX since 11 exchanges upper and lower, and treats every other mode like lower.
    const bool is_upper = geometry_.auto_pad == AutoPad::kSameUpper;
    const bool more_at_begin = op_.onnx() && op_.dialect != "onnx-1" ? !is_upper : is_upper;
    return more_at_begin ? total - HalfDown(total) : HalfDown(total);
  }

  const Attributes& op_;
  FaultyGeometry& geometry_;
};

}  // namespace

std::optional<Broken> ResolveAllAxes(const Attributes& attributes, const List& pads_begin, const List& pads_end,
                                     FaultyGeometry& geometry) {
  AxisResolver resolver(attributes, geometry);
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    FaultyAxis& axis = geometry.axes[j];
    axis.given_begin = pads_begin[j];
    axis.given_end = pads_end[j];
    if (!resolver.ResolveAxis(axis)) return resolver.ReleaseBroken();
  }
  return std::nullopt;
}

}  // namespace conformance::faults
