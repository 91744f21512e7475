// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Planted faults of single sizes: one pair of kernel and stride, one width, one number of channels, groups or planes.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

bool AllAxes(const FaultyGeometry& geometry, std::int64_t FaultyAxis::* size, std::int64_t least) {
  return std::ranges::all_of(geometry.axes, [&](const FaultyAxis& axis) {
    return axis.*size == geometry.axes.front().*size && axis.*size >= least;
  });
}

void DropTap(std::vector<Tap>& taps, std::int64_t dropped) {
  std::erase_if(taps, [&](const Tap& tap) { return tap.tap == dropped; });
}

// The last tap of each axis together: the corner of the kernel.
bool IsLastTap(const FaultyGeometry& geometry, const FilterPlace& place) {
  for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
    if (place.tap[j] != geometry.axes[j].kernel - 1) return false;
  }
  return true;
}

void DropCornerOfLargeSquare(const FaultyGeometry& geometry, Product& product) {
  const bool square = geometry.axes.size() == 2 && AllAxes(geometry, &FaultyAxis::kernel, 5) &&
                      AllAxes(geometry, &FaultyAxis::stride, 2);
  if (square && IsLastTap(geometry, product.filter)) product.times = 0;
}

void DropCornerOfNxcSquare(const FaultyGeometry& geometry, Product& product) {
  const bool square = geometry.channels_last && geometry.axes.size() == 2 &&
                      AllAxes(geometry, &FaultyAxis::kernel, 3) && geometry.axes.front().kernel == 3 &&
                      AllAxes(geometry, &FaultyAxis::stride, 3);
  if (square && IsLastTap(geometry, product.filter)) product.times = 0;
}

// Of the last axis only: vectors run along it.
template <std::int64_t kKernel, std::int64_t kStride>
void DropLastTapOfPair(const FaultyGeometry& geometry, Product& product) {
  const FaultyAxis& axis = geometry.axes.back();
  if (axis.kernel == kKernel && axis.stride == kStride && product.filter.tap[geometry.axes.size() - 1] == kKernel - 1)
    product.times = 0;
}

void DropTapOfKernel11Dilation4(const FaultyAxis& axis, std::int64_t /*position*/, std::vector<Tap>& taps) {
  if (axis.kernel == 11 && axis.dilation == 4) DropTap(taps, 10);
}

std::int64_t LastPosition(const FaultyGeometry& geometry, const Place& place) {
  return place.position[geometry.axes.size() - 1];
}

int ZeroLastOfWidth127(const FaultyGeometry& geometry, const Place& place) {
  const std::int64_t width = geometry.axes.back().output;
  return width % 128 == 127 && LastPosition(geometry, place) == width - 1 ? 0 : 1;
}

int ZeroBehind4096(const FaultyGeometry& geometry, const Place& place) {
  return LastPosition(geometry, place) >= 4096 ? 0 : 1;
}

// Vectors of 16 and one more: the remainder of one element is forgotten where there are at least four vectors.
bool LeaveSingleRemainder(const FaultyGeometry& geometry, const Place& place, std::int64_t /*products*/) {
  const std::int64_t width = geometry.axes.back().output;
  return width > 64 && width % 16 == 1 && LastPosition(geometry, place) == width - 1;
}

void ShareFilterBehind256Outputs(const FaultyGeometry& /*geometry*/, Product& product) {
  product.filter.out_channel %= 256;
}

void ShareDataBehind64Groups(const FaultyGeometry& geometry, Product& product) {
  if (geometry.groups > 64) product.data.group %= 64;
}

void TakeDataOfGroupBefore(const FaultyGeometry& geometry, Product& product) {
  const bool odd = geometry.groups > 1 && geometry.groups % 2 == 1;
  if (odd && product.data.group == geometry.groups - 1) --product.data.group;
}

// The number of the output's row or plane as a float, which skips odd integers above 2^24.
template <std::size_t kFromLast>
void IndexInFloat(const FaultyGeometry& geometry, Place& place) {
  if (geometry.axes.size() < kFromLast) return;
  std::int64_t& position = place.position[geometry.axes.size() - kFromLast];
  position = static_cast<std::int64_t>(static_cast<float>(position));
}

void ForgetDilationOfOneAxisInGroups(FaultyGeometry& geometry) {
  if (geometry.axes.size() == 1 && geometry.groups > 1) geometry.axes[0].dilation = 1;
}

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

