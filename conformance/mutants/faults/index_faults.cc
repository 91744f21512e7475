// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of indices:
// the sizes are right, but wrong elements of data, filter or output are used or left out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

void FlipFilter(const FaultyGeometry& geometry, Product& product) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    product.filter.tap[j] = geometry.axes[j].kernel - 1 - product.filter.tap[j];
  }
}

void FlipLastAxis(const FaultyGeometry& geometry, Product& product) {
  std::int64_t& tap = product.filter.tap[geometry.axes.size() - 1];
  tap = geometry.axes.back().kernel - 1 - tap;
}

void FlipAtStrideOne(const FaultyGeometry& geometry, Product& product) {
  if (std::ranges::all_of(geometry.axes, [](const FaultyAxis& axis) { return axis.stride == 1; }))
    FlipFilter(geometry, product);
}

void FlipDepthwise(const FaultyGeometry& geometry, Product& product) {
  if (geometry.groups > 1 && geometry.in_channels == 1 && geometry.out_channels == 1) FlipFilter(geometry, product);
}

// Reads the filter as if its last two axes were stored in the other order.
void TransposeKernel(const FaultyGeometry& geometry, Product& product) {
  const std::size_t n = geometry.axes.size();
  if (n < 2) return;
  std::int64_t& row = product.filter.tap[n - 2];
  std::int64_t& column = product.filter.tap[n - 1];
  const std::int64_t flat = column * geometry.axes[n - 2].kernel + row;
  row = flat / geometry.axes[n - 1].kernel;
  column = flat % geometry.axes[n - 1].kernel;
}

void DropLastTapOfLongKernel(const FaultyGeometry& geometry, Product& product) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    if (axis.kernel > axis.data && product.filter.tap[j] == axis.kernel - 1) product.times = 0;
  }
}

// Kernels of 7 may be computed by unrolled code of their own.
void DropSeventhTap(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.kernel >= 7) std::erase_if(taps, [](const Tap& tap) { return tap.tap == 6; });
}

// Replaces the taps by those of the forward convolution: data element = stride * output + dilation * tap - pads_begin.
void UseForwardTaps(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t i = axis.stride * position + axis.dilation * k - axis.pads_begin;
    if (i >= 0 && i < axis.data) taps.push_back({.tap = k, .data = i});
  }
}

// A library may remove a last axis of size 1 from the data, and forget that the filter has further taps along it.
void SqueezeTrailingOne(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() > 1 && geometry.axes.back().data == 1 && product.filter.tap[geometry.axes.size() - 1] > 0)
    product.times = 0;
}

// Uses only the first tap along the depth of 3-D data of depth 1.
void FirstDepthTapOnly(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() == 3 && geometry.axes[0].data == 1 && product.filter.tap[0] > 0) product.times = 0;
}

// Rounds the data's index to f16, which represents only even integers from 2048 to 4096 and fewer beyond. Indices above
// the largest f16, 65504, would become infinite.
void IndexInF16(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  for (Tap& tap : taps) {
    if (axis.data <= 65504) tap.data = static_cast<std::int64_t>(RoundTo(DECONV_ID_F16, static_cast<float>(tap.data)));
  }
}

// No output behind the first 2^16 positions of an axis finds a tap.
void CoordinatesIn16Bits(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (position + axis.pads_begin >= 1 << 16) taps.clear();
}

// Takes channels last for channels first, or the other way round, if the sizes do not tell them apart.
void ReadOtherLayoutIfSquare(FaultyGeometry& geometry) {
  const bool is_square = geometry.groups * geometry.in_channels == geometry.axes.back().data;
  if (is_square && geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA)
    geometry.channels_last = !geometry.channels_last;
}

bool LiesInLastRow(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  const std::size_t n = geometry.axes.size();
  return n > 1 && geometry.axes[n - 2].output > 1 && output.position[n - 2] == geometry.axes[n - 2].output - 1;
}

// The natural size of an axis is its size without pads; no tap reaches an output beyond it.
bool LiesBeyondNaturalSize(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    const std::int64_t natural = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
    if (output.position[j] + axis.pads_begin >= natural) return true;
  }
  return false;
}

bool IsLastOfLarge(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  constexpr std::int64_t kLarge = 4096;
  return geometry.OutputCount() > kLarge && geometry.OutputOffset(output) == geometry.OutputCount() - 1;
}

