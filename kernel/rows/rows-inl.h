// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of "rows", compiled per target. For each of its groups, the task pads its block into scratch. Then, for each
// tile of output channels, each set of phases in z and y, and some tiles of columns side by side, the register tile
// sums all phases of the set, and the sums are stored interleaved.

#if defined(DECONV_KERNEL_ROWS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_ROWS_ROWS_INL_H_
#undef DECONV_KERNEL_ROWS_ROWS_INL_H_
#else
#define DECONV_KERNEL_ROWS_ROWS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/phased/phased_pad-inl.h"
#include "kernel/phased/phased_store-inl.h"
#include "kernel/rows/rows_layout.h"
#include "kernel/rows/rows_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

template <class T>
class RowsTask {
 public:
  RowsTask(const RowsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout),
        base_(layout.base),
        buffers_(buffers),
        padded_(reinterpret_cast<float*>(scratch)),
        next_block_(FetchOfNextBlock(layout.base, buffers, task)) {
    sums_ = reinterpret_cast<float*>(
        scratch + RoundUp(base_.padded_elements * static_cast<int64_t>(sizeof(float)), kScratchAlignment));
    const PhasedPlace place = PlaceOfTask(base_, task);
    place_ = place.block;
    cells_ = place.cells;
    phases_x_ = static_cast<int64_t>(base_.axes[2].phases.phases.size());
  }

  void Run() {
    clipped_ = !buffers_.filter_is_finite;
    set_lines_ = ShareOfLines(next_block_.Lines(), layout_.channel_tiles * static_cast<int64_t>(layout_.sets.size()));
    for (const int64_t last = place_.group + base_.task_groups; place_.group < last; ++place_.group) RunGroup();
    if (base_.streams_outputs) hwy::FlushStream();
  }

 private:
  void RunGroup() {
    PadBlock<T>(base_, buffers_, place_, clipped_, padded_);
    for (int64_t tile = 0; tile < layout_.channel_tiles; ++tile) {
      channel_ = layout_.TileChannel(tile);
      channels_ = layout_.TileChannel(tile + 1) - channel_;
      if (channels_ == 0) continue;
      for (const RowsSet& set : layout_.sets) RunSet(set);
    }
  }

  int64_t Cells(size_t axis, size_t t) const {
    return CellsOfPhase(base_.axes[axis], t, place_.begin[axis], cells_[axis]);
  }

