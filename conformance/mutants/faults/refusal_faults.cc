// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of refusals: backends that refuse valid operators.

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

template <typename Condition>
constexpr bool AnyAxis(const FaultyGeometry& geometry, const Condition& condition) {
  return std::ranges::any_of(geometry.axes, condition);
}

const char* RefuseEverything(const FaultyGeometry& /*geometry*/) { return "this operator is invalid"; }

const char* RefuseGroups(const FaultyGeometry& geometry) {
  return geometry.groups > 1 ? "groups are not supported" : nullptr;
}

const char* RefuseLargeOutputPadding(const FaultyGeometry& geometry) {
  const bool large = AnyAxis(
      geometry, [](const FaultyAxis& axis) { return axis.output_padding >= std::max(axis.stride, axis.dilation); });
  return large ? "output_padding must be smaller than stride or dilation" : nullptr;
}

bool OutputPaddingReachesStride(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.output_padding >= axis.stride; });
}

bool KernelExceedsData(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.kernel > axis.data; });
}

bool PadsReachKernel(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) {
    const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
    return axis.given_begin >= extent || axis.given_end >= extent;
  });
}

bool PadsDiffer(const FaultyGeometry& geometry) {
  return geometry.auto_pad == AutoPad::kExplicit &&
         AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.given_begin != axis.given_end; });
}

bool DilatesWithStride(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.stride > 1; }) &&
         AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.dilation > 1; });
}

bool StrideExceedsKernel(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.stride > axis.kernel; });
}

bool ExceedsNaturalSize(const FaultyGeometry& geometry) {
  return geometry.has_output_shape && AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.total < 0; });
}

bool Dilates(const FaultyGeometry& geometry) {
  return AnyAxis(geometry, [](const FaultyAxis& axis) { return axis.dilation > 1; });
}

bool HasOutputShapeWithExplicitPads(const FaultyGeometry& geometry) {
  return geometry.has_output_shape && geometry.auto_pad == AutoPad::kExplicit;
}

bool ChannelCountsDiffer(const FaultyGeometry& geometry) {
  return geometry.groups > 1 && geometry.in_channels != geometry.out_channels;
}

bool IsDepthwise(const FaultyGeometry& geometry) {
  return geometry.groups > 1 && geometry.in_channels == 1 && geometry.out_channels == 1;
}

bool HasMoreThanThreeAxes(const FaultyGeometry& geometry) { return geometry.axes.size() > 3; }

bool HasOneAxis(const FaultyGeometry& geometry) { return geometry.axes.size() == 1; }

bool IsLarge(const FaultyGeometry& geometry) { return geometry.OutputCount() > 65536; }

template <std::int32_t kType>
bool HasType(const FaultyGeometry& geometry) {
  return geometry.type == kType;
}

/// The condition as a reason to refuse.
template <bool (*kCondition)(const FaultyGeometry& geometry)>
const char* RefuseIf(const FaultyGeometry& geometry) {
  return kCondition(geometry) ? "this operator is not valid" : nullptr;
}

