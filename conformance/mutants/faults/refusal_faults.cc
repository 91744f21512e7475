// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of refusals:
// they wrongly refuse valid operators.

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

// The natural size is the size without pads. A negative total means that the output is larger.
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

/// Refuses operators for which the condition holds.
template <bool (*kCondition)(const FaultyGeometry& geometry)>
const char* RefuseIf(const FaultyGeometry& geometry) {
  return kCondition(geometry) ? "this operator is not valid" : nullptr;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, the hook that
// refuses (see fault_hooks.h), and a real bug of this kind.
constexpr std::array kRefusalFaults = {
    Planted("refuses_everything", "V1", "refuses every operator as invalid", {.refuses = RefuseEverything}),
    Planted("refuses_large_output_padding", "V1",
            "refuses an output_padding that is not smaller than stride or dilation, which is valid",
            {.refuses = RefuseLargeOutputPadding}, "https://github.com/microsoft/onnxruntime/issues/14208"),
    Planted("groups_unsupported", "V1", "declares group operators and does not support more than one group",
            {.refuses = RefuseGroups, .unsupported = true}, "https://github.com/apache/tvm/pull/9465"),
    Planted("refuses_output_padding_of_stride", "V1",
            "refuses an output_padding that is not smaller than the stride, which is valid",
            {.refuses = RefuseIf<OutputPaddingReachesStride>},
            "https://github.com/webmachinelearning/webnn/issues/630"),
    Planted("refuses_kernel_above_data", "V1", "refuses kernels that are larger than the data",
            {.refuses = RefuseIf<KernelExceedsData>}),
    Planted("refuses_pads_of_kernel", "V1", "refuses pads that are not smaller than the filter's extent",
            {.refuses = RefuseIf<PadsReachKernel>}),
    Planted("refuses_asymmetric_pads", "V1", "refuses pads that differ from begin to end",
            {.refuses = RefuseIf<PadsDiffer>}, "https://github.com/NVIDIA/TensorRT/issues/1744"),
    Planted("refuses_dilation_with_stride", "V1", "refuses dilations above 1 beside strides above 1",
            {.refuses = RefuseIf<DilatesWithStride>}),
    Planted("refuses_dilation", "V1", "refuses dilations above 1", {.refuses = RefuseIf<Dilates>},
            "https://github.com/openvinotoolkit/openvino/pull/35862"),
    Planted("refuses_stride_above_kernel", "V1", "refuses strides that are larger than the kernel",
            {.refuses = RefuseIf<StrideExceedsKernel>}),
    Planted("refuses_output_shape", "V1", "refuses an output shape beside explicit pads",
            {.refuses = RefuseIf<HasOutputShapeWithExplicitPads>}, "https://github.com/microsoft/CNTK/issues/3397"),
    Planted("refuses_shape_beyond_natural", "V1", "refuses output shapes beyond the natural size",
            {.refuses = RefuseIf<ExceedsNaturalSize>}, "https://github.com/webmachinelearning/webnn/issues/820"),
    Planted("refuses_other_channel_count", "V1", "refuses groups whose numbers of input and output channels differ",
            {.refuses = RefuseIf<ChannelCountsDiffer>}, "https://github.com/ROCm/MIOpen/issues/2459"),
    Planted("refuses_depthwise", "V1", "refuses groups of one channel", {.refuses = RefuseIf<IsDepthwise>}),
    Planted("refuses_rank_above_5", "V1", "declares ranks up to 10 and refuses data of a rank above 5",
            {.refuses = RefuseIf<HasMoreThanThreeAxes>}),
    Planted("refuses_one_axis", "V1", "refuses data with one spatial axis", {.refuses = RefuseIf<HasOneAxis>}),
    Planted("refuses_large", "I1", "refuses more than 65536 outputs", {.refuses = RefuseIf<IsLarge>}),
    Planted("f64_unsupported", "V1", "declares f64 and does not support it",
            {.refuses = RefuseIf<HasType<DECONV_ID_F64>>, .unsupported = true}),
    Planted("bf16_unsupported", "V1", "declares bf16 and does not support it",
            {.refuses = RefuseIf<HasType<DECONV_ID_BF16>>, .unsupported = true}),
    Planted("u64_unsupported", "V1", "declares u64 and does not support it",
            {.refuses = RefuseIf<HasType<DECONV_ID_U64>>, .unsupported = true},
            "https://github.com/openvinotoolkit/openvino/issues/21040"),
};

}  // namespace

std::span<const Fault> RefusalFaults() { return kRefusalFaults; }

}  // namespace conformance::faults
