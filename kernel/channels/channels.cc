// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "channels", and the packing of the filter: per group, per block of output channels, per
// phase (z, y, x), per chunk of units. Within a chunk follow, for each tap (taps of x from the last to the first, so
// that the data that they meet ascend) and each unit of input channels, the weights of the channels of the block side
// by side, as the register tile reads them. Channels that fill the last unit and the last vector are zeros.
#include "kernel/channels/channels.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/cpu_class.h"
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
  // False if the geometry does not fit.
  bool Init(const Geometry& geometry, const ChannelsKernels& kernels) {
    run_ = kernels.run;
    if (!MakeChannelsLayout(geometry, kernels.tile, layout_)) return false;
    layout_.ends = kernels.ends;
    return true;
  }

  // Narrow weights take the place of wide ones if reading them would take longer than multiplying them.
  void TryNarrow(const Geometry& geometry, const ChannelsKernels& kernels) {
    if (IsBoundByFilter(layout_)) Try(geometry, kernels, false);
  }
  // Other vectors take the place of whole ones of one group if they cost no more.
  void TryVectors(const Geometry& geometry, const ChannelsKernels& kernels) { Try(geometry, kernels, true); }

  const char* Target() const override { return layout_.tile.target; }
  double Cycles() const override { return ChannelsCycles(layout_); }
  // Groups that share a vector, whether weights are narrow, channels of a unit, whether vectors are halves, and whether
  // lanes hold groups.
  uint64_t PackingVariant() const override {
    return 64 * static_cast<uint64_t>(layout_.lane_groups - 1) + (IsNarrow() ? 32 : 0) +
           4 * static_cast<uint64_t>(layout_.channels.depth) + (layout_.tile.half ? 2 : 0) +
           (layout_.depthwise ? 1 : 0);
  }
  size_t PackedBytes() const override {
    return static_cast<size_t>(layout_.PackedBefore(layout_.geometry.groups, 0) * layout_.tile.weight_bytes);
  }
  size_t ScratchBytes() const override { return layout_.scratch.bytes; }
  int64_t TaskCount(int64_t batch) const override {
    return batch * (layout_.geometry.groups / layout_.tasks.groups) * layout_.tasks.block_ranges *
           BlockCount(layout_.axes);
  }

  bool Pack(const char* filter, char* packed) const override {
    // Lanes and parts of units without a channel, and taps of phases without outputs.
    std::memset(packed, 0, PackedBytes());
    if (layout_.tile.floats) {
      return VisitFloatType(layout_.geometry.type, [&]<class T>() { return PackAs<T, 1>(filter, packed); });
    }
    return VisitType(layout_.geometry.type, [&]<class T>() {
      if constexpr (sizeof(T) == 1) {
        if (layout_.channels.depth == 4) return PackAs<T, 4>(filter, packed);
      }
      if constexpr (sizeof(T) <= 2 && !std::is_same_v<T, Float16>) {
        if (layout_.channels.depth == 2) return PackAs<T, 2>(filter, packed);
      }
      return PackAs<T, 1>(filter, packed);
    });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  void Try(const Geometry& geometry, const ChannelsKernels& kernels, bool if_cheaper) {
    ChannelsLayout other;
    if (kernels.run == nullptr || !MakeChannelsLayout(geometry, kernels.tile, other)) return;
    if (if_cheaper && ChannelsCycles(other) > Cycles()) return;
    run_ = kernels.run;
    layout_ = std::move(other);
    layout_.ends = kernels.ends;
  }

  // Weights are packed as they are, not as units.
  bool IsNarrow() const { return layout_.tile.weight_bytes < kUnitBytes; }

  template <class T, int64_t kDepth>
  bool PackAs(const char* filter, char* packed) const {
    const auto& [z, y, x] = layout_.axes;
    bool finite = true;
    for (int64_t group = 0; group < layout_.geometry.groups; ++group) {
      for (int64_t index = 0; index < layout_.channels.blocks; ++index) {
        const ChannelBlock block = layout_.Block(index);
        for (const Phase& pz : z.phases.phases) {
          for (const Phase& py : y.phases.phases) {
            for (const Phase& px : x.phases.phases) {
              finite = PackPhase<T, kDepth>(filter, group, block, {&pz, &py, &px}, packed) && finite;
            }
          }
        }
      }
    }
    return finite;
  }

  template <class T, int64_t kDepth>
  bool PackPhase(const char* filter, int64_t group, const ChannelBlock& block,
                 const std::array<const Phase*, 3>& phases, char* packed) const {
    const Geometry& geometry = layout_.geometry;
    const auto& [pz, py, px] = phases;
    const int64_t width = block.vectors * layout_.tile.lanes;
    int64_t at = layout_.PackedBefore(group, block.first_vector) +
                 TapsBefore(layout_.axes, *pz, *py, *px) * layout_.channels.units * width;
    const int64_t chunk = layout_.strips.chunk * kDepth;
    bool finite = true;
    for (int64_t first = 0; first < geometry.in_channels; first += chunk) {
      const int64_t last = std::min(first + chunk, geometry.in_channels);
      for (int64_t i = 0; i < pz->taps * py->taps * px->taps; ++i) {
        const int64_t kz = pz->first_tap + i / (py->taps * px->taps) * pz->tap_step;
        const int64_t ky = py->first_tap + i / px->taps % py->taps * py->tap_step;
        const int64_t kx = px->first_tap + (px->taps - 1 - i % px->taps) * px->tap_step;
        const int64_t tap = (kz * layout_.axes[1].axis.kernel + ky) * layout_.axes[2].axis.kernel + kx;
        for (int64_t in = first; in < last; ++in) {
          char* part = packed + at * layout_.tile.weight_bytes + in % kDepth * (kUnitBytes / kDepth);
          finite = PackChannels<T, kDepth>(filter, {group, in, tap}, block, part) && finite;
          if (in % kDepth == kDepth - 1 || in == geometry.in_channels - 1) at += width;
        }
      }
    }
    return finite;
  }

  struct FilterPlace {
    int64_t group = 0;
    int64_t in_channel = 0;
    int64_t tap = 0;
  };
  // The weights of a block's output channels, each as its part of a unit, or narrow.
  template <class T, int64_t kDepth>
  bool PackChannels(const char* filter, const FilterPlace& place, const ChannelBlock& block, char* part) const {
    const FilterStrides& strides = layout_.geometry.filter_strides;
    const int64_t channel = block.first_vector * layout_.tile.lanes;
    const int64_t count = std::min(block.vectors * layout_.tile.lanes, layout_.geometry.out_channels - channel);
    int64_t out = channel % layout_.group_channels;
    int64_t from = (place.group * layout_.lane_groups + channel / layout_.group_channels) * strides.group +
                   place.in_channel * strides.in_channel + place.tap * strides.tap;
    bool finite = true;
    for (int64_t c = 0; c < count; ++c) {
      const T weight = LoadElement<T>(filter, from + out * strides.out_channel);
      if (++out == layout_.group_channels) {
        out = 0;
        from += strides.group;
      }
      finite = finite && IsFinite<T>(Widen(weight));
      if (IsNarrow()) {
        StoreElement(part, c, weight);
      } else {
        StoreElement(part, c * kDepth, ToUnitPart<T, kDepth>(weight));
      }
    }
    return finite;
  }

  ChannelsLayout layout_;
  void (*run_)(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// Pairs of bf16 where the dot product takes less than its two multiply-adds, and where flushed subnormals are allowed.
// A unit of one channel gains nothing from pairs.
ChannelsKernels ChooseBF16(const Geometry& geometry, const Machine& machine, const Costs& costs) {
  const bool faster = costs.channels_pairs < 2 * costs.channels_product;
  if (geometry.in_channels > 1 && faster && !machine.keeps_subnormals) {
    ChannelsKernels pairs = ChooseChannelsBF16(machine.target);
    pairs.tile.product_cycles = costs.channels_pairs;
    if (pairs.run != nullptr) return pairs;
  }
  ChannelsKernels widened = ChooseChannelsF32(DECONV_BF16, machine.target);
  widened.tile.product_cycles = costs.channels_product;
  return widened;
}

// Quads have no vectors of data.
ChannelsKernels ChooseInteger(const Geometry& geometry, const Machine& machine, const Costs& costs) {
  ChannelsKernels kernels;
  if (ElementBytes(geometry.type) == 1 && geometry.in_channels > 2) kernels = ChooseChannelsI8(machine.target);
  if (kernels.run == nullptr) kernels = ChooseChannelsI16(geometry.type, machine.target);
  kernels.tile.product_cycles = costs.channels_integer;
  return kernels;
}

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
    kernels.ends = ChooseChannelsEnds(geometry.type, tile.floats, tile.depth, machine.target);
    return kernels;
  };
  ChannelsKernels kernels = ChooseKernels(geometry, machine, costs);
  if (kernels.run == nullptr) return nullptr;
  kernels = complete(kernels, kernels.tile.product_cycles);
  auto channels = std::make_unique<Channels>();
  if (!channels->Init(geometry, kernels)) return nullptr;
  const double product_cycles = kernels.tile.product_cycles;
  if (kernels.tile.floats && geometry.type != DECONV_F32) {
    channels->TryNarrow(geometry, complete(ChooseNarrowChannelsF32(geometry.type, machine.target), product_cycles));
  }
  if (2 * geometry.out_channels > kernels.tile.lanes) return channels;
  if (kernels.tile.floats) {
    // With channels last, stores of half vectors need no mask.
    channels->TryVectors(geometry, complete(ChooseHalfChannelsF32(geometry.type, machine.target), product_cycles));
  }
  if (SumsFitFloat(geometry)) {
    channels->TryVectors(geometry,
                         complete(ChooseGroupChannelsF32(geometry.type, machine.target), costs.channels_permuted));
  }
  if (ElementBytes(geometry.type) == 1) {
    channels->TryVectors(geometry, complete(ChooseGroupChannelsI8(machine.target), costs.channels_permuted));
  }
  return channels;
}

}  // namespace deconv
