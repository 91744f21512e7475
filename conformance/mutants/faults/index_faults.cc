// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of indices: the geometry is right, but wrong elements of data, filter or output are used or left out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/faultable/number.h"
#include "conformance/mutants/faults/fault.h"

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

// The last two axes of the filter are stored the other way round.
void TransposeKernel(const FaultyGeometry& geometry, Product& product) {
  const std::size_t n = geometry.axes.size();
  if (n < 2) return;
  std::int64_t& row = product.filter.tap[n - 2];
  std::int64_t& column = product.filter.tap[n - 1];
  const std::int64_t flat = column * geometry.axes[n - 2].kernel + row;
  row = flat / geometry.axes[n - 1].kernel;
  column = flat % geometry.axes[n - 1].kernel;
}

void DropLastTap(const FaultyGeometry& geometry, Product& product) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    if (axis.kernel > axis.data && product.filter.tap[j] == axis.kernel - 1) product.times = 0;
  }
}

void DropSeventhTap(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.kernel >= 7) std::erase_if(taps, [](const Tap& tap) { return tap.tap == 6; });
}

void MeetAsForward(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  taps.clear();
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t i = axis.stride * position + axis.dilation * k - axis.pads_begin;
    if (i >= 0 && i < axis.data) taps.push_back({.tap = k, .data = i});
  }
}

void SqueezeTrailingOne(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() > 1 && geometry.axes.back().data == 1 && product.filter.tap[geometry.axes.size() - 1] > 0)
    product.times = 0;
}

void FirstDepthTapOnly(const FaultyGeometry& geometry, Product& product) {
  if (geometry.axes.size() == 3 && geometry.axes[0].data == 1 && product.filter.tap[0] > 0) product.times = 0;
}

// Above 2048 f16 holds every other integer.
void IndexInF16(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  for (Tap& tap : taps) {
    if (axis.data <= 65504) tap.data = static_cast<std::int64_t>(RoundTo(DECONV_ID_F16, static_cast<float>(tap.data)));
  }
}

void CoordinatesIn16Bits(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  if (position + axis.pads_begin >= 1 << 16) taps.clear();
}

void ReadOtherLayoutIfSquare(FaultyGeometry& geometry) {
  const bool same = geometry.groups * geometry.in_channels == geometry.axes.back().data;
  if (same && geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA) geometry.channels_last = !geometry.channels_last;
}

bool LiesInLastRow(const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
  const std::size_t n = geometry.axes.size();
  return n > 1 && geometry.axes[n - 2].output > 1 && place.position[n - 2] == geometry.axes[n - 2].output - 1;
}

bool LiesBeyondNaturalSize(const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    const FaultyAxis& axis = geometry.axes[j];
    const std::int64_t natural = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
    if (place.position[j] + axis.pads_begin >= natural) return true;
  }
  return false;
}

bool IsLastOfLarge(const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
  constexpr std::int64_t kLarge = 4096;
  return geometry.OutputCount() > kLarge && geometry.OutputOffset(place) == geometry.OutputCount() - 1;
}

bool IsLastOfPointwisePlane(const FaultyGeometry& geometry, const Place& place, std::int64_t /*taps*/) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (geometry.axes[j].kernel != 1 || place.position[j] != geometry.axes[j].output - 1) return false;
  }
  return true;
}