const char* RefuseRich(const FaultyGeometry& geometry) {
  const auto any = [&](std::int64_t FaultyAxis::* size, std::int64_t least) {
    return std::ranges::any_of(geometry.axes, [&](const FaultyAxis& axis) { return axis.*size >= least; });
  };
  const bool rich = geometry.groups > 1 && any(&FaultyAxis::dilation, 2) && any(&FaultyAxis::output_padding, 1) &&
                    HasPadsThatDiffer(geometry);
  return rich ? "groups, dilations, asymmetric pads and output_padding exclude each other" : nullptr;
}

constexpr std::array kSizeFaults = {
    Fault{.name = "square_kernel_of_5_corner_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap of square 2-D kernels of 5 and more with equal strides of 2 and more",
          .link = "",
          .hooks = {.product = DropCornerOfLargeSquare}},
    Fault{.name = "nxc_kernel_3_stride_3_corner_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap of channels-last 3 x 3 kernels with strides of 3 and more",
          .link = "",
          .hooks = {.product = DropCornerOfNxcSquare}},
    Fault{.name = "kernel_7_stride_5_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap along a last axis with kernel 7 and stride 5",
          .link = "",
          .hooks = {.product = DropLastTapOfPair<7, 5>}},
    Fault{.name = "kernel_11_stride_8_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap along a last axis with kernel 11 and stride 8",
          .link = "",
          .hooks = {.product = DropLastTapOfPair<11, 8>}},
    Fault{.name = "kernel_11_dilation_4_tap_dropped",
          .mutant_class = "K2",
          .sentence = "leaves out the last tap along an axis with kernel 11 and dilation 4",
          .link = "",
          .hooks = {.taps = DropTapOfKernel11Dilation4}},
    Fault{.name = "width_of_127_last_zero",
          .mutant_class = "W1",
          .sentence = "stores zero in the last output of rows whose width is 127 modulo 128",
          .link = "",
          .hooks = {.times = ZeroLastOfWidth127}},
    Fault{.name = "width_above_4096_zero",
          .mutant_class = "W1",
          .sentence = "stores zeros behind the 4096th output of a row",
          .link = "",
          .hooks = {.times = ZeroBehind4096}},
    Fault{.name = "width_remainder_of_one_unwritten",
          .mutant_class = "W1",
          .sentence = "does not store the last output of rows of more than 64 whose width is 1 modulo 16",
          .link = "",
          .hooks = {.leaves = LeaveSingleRemainder}},
    Fault{.name = "out_channel_in_8_bits",
          .mutant_class = "I1",
          .sentence = "computes the filter's output channel in 8 bits, so that channel 257 is the first one again",
          .link = "",
          .hooks = {.product = ShareFilterBehind256Outputs}},
    Fault{.name = "groups_above_64_share_data",
          .mutant_class = "G1",
          .sentence = "reads the data of the first 64 groups again for the groups behind them",
          .link = "",
          .hooks = {.product = ShareDataBehind64Groups}},
    Fault{.name = "last_of_odd_groups_wrong",
          .mutant_class = "G1",
          .sentence = "reads the data of the group before it for the last of an odd number of groups",
          .link = "",
          .hooks = {.product = TakeDataOfGroupBefore}},
    Fault{.name = "row_index_in_f32",
          .mutant_class = "I1",
          .sentence = "computes the row of the output in f32, which skips integers above 2^24",
          .link = "",
          .hooks = {.sum_of = IndexInFloat<2>}},
    Fault{.name = "plane_index_in_f32",
          .mutant_class = "I1",
          .sentence = "computes the plane of a 3-D output in f32, which skips integers above 2^24",
          .link = "",
          .hooks = {.sum_of = IndexInFloat<3>}},
    Fault{.name = "one_axis_dilation_ignored_in_groups",
          .mutant_class = "X2",
          .sentence = "leaves the dilation out of the sums of 1-D operators with several groups",
          .link = "",
          .hooks = {.values = ForgetDilationOfOneAxisInGroups}},
    Fault{.name = "height_stride_of_depth_if_mixed",
          .mutant_class = "S1",
          .sentence = "uses the stride of the depth for the height of 3-D operators with three different strides",
          .link = "",
          .hooks = {.values = StrideOfDepthIfMixed}},
    Fault{.name = "refuses_rich",
          .mutant_class = "V1",
          .sentence = "refuses operators with groups, dilations, asymmetric pads and output_padding at once",
          .link = "",
          .hooks = {.refuses = RefuseRich}},
};

}  // namespace

std::span<const Fault> SizeFaults() { return kSizeFaults; }

}  // namespace conformance::faults
