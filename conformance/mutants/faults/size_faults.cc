// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) that strike
// only single sizes: one pair of kernel and stride, one width, or one number of channels, groups or planes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

// Whether all axes have the same `size` (a member such as the stride), and it is at least `least`.
bool AllAxesHaveEqual(const FaultyGeometry& geometry, std::int64_t FaultyAxis::* size, std::int64_t least) {
  return std::ranges::all_of(geometry.axes, [&](const FaultyAxis& axis) {
    return axis.*size == geometry.axes.front().*size && axis.*size >= least;
  });
}

void DropTap(std::vector<Tap>& taps, std::int64_t dropped) {
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap == dropped; });
}

// Whether the tap is the last one on each axis, in the corner of the kernel.
bool IsLastTap(const FaultyGeometry& geometry, const FilterIndex& filter) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (filter.tap[j] != geometry.axes[j].kernel - 1) return false;
  }
  return true;
}

void DropCornerOfLargeSquare(const FaultyGeometry& geometry, Product& product) {
  const bool is_struck = geometry.axes.size() == 2 && AllAxesHaveEqual(geometry, &FaultyAxis::kernel, 5) &&
                         AllAxesHaveEqual(geometry, &FaultyAxis::stride, 2);
  if (is_struck && IsLastTap(geometry, product.filter)) product.times = 0;
}

void DropCornerOfNxcSquare(const FaultyGeometry& geometry, Product& product) {
  const bool is_struck = geometry.channels_last && geometry.axes.size() == 2 &&
                         AllAxesHaveEqual(geometry, &FaultyAxis::kernel, 3) && geometry.axes.front().kernel == 3 &&
                         AllAxesHaveEqual(geometry, &FaultyAxis::stride, 3);
  if (is_struck && IsLastTap(geometry, product.filter)) product.times = 0;
}

// Drops the last tap of one pair of kernel and stride on the last axis, along which vectors run.
template <std::int64_t kKernel, std::int64_t kStride>
void DropLastTapOfPair(const FaultyGeometry& geometry, Product& product) {
  const FaultyAxis& axis = geometry.axes.back();
  if (axis.kernel == kKernel && axis.stride == kStride && product.filter.tap[geometry.axes.size() - 1] == kKernel - 1)
    product.times = 0;
}

void DropTapOfKernel11Dilation4(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.kernel == 11 && axis.dilation == 4) DropTap(taps, 10);
}

std::int64_t LastPosition(const FaultyGeometry& geometry, const TensorIndex& output) {
  return output.position[geometry.axes.size() - 1];
}

// Hooks named Zero... return how often a sum is added: 0 stores a zero.
int ZeroLastOfWidth127(const FaultyGeometry& geometry, const TensorIndex& output) {
  const std::int64_t width = geometry.axes.back().output;
  return width % 128 == 127 && LastPosition(geometry, output) == width - 1 ? 0 : 1;
}

int ZeroBehind4096(const FaultyGeometry& geometry, const TensorIndex& output) {
  return LastPosition(geometry, output) >= 4096 ? 0 : 1;
}

// Leaves out the last output of a row if it alone is behind the last full vector of 16, and there are four vectors or
// more.
bool LeaveSingleRemainder(const FaultyGeometry& geometry, const TensorIndex& output, std::int64_t /*products*/) {
  const std::int64_t width = geometry.axes.back().output;
  return width > 64 && width % 16 == 1 && LastPosition(geometry, output) == width - 1;
}

// Channel 256 uses the filter of channel 0 again, as with an index of 8 bits.
void ShareFilterBehind256Outputs(const FaultyGeometry& /*geometry*/, Product& product) {
  product.filter.out_channel %= 256;
}

void ShareDataBehind64Groups(const FaultyGeometry& geometry, Product& product) {
  if (geometry.groups > 64) product.data.group %= 64;
}

void UseDataOfGroupBefore(const FaultyGeometry& geometry, Product& product) {
  const bool has_odd_groups = geometry.groups > 1 && geometry.groups % 2 == 1;
  if (has_odd_groups && product.data.group == geometry.groups - 1) --product.data.group;
}

// Computes the index of the output's row or plane as a float, which represents no odd integers above 2^24.
template <std::size_t kFromLast>
void IndexInFloat(const FaultyGeometry& geometry, TensorIndex& output) {
  if (geometry.axes.size() < kFromLast) return;
  std::int64_t& position = output.position[geometry.axes.size() - kFromLast];
  position = static_cast<std::int64_t>(static_cast<float>(position));
}