constexpr std::array kIndexFaults = {
    Fault{.name = "filter_flipped",
          .mutant_class = "K1",
          .sentence = "runs through the filter backwards along every spatial axis",
          .link = "https://github.com/jax-ml/jax/issues/14337",
          .hooks = {.product = FlipFilter}},
    Fault{.name = "last_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap along an axis where the kernel is larger than the data",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/56825411fc",
          .hooks = {.product = DropLastTap}},
    Fault{.name = "first_batch_only",
          .mutant_class = "B1",
          .sentence = "computes the first sample of a batch and stores zeros for the others",
          .link = "https://github.com/ggml-org/ggml/issues/1448",
          .hooks = {.times = [](const FaultyGeometry& /*geometry*/,
                                const Place& place) { return place.batch > 0 ? 0 : 1; }}},
    Fault{.name = "gaps_unwritten",
          .mutant_class = "S2",
          .sentence = "does not store the outputs that no tap reaches",
          .link = "https://github.com/ROCm/composable_kernel/issues/105",
          .hooks = {.leaves = [](const FaultyGeometry& /*geometry*/, const Place& /*place*/,
                                 std::int64_t taps) { return taps == 0; }}},
    Fault{.name = "pointwise_tail_unwritten",
          .mutant_class = "W1",
          .sentence = "does not store the last output of each plane where the kernel is 1",
          .link = "https://github.com/ROCm/MIOpen/issues/1672",
          .hooks = {.leaves = IsLastOfPointwisePlane}},
    Fault{.name = "nxc_taken_for_ncx",
          .mutant_class = "L1",
          .sentence = "reads and writes channels-last tensors as if the channels came first",
          .link = "https://github.com/XiaoMi/mace/issues/185",
          .hooks = {.values = [](FaultyGeometry& geometry) { geometry.channels_last = false; }}},
    Fault{.name = "xio_taken_for_oix",
          .mutant_class = "L1",
          .sentence = "reads a filter in the format XIO as if it were OIX",
          .link = "https://github.com/pytorch/pytorch/issues/99519",
          .hooks = {.values = [](FaultyGeometry& geometry) { geometry.filter_order = FilterOrder::kChannelsFirst; }}},
    Fault{.name = "filter_flipped_on_last_axis",
          .mutant_class = "K1",
          .sentence = "runs through the filter backwards along the last spatial axis alone",
          .link = "",
          .hooks = {.product = FlipLastAxis}},
    Fault{.name = "filter_flipped_at_stride_one",
          .mutant_class = "K1",
          .sentence = "runs through the filter backwards where all strides are 1",
          .link = "https://github.com/alibaba/MNN/issues/933",
          .hooks = {.product = FlipAtStrideOne}},
    Fault{.name = "filter_flipped_if_depthwise",
          .mutant_class = "K1",
          .sentence = "runs through the filter backwards where each group has one channel in and out",
          .link = "",
          .hooks = {.product = FlipDepthwise}},
    Fault{.name = "kernel_transposed",
          .mutant_class = "X1",
          .sentence = "exchanges the last two spatial axes of the filter",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/785f8f3899",
          .hooks = {.product = TransposeKernel}},
    Fault{.name = "seventh_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the seventh tap of kernels of 7 and more",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/56825411fc",
          .hooks = {.taps = DropSeventhTap}},
    Fault{.name = "forward_instead",
          .mutant_class = "K3",
          .sentence = "meets data and taps as the forward convolution does, in an output of the right size",
          .link = "",
          .hooks = {.taps = MeetAsForward}},
    Fault{.name = "trailing_one_squeezed",
          .mutant_class = "X2",
          .sentence = "uses the first tap alone along a last axis with one data element",
          .link = "https://github.com/uxlfoundation/oneDNN/commit/1ca4a1694a",
          .hooks = {.product = SqueezeTrailingOne}},
    Fault{.name = "depth_of_one_squeezed",
          .mutant_class = "X2",
          .sentence = "uses the first tap of the depth alone where the data of a 3-D operator have a depth of 1",
          .link = "",
          .hooks = {.product = FirstDepthTapOnly}},
    Fault{.name = "index_in_f16",
          .mutant_class = "I1",
          .sentence = "computes the data's index in f16, which skips integers above 2048",
          .link = "https://github.com/microsoft/onnxruntime/issues/28976",
          .hooks = {.taps = IndexInF16}},
    Fault{.name = "coordinates_in_16_bits",
          .mutant_class = "I1",
          .sentence = "computes nothing at coordinates from 2^16 on",
          .link = "",
          .hooks = {.taps = CoordinatesIn16Bits}},
    Fault{.name = "oix_taken_for_xio",
          .mutant_class = "L1",
          .sentence = "reads a filter in the format OIX as if it were XIO",
          .link = "",
          .hooks =
              {.values =
                   [](FaultyGeometry& geometry) {
                     if (geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA)
                       geometry.filter_order = FilterOrder::kChannelsLast;
                   }}},
    Fault{.name = "ncx_taken_for_nxc",
          .mutant_class = "L1",
          .sentence = "reads and writes channels-first tensors as if the channels came last",
          .link = "https://github.com/elixir-nx/axon/issues/419",
          .hooks =
              {.values =
                   [](FaultyGeometry& geometry) {
                     if (geometry.kind == DECONV_ID_CONVOLUTION_BACKWARD_DATA) geometry.channels_last = true;
                   }}},
    Fault{.name = "layout_guessed_by_size",
          .mutant_class = "L1",
          .sentence = "uses the other layout if the number of channels equals the last spatial size",
          .link = "",
          .hooks = {.values = ReadOtherLayoutIfSquare}},
    Fault{.name = "last_row_unwritten",
          .mutant_class = "S2",
          .sentence = "does not store the last row of a plane",
          .link = "",
          .hooks = {.leaves = LiesInLastRow}},
    Fault{.name = "tail_beyond_data_unwritten",
          .mutant_class = "S2",
          .sentence = "does not store the outputs behind the last output that a tap can reach",
          .link = "",
          .hooks = {.leaves = LiesBeyondNaturalSize}},
    Fault{.name = "output_padding_unwritten",
          .mutant_class = "O2",
          .sentence = "does not store the outputs that output_padding adds",
          .link = "https://github.com/apache/tvm/issues/19524",
          .hooks =
              {.leaves =
                   [](const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
                     return !geometry.has_output_shape &&
                            place.position[geometry.axes.size() - 1] >=
                                geometry.axes.back().output - geometry.axes.back().output_padding;
                   }}},
    Fault{.name = "last_of_large_unwritten",
          .mutant_class = "W1",
          .sentence = "does not store the last of more than 4096 outputs",
          .link = "",
          .hooks = {.leaves = IsLastOfLarge}},
};

}  // namespace

std::span<const Fault> IndexFaults() { return kIndexFaults; }

}  // namespace conformance::faults