  void RunSet(const RowsSet& set) {
    const Axis& z = base_.axes[0].axis;
    const int64_t planes = Cells(0, set.tz);
    for (size_t t = 0; t < set.ty_count; ++t) rows_[t] = Cells(1, set.first_ty + t);
    const int64_t rows = rows_[0];  // later phases may lack the last
    const int64_t step = base_.joined_rows ? std::max<int64_t>(rows, 1) : 1;
    length_ = (step - 1) * base_.row_pitch + cells_[2];
    int64_t most = clipped_ ? 1 : kMostRowVectors;
    for (size_t u = 0; u < set.units; ++u) {
      most = std::min(most, RowVectors(layout_.units[set.first_unit + u].phases, channels_));
    }
    shares_ = ShareCells(base_, length_, most);
    const int64_t runs = planes * (base_.joined_rows ? 1 : rows);
    call_lines_ = ShareOfLines(set_lines_, runs * shares_.tiles * static_cast<int64_t>(set.units));
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t oz = (place_.begin[0] + plane) * z.stride + static_cast<int64_t>(set.tz);
      for (int64_t row = 0; row < rows; row += step) {
        RunColumns(set, padded_ + plane * base_.plane_pitch + row * base_.row_pitch, oz, row);
      }
    }
  }

  // `length_` cells from `data` on, the first one in `row`: as many register tiles side by side as scratch holds sums
  // of, then these are stored.
  void RunColumns(const RowsSet& set, const float* data, int64_t oz, int64_t row) {
    const Geometry& geometry = base_.geometry;
    const char* weights = buffers_.filter + (place_.group * geometry.out_channels + channel_) * geometry.in_channels *
                                                geometry.taps * static_cast<int64_t>(sizeof(float));
    const int64_t tap_bytes = geometry.in_channels * channels_ * static_cast<int64_t>(sizeof(float));
    RowsInput input;
    input.channel_pitch = base_.channel_pitch;
    input.in_channels = geometry.in_channels;
    for (int64_t tile = 0; tile < shares_.tiles; tile += shares_.together) {
      const int64_t last = std::min(tile + shares_.together, shares_.tiles);
      const int64_t column = shares_.Column(tile);
      const int64_t cells = std::min(shares_.Column(last), length_) - column;
      const auto run = [&](size_t t) { return CellRun{column, cells, cells_[2], rows_[t] - row}; };
      for (size_t t = 0; t < set.ty_count; ++t) {
        FetchRun<T>(base_, place_, run(t), SumsOf(set, t, oz, row), buffers_.output);
      }
      for (size_t u = 0; u < set.units; ++u) {
        const RowsUnit& unit = layout_.units[set.first_unit + u];
        const auto& by_vectors = kSumRows[static_cast<size_t>(unit.phases)][static_cast<size_t>(channels_ - 1)];
        input.steps = layout_.steps.data() + unit.first_step;
        input.step_count = unit.steps;
        input.weights = weights + static_cast<int64_t>(unit.first_tap) * tap_bytes;
        float* sums = sums_ + unit.first_x * channels_ * base_.sum_pitch;
        for (int64_t i = tile; i < last; ++i) {
          input.data = data + shares_.Column(i);
          next_block_.Fetch(call_lines_);
          by_vectors[clipped_ ? 0 : static_cast<size_t>(shares_.Vectors(i))](input, sums + (shares_.Column(i) - column),
                                                                             base_.sum_pitch);
        }
      }
      for (size_t t = 0; t < set.ty_count; ++t) {
        StoreRun<T>(base_, place_, run(t), SumsOf(set, t, oz, row), buffers_.output);
      }
    }
  }

  // Those of a phase in y, and the row of outputs that its cells in `row` are.
  Fragment<float> SumsOf(const RowsSet& set, size_t t, int64_t oz, int64_t row) const {
    const Axis& y = base_.axes[1].axis;
    Fragment<float> fragment;
    fragment.sums = sums_ + static_cast<int64_t>(t) * phases_x_ * channels_ * base_.sum_pitch;
    fragment.channels = channels_;
    fragment.first_channel = channel_;
    fragment.output_row = oz * y.output + (place_.begin[1] + row) * y.stride + static_cast<int64_t>(set.first_ty + t);
    return fragment;
  }

  const RowsLayout& layout_;
  const PhasedLayout& base_;
  const RunBuffers& buffers_;
  float* padded_;
  float* sums_;
  BlockPlace place_;
  std::array<int64_t, 3> cells_ = {};
  int64_t phases_x_ = 0;
  std::array<int64_t, kRowsPhases[0]> rows_ = {};  // of the set's phases in y
  int64_t length_ = 0;                             // of the row, or of all rows where they are joined
  TileShares shares_;
  BlockFetch next_block_;
  int64_t set_lines_ = 0;   // of the next block, to prefetch in each set of a tile of channels
  int64_t call_lines_ = 0;  // the same for each register tile
  int64_t channel_ = 0;
  int64_t channels_ = 0;
  bool clipped_ = false;
};

template <class T>
void RunRowsTask(const RowsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  RowsTask<T>(layout, buffers, task, scratch).Run();
}

template <class T>
RowsKernels RowsKernelsOf() {
  const hn::ScalableTag<float> d;
  RowsKernels kernels;
  kernels.target = hwy::TargetName(HWY_TARGET);
  kernels.lanes = static_cast<int64_t>(hn::Lanes(d));
  kernels.columns = kMostRowVectors * kernels.lanes;
  kernels.streams = HWY_ARCH_X86;
  kernels.most_phases = kMostTilePhases;
  kernels.channels = [](int64_t phases) { return RowChannels(phases); };
  kernels.vectors = [](int64_t phases, int64_t channels) { return RowVectors(phases, channels); };
  kernels.run = &RunRowsTask<T>;
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_ROWS_ROWS_INL_H_