bool IsLastOfPointwisePlane(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (geometry.axes[j].kernel != 1 || output.position[j] != geometry.axes[j].output - 1) return false;
  }
  return true;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kIndexFaults = {
    Planted("filter_flipped", "K1", "runs through the filter backwards along every spatial axis",
            {.product = FlipFilter}, "https://github.com/jax-ml/jax/issues/14337"),
    Planted("last_tap_dropped", "K2", "leaves out the last tap along an axis where the kernel is larger than the data",
            {.product = DropLastTapOfLongKernel}, "https://github.com/uxlfoundation/oneDNN/commit/56825411fc"),
    Planted("first_batch_only", "B1", "computes the first sample of a batch and stores zeros for the others",
            {.times = [](const FaultyGeometry& /*geometry*/,
                         const TensorIndex& output) { return output.batch > 0 ? 0 : 1; }},
            "https://github.com/ggml-org/ggml/issues/1448"),
    Planted("gaps_unwritten", "S2", "does not store the outputs that no tap reaches",
            {.leaves = [](const FaultyGeometry& /*geometry*/, const TensorIndex& /*output*/,
                          std::int64_t products) { return products == 0; }},
            "https://github.com/ROCm/composable_kernel/issues/105"),
    Planted("pointwise_tail_unwritten", "W1", "does not store the last output of each plane where the kernel is 1",
            {.leaves = IsLastOfPointwisePlane}, "https://github.com/ROCm/MIOpen/issues/1672"),
    Planted("nxc_taken_for_ncx", "L1", "reads and writes channels-last tensors as if the channels came first",
            {.values = [](FaultyGeometry& geometry) { geometry.channels_last = false; }},
            "https://github.com/XiaoMi/mace/issues/185"),
    Planted("xio_taken_for_oix", "L1", "reads a filter in the format XIO as if it were OIX",
            {.values = [](FaultyGeometry& geometry) { geometry.filter_order = FilterOrder::kChannelsFirst; }},
            "https://github.com/pytorch/pytorch/issues/99519"),
    Planted("filter_flipped_on_last_axis", "K1", "runs through the filter backwards along the last spatial axis alone",
            {.product = FlipLastAxis}),
    Planted("filter_flipped_at_stride_one", "K1", "runs through the filter backwards where all strides are 1",
            {.product = FlipAtStrideOne}, "https://github.com/alibaba/MNN/issues/933"),
    Planted("filter_flipped_if_depthwise", "K1",
            "runs through the filter backwards where each group has one channel in and out",
            {.product = FlipDepthwise}),
    Planted("kernel_transposed", "X1", "exchanges the last two spatial axes of the filter",
            {.product = TransposeKernel}, "https://github.com/uxlfoundation/oneDNN/commit/785f8f3899"),
    Planted("seventh_tap_dropped", "K2", "leaves out the seventh tap of kernels of 7 and more",
            {.taps = DropSeventhTap}, "https://github.com/uxlfoundation/oneDNN/commit/56825411fc"),
    Planted("forward_instead", "K3",
            "meets data and taps as the forward convolution does, in an output of the right size",
            {.taps = UseForwardTaps}),
    Planted("trailing_one_squeezed", "X2", "uses the first tap alone along a last axis with one data element",
            {.product = SqueezeTrailingOne}, "https://github.com/uxlfoundation/oneDNN/commit/1ca4a1694a"),
    Planted("depth_of_one_squeezed", "X2",
            "uses the first tap of the depth alone where the data of a 3-D operator have a depth of 1",
            {.product = FirstDepthTapOnly}),
    Planted("index_in_f16", "I1", "computes the data's index in f16, which skips integers above 2048",
            {.taps = IndexInF16}, "https://github.com/microsoft/onnxruntime/issues/28976"),
    Planted("coordinates_in_16_bits", "I1", "computes nothing at coordinates from 2^16 on",
            {.taps = CoordinatesIn16Bits}),
    Planted("oix_taken_for_xio", "L1", "reads a filter in the format OIX as if it were XIO",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA)
                     geometry.filter_order = FilterOrder::kChannelsLast;
                 }}),
    Planted("ncx_taken_for_nxc", "L1", "reads and writes channels-first tensors as if the channels came last",
            {.values =
                 [](FaultyGeometry& geometry) {
                   if (geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA) geometry.channels_last = true;
                 }},
            "https://github.com/elixir-nx/axon/issues/419"),
    Planted("layout_guessed_by_size", "L1",
            "uses the other layout if the number of channels equals the last spatial size",
            {.values = ReadOtherLayoutIfSquare}),
    Planted("last_row_unwritten", "S2", "does not store the last row of a plane", {.leaves = LiesInLastRow}),
    Planted("tail_beyond_data_unwritten", "S2",
            "does not store the outputs behind the last output that a tap can reach",
            {.leaves = LiesBeyondNaturalSize}),
    Planted("output_padding_unwritten", "O2", "does not store the outputs that output_padding adds",
            {.leaves =
                 [](const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
                   return !geometry.has_output_shape &&
                          output.position[geometry.axes.size() - 1] >=
                              geometry.axes.back().output - geometry.axes.back().output_padding;
                 }},
            "https://github.com/apache/tvm/issues/19524"),
    Planted("last_of_large_unwritten", "W1", "does not store the last of more than 4096 outputs",
            {.leaves = IsLastOfLarge}),
};

}  // namespace

std::span<const Fault> IndexFaults() { return kIndexFaults; }

}  // namespace conformance::faults
