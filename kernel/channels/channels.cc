// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "channels". It chooses how a target multiplies, and packs the filter into the order in
// which the register tile reads it. From the outermost to the innermost index, this order is:
//   group, block of output channels, phase (z, y, x), kc block of units, tap, unit of input channels, output channel.
// Taps of x go from the last to the first, so that the addresses of their data ascend. A unit is what one lane
// multiplies at once, 32 bits; a kc block is a number of units. Zeros fill the last unit and the last vector.
#include "kernel/channels/channels.h"

#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/pack.h"
#include "kernel/base/phases.h"
#include "kernel/channels/channels_cost.h"
#include "kernel/channels/channels_ends.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_units.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Channels final : public Algorithm {
 public:
  // Returns false if the algorithm does not fit the geometry.
  bool Init(const Geometry& geometry, const ChannelsKernels& kernels) {
    run_ = kernels.run;
    if (!MakeChannelsLayout(geometry, kernels.tile, layout_)) return false;
    layout_.ends = kernels.ends;
    return true;
  }

  // Replaces weights of 32 bits by narrow ones (16 bits) if reading the weights takes longer than the products.
  void TryNarrow(const Geometry& geometry, const ChannelsKernels& kernels) {
    if (IsBoundByFilter(layout_)) ReplaceKernels(geometry, kernels, false);
  }
  // Replaces whole vectors of one group by other vectors (`kernels`) if these cost no more cycles.
  void TryVectors(const Geometry& geometry, const ChannelsKernels& kernels) { ReplaceKernels(geometry, kernels, true); }

  const char* Target() const override { return layout_.tile.target; }
  double Cycles() const override { return ChannelsCycles(layout_); }
  // The bits of the number: whether the layout is depthwise (bit 0), whether vectors are halves (bit 1), channels of a
  // unit (bits 2 to 4), whether weights are narrow (bit 5), groups that share a vector, less 1 (from bit 6).
  uint64_t PackingVariant() const override {
    return 64 * static_cast<uint64_t>(layout_.lane_groups - 1) + (IsNarrow() ? 32 : 0) +
           4 * static_cast<uint64_t>(layout_.channels.depth) + (layout_.tile.has_half_vectors ? 2 : 0) +
           (layout_.depthwise ? 1 : 0);
  }
  size_t PackedBytes() const override {
    return static_cast<size_t>(layout_.WeightsBefore(layout_.geometry.groups, 0) * layout_.tile.weight_bytes);
  }
  size_t ScratchBytes() const override { return layout_.scratch.bytes; }
  int64_t TaskCount(int64_t batch) const override {
    return batch * (layout_.geometry.groups / layout_.tasks.groups) * layout_.tasks.block_ranges *
           BlockCount(layout_.axes);
  }

  bool Pack(const char* filter, char* packed) const override {
    if (!UsesAllTaps(layout_.axes)) std::memset(packed, 0, PackedBytes());
    const Geometry& geometry = layout_.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    const int64_t lanes = layout_.tile.lanes;
    const PackOrder order = {.form = Form(),
                             .groups = geometry.groups,
                             .group_stride = layout_.lane_groups * strides.group,
                             .in_channels = geometry.in_channels,
                             .in_stride = strides.in_channel,
                             .tap_stride = strides.tap,
                             .inner_lanes = layout_.group_channels,
                             .inner_stride = strides.out_channel,
                             .outer_stride = strides.group,
                             .filled_lanes = geometry.out_channels,
                             .padded_lanes = layout_.channels.vectors * lanes,
                             .taps = geometry.taps,
                             .kc = layout_.panels.kc};
    // The tiles, as ChannelsLayout::Block counts them.
    const UnevenTiles tiles = {layout_.channels.blocks, layout_.channels.vectors, lanes};
    return PackUsedTaps(
        geometry.taps, [&](int64_t tap) { return PositionOfTap(layout_.axes, tap, true); },
        [&](int64_t first_tap, std::span<const TapPosition> positions) {
          return PackUnevenTiles(order, tiles, first_tap, positions, filter, packed);
        });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  // Replaces the code and its layout by those of `kernels` if these fit. `if_cheaper`: only if they cost no more
  // cycles.
  void ReplaceKernels(const Geometry& geometry, const ChannelsKernels& kernels, bool if_cheaper) {
    ChannelsLayout other;
    if (kernels.run == nullptr || !MakeChannelsLayout(geometry, kernels.tile, other)) return;
    if (if_cheaper && ChannelsCycles(other) > Cycles()) return;
    run_ = kernels.run;
    layout_ = std::move(other);
    layout_.ends = kernels.ends;
  }

  // True if weights are packed with their own 16 bits, not as units of 32 bits.
  bool IsNarrow() const { return layout_.tile.weight_bytes < kUnitBytes; }

  // Returns how the packed filter holds the filter's elements: unchanged, as f32, or as parts of units.
  PackedForm Form() const {
    const deconv_type type = layout_.geometry.type;
    if (layout_.tile.sums_f32) return IsNarrow() ? UnchangedForm(type) : ComputeForm(type, true);
    return VisitType(type, [&]<class T>() {
      if constexpr (sizeof(T) == 1) {
        if (layout_.channels.depth == 4) return ConvertingForm<T, ToUnitPart<T, 4>>(4);
      }
      if constexpr (sizeof(T) <= 2 && !std::is_same_v<T, Float16>) {
        if (layout_.channels.depth == 2) return ConvertingForm<T, ToUnitPart<T, 2>>(2);
        return ConvertingForm<T, ToUnitPart<T, 1>>(1);
      }
      return PackedForm();  // this algorithm has no other types
    });
  }

  ChannelsLayout layout_;
  void (*run_)(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// Chooses the dot product of two bf16 channels if it takes less time than two multiply-adds, and if the caller allows
// flushed subnormals. With one input channel the dot product gains nothing. Otherwise bf16 is widened to f32.
ChannelsKernels ChooseBF16(const Geometry& geometry, const Machine& machine, const Costs& costs) {
  const bool is_faster = costs.channels_pairs < 2 * costs.channels_product;
  if (geometry.in_channels > 1 && is_faster && !machine.keeps_subnormals) {
    ChannelsKernels pairs = ChooseChannelsBF16(machine.target);
    pairs.tile.product_cycles = costs.channels_pairs;
    if (pairs.run != nullptr) return pairs;
  }
  ChannelsKernels widened = ChooseChannelsF32(DECONV_BF16, machine.target);
  widened.tile.product_cycles = costs.channels_product;
  return widened;
}

// Chooses quads (units of four bytes) for i8 and u8 with at least three input channels, else pairs of 16 bits. Quads do
// not support depthwise layouts.
ChannelsKernels ChooseInteger(const Geometry& geometry, const Machine& machine, const Costs& costs) {
  ChannelsKernels kernels;
  if (ElementBytes(geometry.type) == 1 && geometry.in_channels > 2) kernels = ChooseChannelsI8(machine.target);
  if (kernels.run == nullptr) kernels = ChooseChannelsI16(geometry.type, machine.target);
  kernels.tile.product_cycles = costs.channels_integer;
  return kernels;
}

// Returns the code that multiplies elements of the operator's type; `run` is null for other types.
ChannelsKernels ChooseKernels(const Geometry& geometry, const Machine& machine, const Costs& costs) {
  ChannelsKernels kernels;
  switch (geometry.type) {
    case DECONV_F32:
    case DECONV_F16:
      kernels = ChooseChannelsF32(geometry.type, machine.target);
      kernels.tile.product_cycles = costs.channels_product;
      break;
    case DECONV_BF16:
      kernels = ChooseBF16(geometry, machine, costs);
      break;
    case DECONV_I8:
    case DECONV_U8:
    case DECONV_I16:
    case DECONV_U16:
      kernels = ChooseInteger(geometry, machine, costs);
      break;
    default:
      return {};
  }
  return kernels;
}

}  // namespace

std::unique_ptr<Algorithm> CreateChannels(const Geometry& geometry, const Machine& machine) {
  const Costs& costs = CostsOf(machine);
  const auto complete = [&](ChannelsKernels kernels, double product_cycles) {
    ChannelsTile& tile = kernels.tile;
    tile.target = hwy::TargetName(machine.target);
    tile.costs = &costs;
    tile.product_cycles = product_cycles;
    tile.many_workers = machine.many_workers;
    kernels.ends = ChooseChannelsEnds(geometry.type, tile.sums_f32, tile.depth, machine.target);
    return kernels;
  };
  ChannelsKernels kernels = ChooseKernels(geometry, machine, costs);
  if (kernels.run == nullptr) return nullptr;
  kernels = complete(kernels, kernels.tile.product_cycles);
  auto channels = std::make_unique<Channels>();
  if (!channels->Init(geometry, kernels)) return nullptr;
  const double product_cycles = kernels.tile.product_cycles;
  if (kernels.tile.sums_f32 && geometry.type != DECONV_F32) {
    channels->TryNarrow(geometry, complete(ChooseNarrowChannelsF32(geometry.type, machine.target), product_cycles));
  }
  if (2 * geometry.out_channels > kernels.tile.lanes) return channels;
  if (kernels.tile.sums_f32) {
    // Few output channels in a group: half vectors leave fewer lanes idle.
    channels->TryVectors(geometry, complete(ChooseHalfChannelsF32(geometry.type, machine.target), product_cycles));
  }
  if (FloatSumsAreExact(geometry)) {
    channels->TryVectors(geometry,
                         complete(ChooseGroupChannelsF32(geometry.type, machine.target), costs.channels_permuted));
  }
  if (ElementBytes(geometry.type) == 1) {
    channels->TryVectors(geometry, complete(ChooseGroupChannelsI8(machine.target), costs.channels_permuted));
  }
  return channels;
}

}  // namespace deconv
