// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of the phased algorithm, compiled per target: pad the block into scratch, then for each tile of output
// channels, each phase in z and y, each tile of columns: all phases in x by the register tile, stored interleaved.

#if defined(DECONV_KERNEL_PHASED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_INL_H_
#undef DECONV_KERNEL_PHASED_INL_H_
#else
#define DECONV_KERNEL_PHASED_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "kernel/phased_layout.h"
#include "kernel/phased_pad-inl.h"
#include "kernel/phased_store-inl.h"
#include "kernel/phased_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

template <class T>
class Task {
 public:
  using C = Compute<T>;

  Task(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout), buffers_(buffers), padded_(reinterpret_cast<C*>(scratch)) {
    const Geometry& geometry = layout.geometry;
    const size_t padded_bytes = static_cast<size_t>(layout.padded_elements) * sizeof(C);
    tile_ =
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
      rows_ = TileRows(channel, geometry.out_channels, layout_.tile.rows);
      channel_ = channel;
      weights_ = buffers_.filter + (place_.group * geometry.out_channels + channel) * geometry.in_channels *
                                       geometry.taps * static_cast<int64_t>(sizeof(C));
      for (size_t tz = 0; tz < layout_.axes[0].phases.phases.size(); ++tz) {
        for (size_t ty = 0; ty < layout_.axes[1].phases.phases.size(); ++ty) RunPhase(tz, ty);
      }
      channel += rows_;
    }
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
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t oz = (place_.begin[0] + plane) * z.stride + static_cast<int64_t>(tz);
      for (int64_t row = 0; row < rows; row += step) {
        const int64_t oy = (place_.begin[1] + row) * y.stride + static_cast<int64_t>(ty);
        RunColumns(tz, ty, padded_ + plane * layout_.plane_pitch + row * layout_.row_pitch,
                   (step - 1) * layout_.row_pitch + cells_[2], oz * y.output + oy);
      }
    }
  }

  // `length` cells from `data` on; `output_row` counts rows of outputs and is that of the first cell.
  void RunColumns(size_t tz, size_t ty, const C* data, int64_t length, int64_t output_row) {
    const int64_t lanes = layout_.tile.lanes;
    const int64_t most = VectorsFor(rows_);
    const Phase& pz = layout_.axes[0].phases.phases[tz];
    const Phase& py = layout_.axes[1].phases.phases[ty];
    const std::vector<Phase>& phases = layout_.axes[2].phases.phases;
    int64_t vectors = (length + lanes - 1) / lanes;
    for (int64_t column = 0; column < length;) {
      // Even shares, so that no tile is so narrow that it waits for its own sums.
      const int64_t tiles = (vectors + most - 1) / most;
      const int64_t width = clipped_ ? 1 : (vectors + tiles - 1) / tiles;
      for (size_t tx = 0; tx < phases.size(); ++tx) {
        const int64_t begin = TapsBefore(layout_.axes, pz, py, phases[tx]);
        TileInput<C> input;
        input.data = data + column;
        input.channel_pitch = layout_.channel_pitch;
        input.channels = layout_.geometry.in_channels;
        input.offsets = layout_.offsets.data() + begin;
        input.taps = pz.taps * py.taps * phases[tx].taps;
        input.weights = weights_ + begin * input.channels * rows_ * static_cast<int64_t>(sizeof(C));
        C* out = tile_ + static_cast<int64_t>(tx) * rows_ * layout_.tile.columns;
        RunTile(input, rows_, width, clipped_, out, layout_.tile.columns);
      }
      const int64_t cells = std::min(width * lanes, length - column);
      StoreTile(column, cells, output_row);
      column += cells;
      vectors -= width;
    }
  }

  // Cuts the tile at the ends of rows, leaving out the padding between them.
  void StoreTile(int64_t column, int64_t cells, int64_t output_row) {
    const int64_t row_step = layout_.axes[1].axis.stride;
    int64_t in_tile = 0;
    while (in_tile < cells) {
      const int64_t row = layout_.joined_rows ? (column + in_tile) / layout_.row_pitch : 0;
      const int64_t first = column + in_tile - row * layout_.row_pitch;
      const int64_t to_end = layout_.joined_rows ? layout_.row_pitch - first : cells;
      const int64_t width = std::min(cells - in_tile, to_end);
      const int64_t real = std::min(width, cells_[2] - first);
      if (real > 0) {
        Fragment<C> fragment;
        fragment.tile = tile_ + in_tile;
        fragment.rows = rows_;
        fragment.channel = channel_;
        fragment.output_row = output_row + row * row_step;
        fragment.first_cell = place_.begin[2] + first;
        fragment.cells = real;
        StoreFragment<T>(layout_, place_, fragment, buffers_.output);
      }
      in_tile += width;
    }
  }

  const PhasedLayout& layout_;
  const RunBuffers& buffers_;
  C* padded_;
  C* tile_;
  BlockPlace place_;
  std::array<int64_t, 3> cells_ = {};
  int64_t channel_begin_ = 0;
  int64_t channel_end_ = 0;
  int64_t channel_ = 0;
  int64_t rows_ = 0;
  const char* weights_ = nullptr;
  bool clipped_ = false;
};

template <class T>
void RunPhasedTask(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  Task<T>(layout, buffers, task, scratch).Run();
}

template <class T>
PhasedKernels KernelsOf() {
  return {TileOfTarget<Compute<T>>(), &RunPhasedTask<T>};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_INL_H_
