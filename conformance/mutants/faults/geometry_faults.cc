// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of sizes,
// pads, strides and dilations: attributes are misread, or read correctly but used wrongly.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Keeps the letter case, because some dialects know only one.
void ExchangeUpperAndLower(Attributes& attributes) {
  if (!attributes.auto_pad) return;
  std::string lower = *attributes.auto_pad;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower != "same_upper" && lower != "same_lower") return;
  const bool capitals = std::isupper(static_cast<unsigned char>(attributes.auto_pad->front())) != 0;
  if (lower == "same_upper") {
    attributes.auto_pad = capitals ? "SAME_LOWER" : "same_lower";
  } else {
    attributes.auto_pad = capitals ? "SAME_UPPER" : "same_upper";
  }
}

// The elements that both pads crop: the size without pads, less the output size.
std::int64_t Total(const FaultyAxis& axis) {
  return axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1 + axis.output_padding - axis.output;
}

void TruncateNegativeTotal(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    const std::int64_t total = Total(axis);
    // The fault concerns only negative pads, which come from a negative total. Half of an odd total is rounded up
    // instead of down, so the odd element moves to the other end.
    if (axis.pads_begin >= 0 || total % 2 == 0) continue;
    axis.pads_begin += axis.pads_begin == (total - 1) / 2 ? 1 : -1;
  }
}

// Whether the output exists only because of output_padding: it is among the last ones of an axis.
bool LiesInOutputPadding(const FaultyGeometry& geometry, const TensorIndex& output) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    if (!geometry.has_output_shape && output.position[j] >= axis.output - axis.output_padding) return true;
  }
  return false;
}

void CutStrideToKernel(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) axis.stride = std::min(axis.stride, axis.kernel);
}

// Adds 1 to each dilation below kSaneSize, so that a huge one cannot overflow.
void CountDilationFromZero(Attributes& attributes) {
  if (!attributes.dilations) return;
  for (std::int64_t& dilation : *attributes.dilations) {
    if (dilation >= 1 && dilation < kSaneSize) ++dilation;
  }
}