constexpr std::array kRefusalFaults = {
    Fault{.name = "refuses_everything",
          .mutant_class = "V1",
          .sentence = "refuses every operator as invalid",
          .link = "",
          .hooks = {.refuses = RefuseEverything}},
    Fault{.name = "refuses_large_output_padding",
          .mutant_class = "V1",
          .sentence = "refuses an output_padding that is not smaller than stride or dilation, which is valid",
          .link = "https://github.com/microsoft/onnxruntime/issues/14208",
          .hooks = {.refuses = RefuseLargeOutputPadding}},
    Fault{.name = "groups_unsupported",
          .mutant_class = "V1",
          .sentence = "declares group operators and does not support more than one group",
          .link = "https://github.com/apache/tvm/pull/9465",
          .hooks = {.refuses = RefuseGroups, .unsupported = true}},
    Fault{.name = "refuses_output_padding_of_stride",
          .mutant_class = "V1",
          .sentence = "refuses an output_padding that is not smaller than the stride, which is valid",
          .link = "https://github.com/webmachinelearning/webnn/issues/630",
          .hooks = {.refuses = RefuseIf<OutputPaddingReachesStride>}},
    Fault{.name = "refuses_kernel_above_data",
          .mutant_class = "V1",
          .sentence = "refuses kernels that are larger than the data",
          .link = "",
          .hooks = {.refuses = RefuseIf<KernelExceedsData>}},
    Fault{.name = "refuses_pads_of_kernel",
          .mutant_class = "V1",
          .sentence = "refuses pads that are not smaller than the filter's extent",
          .link = "",
          .hooks = {.refuses = RefuseIf<PadsReachKernel>}},
    Fault{.name = "refuses_asymmetric_pads",
          .mutant_class = "V1",
          .sentence = "refuses pads that differ from begin to end",
          .link = "https://github.com/NVIDIA/TensorRT/issues/1744",
          .hooks = {.refuses = RefuseIf<PadsDiffer>}},
    Fault{.name = "refuses_dilation_with_stride",
          .mutant_class = "V1",
          .sentence = "refuses dilations above 1 beside strides above 1",
          .link = "",
          .hooks = {.refuses = RefuseIf<DilatesWithStride>}},
    Fault{.name = "refuses_dilation",
          .mutant_class = "V1",
          .sentence = "refuses dilations above 1",
          .link = "https://github.com/openvinotoolkit/openvino/pull/35862",
          .hooks = {.refuses = RefuseIf<Dilates>}},
    Fault{.name = "refuses_stride_above_kernel",
          .mutant_class = "V1",
          .sentence = "refuses strides that are larger than the kernel",
          .link = "",
          .hooks = {.refuses = RefuseIf<StrideExceedsKernel>}},
    Fault{.name = "refuses_output_shape",
          .mutant_class = "V1",
          .sentence = "refuses an output shape beside explicit pads",
          .link = "https://github.com/microsoft/CNTK/issues/3397",
          .hooks = {.refuses = RefuseIf<HasOutputShapeWithExplicitPads>}},
    Fault{.name = "refuses_shape_beyond_natural",
          .mutant_class = "V1",
          .sentence = "refuses output shapes beyond the natural size",
          .link = "https://github.com/webmachinelearning/webnn/issues/820",
          .hooks = {.refuses = RefuseIf<ExceedsNaturalSize>}},
    Fault{.name = "refuses_other_channel_count",
          .mutant_class = "V1",
          .sentence = "refuses groups whose numbers of input and output channels differ",
          .link = "https://github.com/ROCm/MIOpen/issues/2459",
          .hooks = {.refuses = RefuseIf<ChannelCountsDiffer>}},
    Fault{.name = "refuses_depthwise",
          .mutant_class = "V1",
          .sentence = "refuses groups of one channel",
          .link = "",
          .hooks = {.refuses = RefuseIf<IsDepthwise>}},
    Fault{.name = "refuses_rank_above_5",
          .mutant_class = "V1",
          .sentence = "declares ranks up to 10 and refuses data of a rank above 5",
          .link = "",
          .hooks = {.refuses = RefuseIf<HasMoreThanThreeAxes>}},
    Fault{.name = "refuses_one_axis",
          .mutant_class = "V1",
          .sentence = "refuses data with one spatial axis",
          .link = "",
          .hooks = {.refuses = RefuseIf<HasOneAxis>}},
    Fault{.name = "refuses_large",
          .mutant_class = "I1",
          .sentence = "refuses more than 65536 outputs",
          .link = "",
          .hooks = {.refuses = RefuseIf<IsLarge>}},
    Fault{.name = "f64_unsupported",
          .mutant_class = "V1",
          .sentence = "declares f64 and does not support it",
          .link = "",
          .hooks = {.refuses = RefuseIf<HasType<DECONV_ID_F64>>, .unsupported = true}},
    Fault{.name = "bf16_unsupported",
          .mutant_class = "V1",
          .sentence = "declares bf16 and does not support it",
          .link = "",
          .hooks = {.refuses = RefuseIf<HasType<DECONV_ID_BF16>>, .unsupported = true}},
    Fault{.name = "u64_unsupported",
          .mutant_class = "V1",
          .sentence = "declares u64 and does not support it",
          .link = "https://github.com/openvinotoolkit/openvino/issues/21040",
          .hooks = {.refuses = RefuseIf<HasType<DECONV_ID_U64>>, .unsupported = true}},
};

}  // namespace

std::span<const Fault> RefusalFaults() { return kRefusalFaults; }

}  // namespace conformance::faults
