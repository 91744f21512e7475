// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm's face to the plan, and the packing of the filter: per group, per block of output channels, per phase
// (z, y, x): for each tap, for each input channel, the weights of the block's channels side by side, as the register
// tile reads them; zeros for the channels that fill the last vector.
#include "kernel/channels.h"

#include <cstring>

#include "kernel/channels_layout.h"
#include "kernel/convert.h"

namespace deconv {
namespace {

class Channels final : public Algorithm {
 public:
  // False if the geometry does not fit.
  bool Init(const Geometry& geometry, const ChannelsKernels& kernels) {
    run_ = kernels.run;
    return MakeChannelsLayout(geometry, kernels.tile, layout_);
  }

  const char* Target() const override { return layout_.tile.target; }
  double Cycles() const override { return ChannelsCycles(layout_); }
  size_t PackedBytes() const override {
    return static_cast<size_t>(layout_.PackedBefore(layout_.geometry.groups, 0)) * sizeof(float);
  }
  size_t ScratchBytes() const override { return layout_.scratch_bytes; }
  int64_t TaskCount(int64_t batch) const override {
    int64_t tasks = batch * layout_.geometry.groups * layout_.block_ranges;
    for (const BlockAxis& block : layout_.axes) tasks *= block.blocks;
    return tasks;
  }

  bool Pack(const char* filter, char* packed) const override {
    // Lanes without a channel, and taps of phases without outputs.
    std::memset(packed, 0, PackedBytes());
    return VisitType(layout_.geometry.type, [&]<class T>() { return PackAs<T>(filter, packed); });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  template <class T>
  bool PackAs(const char* filter, char* packed) const {
    const auto& [z, y, x] = layout_.axes;
    bool finite = true;
    for (int64_t group = 0; group < layout_.geometry.groups; ++group) {
      for (int64_t index = 0; index < layout_.channel_blocks; ++index) {
        const ChannelBlock block = layout_.Block(index);
        for (const Phase& pz : z.phases.phases) {
          for (const Phase& py : y.phases.phases) {
            for (const Phase& px : x.phases.phases) {
              finite = PackPhase<T>(filter, group, block, {&pz, &py, &px}, packed) && finite;
            }
          }
        }
      }
    }
    return finite;
  }

  template <class T>
  bool PackPhase(const char* filter, int64_t group, const ChannelBlock& block,
                 const std::array<const Phase*, 3>& phases, char* packed) const {
    const Geometry& geometry = layout_.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    const auto& [pz, py, px] = phases;
    const int64_t width = block.vectors * layout_.tile.lanes;
    const int64_t channel = block.first_vector * layout_.tile.lanes;
    const int64_t real = std::min(width, geometry.out_channels - channel);
    int64_t at = layout_.PackedBefore(group, block.first_vector) +
                 TapsBefore(layout_.axes, *pz, *py, *px) * geometry.in_channels * width;
    bool finite = true;
    for (int64_t i = 0; i < pz->taps * py->taps * px->taps; ++i) {
      const int64_t kz = pz->first_tap + i / (py->taps * px->taps) * pz->tap_step;
      const int64_t ky = py->first_tap + i / px->taps % py->taps * py->tap_step;
      const int64_t kx = px->first_tap + i % px->taps * px->tap_step;
      const int64_t tap = (kz * layout_.axes[1].axis.kernel + ky) * layout_.axes[2].axis.kernel + kx;
      for (int64_t in = 0; in < geometry.in_channels; ++in) {
        const int64_t from =
            group * strides.group + in * strides.in_channel + channel * strides.out_channel + tap * strides.tap;
        for (int64_t c = 0; c < real; ++c) {
          const Compute<T> weight = Widen(LoadElement<T>(filter, from + c * strides.out_channel));
          finite = finite && IsFinite<T>(weight);
          StoreElement<Compute<T>>(packed, at + c, weight);
        }
        at += width;
      }
    }
    return finite;
  }

  ChannelsLayout layout_;
  void (*run_)(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

}  // namespace

std::unique_ptr<Algorithm> CreateChannels(const Geometry& geometry, int64_t target) {
  if (geometry.type != DECONV_F32 && geometry.type != DECONV_F16 && geometry.type != DECONV_BF16) return nullptr;
  auto channels = std::make_unique<Channels>();
  if (!channels->Init(geometry, ChooseChannelsF32(geometry.type, target))) return nullptr;
  return channels;
}

}  // namespace deconv