// Sets the output size to that of a convolution: (data + pads - extent) / stride + 1, rounded down.
void MakeForwardSize(FaultyGeometry& geometry) {
  for (FaultyAxis& axis : geometry.axes) {
    if (geometry.has_output_shape || axis.split) continue;
    const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
    const std::int64_t room = axis.data + axis.given_begin + axis.given_end - extent;
    if (room >= 0) axis.output = room / axis.stride + 1;
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kGeometryFaults = {
    Planted("same_upper_lower_exchanged", "P1", "exchanges same_upper and same_lower",
            {.attributes = ExchangeUpperAndLower}, "https://github.com/microsoft/onnxruntime/pull/12537"),
    Planted("pads_exchanged", "P2", "exchanges pads_begin and pads_end",
            {.attributes = [](Attributes& attributes) { std::swap(attributes.pads_begin, attributes.pads_end); }},
            "https://github.com/microsoft/CNTK/issues/1862"),
    Planted("auto_pad_ignored", "P3", "ignores auto_pad: pads are always explicit",
            {.attributes = [](Attributes& attributes) { attributes.auto_pad.reset(); }},
            "https://github.com/openvinotoolkit/openvino/pull/32608"),
    Planted("negative_total_truncated", "P5", "divides a negative total rounding towards zero instead of down",
            {.values = TruncateNegativeTotal}, "https://github.com/openvinotoolkit/openvino/pull/3117"),
    Planted("negative_pad_clamped", "P5", "starts the data at output 0 although a negative pad starts them later",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) axis.pads_begin = std::max<std::int64_t>(axis.pads_begin, 0);
                 }},
            "https://github.com/uxlfoundation/oneDNN/commit/88d6b06c1c"),
    Planted("output_shape_ignored", "P6", "computes the natural size although an output shape is given",
            {.attributes =
                 [](Attributes& attributes) {
                   if (!attributes.onednn()) attributes.has_shape = false;  // where the shape is required it is read
                   attributes.output_shape_attribute.reset();
                 }},
            "https://github.com/apache/tvm/issues/11076"),
    Planted("output_size_off_by_one", "P7",
            "makes every axis with a stride above 1 one larger: stride * X instead of stride * (X - 1) + 1",
            {.shape =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (!geometry.has_output_shape && axis.stride > 1) ++axis.output;
                   }
                 }},
            "https://github.com/microsoft/onnxruntime/issues/18986"),
    Planted("output_padding_ignored", "O1", "ignores output_padding",
            {.attributes = [](Attributes& attributes) { attributes.output_padding.reset(); }},
            "https://github.com/openvinotoolkit/openvino/issues/202"),
    Planted("output_padding_zero", "O2",
            "stores zeros in the outputs that output_padding adds instead of computing them",
            {.times = [](const FaultyGeometry& geometry,
                         const TensorIndex& output) { return LiesInOutputPadding(geometry, output) ? 0 : 1; }},
            "https://github.com/apache/tvm/issues/4708"),
    Planted("output_padding_times_stride", "O3",
            "pads the data by output_padding, so that the output grows by stride times as much",
            {.attributes =
                 [](Attributes& attributes) {
                   if (!attributes.output_padding || !attributes.strides) return;
                   const std::size_t count = std::min(attributes.output_padding->size(), attributes.strides->size());
                   for (std::size_t j = 0; j < count; ++j) {
                     // The product of larger numbers could overflow.
                     if ((*attributes.strides)[j] < kSaneSize && (*attributes.output_padding)[j] < kSaneSize) {
                       (*attributes.output_padding)[j] *= std::max<std::int64_t>((*attributes.strides)[j], 1);
                     }
                   }
                 }},
            "https://github.com/microsoft/onnxruntime/issues/11927"),
    Planted("output_padding_at_begin", "O4",
            "adds the outputs of output_padding before the first one instead of after the last",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (!geometry.has_output_shape) axis.pads_begin -= axis.output_padding;
                   }
                 }}),
    Planted("dilation_ignored", "D1", "ignores dilations",
            {.attributes =
                 [](Attributes& attributes) {
                   if (attributes.dilations)
                     std::ranges::replace_if(*attributes.dilations, [](auto d) { return d > 1; }, 1);
                 }},
            "https://github.com/microsoft/onnxruntime/issues/2518"),
    Planted("dilation_ignored_in_values", "D1",
            "counts dilations in the size of the output and leaves them out of the sums",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) axis.dilation = 1;
                 }},
            "https://github.com/pytorch/pytorch/issues/1565"),
    Planted("dilation_counted_from_zero", "D3", "reads a dilation as the number of gaps between taps and adds 1",
            {.attributes = CountDilationFromZero}),
    Planted("dilation_ignored_with_stride", "D2", "leaves dilations out of the sums along axes with a stride above 1",
            {.values =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (axis.stride > 1) axis.dilation = 1;
                   }
                 }},
            "https://github.com/apache/mxnet/issues/11203"),
    Planted("output_padding_equal_to_pad_ignored", "O1", "ignores an output_padding that equals pads_begin",
            {.shape =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (!geometry.has_output_shape && !axis.split && axis.output_padding == axis.given_begin &&
                         axis.output > axis.output_padding)
                       axis.output -= axis.output_padding;
                   }
                 }},
            "https://github.com/apple/coremltools/issues/2478"),
    Planted("dilated_extent_one_too_many", "P7", "uses dilation * kernel as the extent of a dilated filter",
            {.shape =
                 [](FaultyGeometry& geometry) {
                   for (FaultyAxis& axis : geometry.axes) {
                     if (!geometry.has_output_shape && !axis.split) axis.output += axis.dilation - 1;
                   }
                 }},
            "https://github.com/openvinotoolkit/openvino/pull/6099"),
    Planted("size_of_forward_operator", "K3", "computes the size that the forward convolution would have",
            {.shape = MakeForwardSize}, "https://github.com/apple/coremltools/issues/1904"),
    Planted("stride_cut_to_kernel", "S2", "limits each stride to the size of the kernel",
            {.values = CutStrideToKernel}),
    Planted("dims_with_input_channels", "C1",
            "computes the right values and reports the input's channels as the output's",
            {.dims =
                 [](const FaultyGeometry& geometry, List& dims) {
                   dims[geometry.channels_last ? dims.size() - 1 : 1] = geometry.groups * geometry.in_channels;
                 }},
            "https://github.com/pytorch/pytorch/issues/172711"),
    Planted("dims_one_too_large", "P7",
            "computes the right values and reports the last spatial size one too large where there is a stride",
            {.dims =
                 [](const FaultyGeometry& geometry, List& dims) {
                   if (geometry.axes.back().stride > 1) ++dims[dims.size() - (geometry.channels_last ? 2 : 1)];
                 }},
            "https://github.com/microsoft/onnxruntime/issues/23403"),
    Planted("dims_channels_first", "L1",
            "computes the right values and reports the dims of channels-last outputs as channels first",
            {.dims =
                 [](const FaultyGeometry& geometry, List& dims) {
                   if (geometry.channels_last) std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
                 }}),
};

}  // namespace

std::span<const Fault> GeometryFaults() { return kGeometryFaults; }

}  // namespace conformance::faults