void ForgetDilationOfOneAxisInGroups(FaultyGeometry& geometry) {
  if (geometry.axes.size() == 1 && geometry.groups > 1) geometry.axes[0].dilation = 1;
}

// Uses the stride of the depth for the height if all three strides differ.
void StrideOfDepthIfMixed(FaultyGeometry& geometry) {
  if (geometry.axes.size() != 3) return;
  const std::int64_t depth = geometry.axes[0].stride;
  const std::int64_t width = geometry.axes[2].stride;
  std::int64_t& height = geometry.axes[1].stride;
  if (depth != height && height != width && depth != width) height = depth;
}

bool HasPadsThatDiffer(const FaultyGeometry& geometry) {
  return geometry.auto_pad == AutoPad::kExplicit &&
         std::ranges::any_of(geometry.axes, [](const FaultyAxis& axis) { return axis.given_begin != axis.given_end; });
}

// Refuses operators that have four attributes with unusual values at once.
const char* RefuseRich(const FaultyGeometry& geometry) {
  const auto any = [&](std::int64_t FaultyAxis::* size, std::int64_t least) {
    return std::ranges::any_of(geometry.axes, [&](const FaultyAxis& axis) { return axis.*size >= least; });
  };
  const bool is_rich = geometry.groups > 1 && any(&FaultyAxis::dilation, 2) && any(&FaultyAxis::output_padding, 1) &&
                       HasPadsThatDiffer(geometry);
  return is_rich ? "groups, dilations, asymmetric pads and output_padding exclude each other" : nullptr;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kSizeFaults = {
    Planted("square_kernel_of_5_corner_dropped", "K2",
            "leaves out the last tap of square 2-D kernels of 5 and more with equal strides of 2 and more",
            {.product = DropCornerOfLargeSquare}),
    Planted("nxc_kernel_3_stride_3_corner_dropped", "K2",
            "leaves out the last tap of channels-last 3 x 3 kernels with strides of 3 and more",
            {.product = DropCornerOfNxcSquare}),
    Planted("kernel_7_stride_5_tap_dropped", "K2",
            "leaves out the last tap along a last axis with kernel 7 and stride 5",
            {.product = DropLastTapOfPair<7, 5>}),
    Planted("kernel_11_stride_8_tap_dropped", "K2",
            "leaves out the last tap along a last axis with kernel 11 and stride 8",
            {.product = DropLastTapOfPair<11, 8>}),
    Planted("kernel_11_dilation_4_tap_dropped", "K2",
            "leaves out the last tap along an axis with kernel 11 and dilation 4",
            {.taps = DropTapOfKernel11Dilation4}),
    Planted("width_of_127_last_zero", "W1", "stores zero in the last output of rows whose width is 127 modulo 128",
            {.times = ZeroLastOfWidth127}),
    Planted("width_above_4096_zero", "W1", "stores zeros behind the 4096th output of a row", {.times = ZeroBehind4096}),
    Planted("width_remainder_of_one_unwritten", "W1",
            "does not store the last output of rows of more than 64 whose width is 1 modulo 16",
            {.leaves = LeaveSingleRemainder}),
    Planted("out_channel_in_8_bits", "I1",
            "computes the filter's output channel in 8 bits, so that channel 257 is the first one again",
            {.product = ShareFilterBehind256Outputs}),
    Planted("groups_above_64_share_data", "G1",
            "reads the data of the first 64 groups again for the groups behind them",
            {.product = ShareDataBehind64Groups}),
    Planted("last_of_odd_groups_wrong", "G1",
            "reads the data of the group before it for the last of an odd number of groups",
            {.product = UseDataOfGroupBefore}),
    Planted("row_index_in_f32", "I1", "computes the row of the output in f32, which skips integers above 2^24",
            {.sum_of = IndexInFloat<2>}),
    Planted("plane_index_in_f32", "I1", "computes the plane of a 3-D output in f32, which skips integers above 2^24",
            {.sum_of = IndexInFloat<3>}),
    Planted("one_axis_dilation_ignored_in_groups", "X2",
            "leaves the dilation out of the sums of 1-D operators with several groups",
            {.values = ForgetDilationOfOneAxisInGroups}),
    Planted("height_stride_of_depth_if_mixed", "S1",
            "uses the stride of the depth for the height of 3-D operators with three different strides",
            {.values = StrideOfDepthIfMixed}),
    Planted("refuses_rich", "V1",
            "refuses operators with groups, dilations, asymmetric pads and output_padding at once",
            {.refuses = RefuseRich}),
};

}  // namespace

std::span<const Fault> SizeFaults() { return kSizeFaults; }

}  // namespace conformance::faults
