// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of "phased", compiled per target. The task pads its block into scratch. Then, for each tile of output
// channels, each phase in z and y, and some tiles of columns side by side, the register tile sums all phases in x, and
// the sums are stored interleaved.

#if defined(DECONV_KERNEL_PHASED_PHASED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "kernel/phased/phased_layout.h"
#include "kernel/phased/phased_pad-inl.h"
#include "kernel/phased/phased_store-inl.h"
#include "kernel/phased/phased_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

template <class T>
class PhasedTask {
 public:
  using C = Compute<T>;

  PhasedTask(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout), buffers_(buffers), padded_(reinterpret_cast<C*>(scratch)) {
    const Geometry& geometry = layout.geometry;
    const size_t padded_bytes = static_cast<size_t>(layout.padded_elements) * sizeof(C);
    sums_ =
        reinterpret_cast<C*>(scratch + (padded_bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment);
    // Blocks vary fastest: neighbours in time use the same weights.
    task = TakeBlock(layout.axes, task, place_, cells_);
    const int64_t range = task % layout.channel_ranges;
    task /= layout.channel_ranges;
    place_.group = task % geometry.groups;
    place_.batch = task / geometry.groups;
    channel_begin_ = range * layout.channel_range;
    channel_end_ = std::min(channel_begin_ + layout.channel_range, geometry.out_channels);
  }

  void Run() {
    clipped_ = !buffers_.filter_is_finite;
    PadBlock<T>(layout_, buffers_, place_, clipped_, padded_);
    const Geometry& geometry = layout_.geometry;
    for (int64_t channel = channel_begin_; channel < channel_end_;) {
      tile_channels_ = TileRows(channel, geometry.out_channels, layout_.tile.rows);
      channel_ = channel;
      weights_ = buffers_.filter + (place_.group * geometry.out_channels + channel) * geometry.in_channels *
                                       geometry.taps * static_cast<int64_t>(sizeof(C));
      for (size_t tz = 0; tz < layout_.axes[0].phases.phases.size(); ++tz) {
        for (size_t ty = 0; ty < layout_.axes[1].phases.phases.size(); ++ty) RunPhase(tz, ty);
      }
      channel += tile_channels_;
    }
    if (layout_.streams_outputs) hwy::FlushStream();
  }

 private:
  int64_t Cells(size_t axis, size_t t) const {
    return CellsOfPhase(layout_.axes[axis], t, place_.begin[axis], cells_[axis]);
  }

  void RunPhase(size_t tz, size_t ty) {
    const int64_t planes = Cells(0, tz);
    const int64_t rows = Cells(1, ty);
    const Axis& z = layout_.axes[0].axis;
    const Axis& y = layout_.axes[1].axis;
    const int64_t step = layout_.joined_rows ? std::max<int64_t>(rows, 1) : 1;
    length_ = (step - 1) * layout_.row_pitch + cells_[2];
    shares_ = ShareCells(layout_, length_, clipped_ ? 1 : VectorsFor(tile_channels_));
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t oz = (place_.begin[0] + plane) * z.stride + static_cast<int64_t>(tz);
      for (int64_t row = 0; row < rows; row += step) {
        const int64_t oy = (place_.begin[1] + row) * y.stride + static_cast<int64_t>(ty);
        RunColumns(tz, ty, padded_ + plane * layout_.plane_pitch + row * layout_.row_pitch, oz * y.output + oy, step);
      }
    }
  }

  // `length_` cells from `data` on, of `rows` rows; `output_row` counts rows of outputs and is that of the first cell.
  // As many register tiles side by side as scratch holds sums of, then these are stored.
  void RunColumns(size_t tz, size_t ty, const C* data, int64_t output_row, int64_t rows) {
    const Phase& pz = layout_.axes[0].phases.phases[tz];
    const Phase& py = layout_.axes[1].phases.phases[ty];
    const std::vector<Phase>& phases = layout_.axes[2].phases.phases;
    Fragment<C> fragment;
    fragment.sums = sums_;
    fragment.channels = tile_channels_;
    fragment.first_channel = channel_;
    fragment.output_row = output_row;
    PhasedTileInput<C> input;
    input.channel_pitch = layout_.channel_pitch;
    input.channels = layout_.geometry.in_channels;
    for (int64_t tile = 0; tile < shares_.tiles; tile += shares_.together) {
      const int64_t last = std::min(tile + shares_.together, shares_.tiles);
      const int64_t column = shares_.Column(tile);
      const CellRun run = {column, std::min(shares_.Column(last), length_) - column, cells_[2], rows};
      FetchRun<T>(layout_, place_, run, fragment, buffers_.output);
      for (size_t tx = 0; tx < phases.size(); ++tx) {
        const int64_t begin = TapsBefore(layout_.axes, pz, py, phases[tx]);
        input.offsets = layout_.offsets.data() + begin;
        input.taps = pz.taps * py.taps * phases[tx].taps;
        input.weights = weights_ + begin * input.channels * tile_channels_ * static_cast<int64_t>(sizeof(C));
        C* sums = sums_ + static_cast<int64_t>(tx) * tile_channels_ * layout_.sum_pitch;
        for (int64_t i = tile; i < last; ++i) {
          input.data = data + shares_.Column(i);
          RunPhasedTile(input, tile_channels_, shares_.Vectors(i), clipped_, sums + (shares_.Column(i) - column),
                        layout_.sum_pitch);
        }
      }
      StoreRun<T>(layout_, place_, run, fragment, buffers_.output);
    }
  }

  const PhasedLayout& layout_;
  const RunBuffers& buffers_;
  C* padded_;
  C* sums_;
  BlockPlace place_;
  std::array<int64_t, 3> cells_ = {};
  int64_t channel_begin_ = 0;
  int64_t channel_end_ = 0;
  int64_t channel_ = 0;
  int64_t tile_channels_ = 0;
  int64_t length_ = 0;  // of a row, or of all rows where they are joined
  TileShares shares_;
  const char* weights_ = nullptr;
  bool clipped_ = false;
};

template <class T>
void RunPhasedTask(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  PhasedTask<T>(layout, buffers, task, scratch).Run();
}

template <class T>
PhasedKernels PhasedKernelsOf() {
  return {PhasedTileOfTarget<Compute<T>>(), &RunPhasedTask<T>};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_INL_H_
