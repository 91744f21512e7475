// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of "channels", compiled per target: copy the block of data if it cannot be read in place, then for each
// phase in z and y, each strip of cells, each block of channels: all phases in x by the register tile, then the store.
// Groups that share a tile, and depthwise rows, do without steps of these.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "kernel/channels/channels_copy-inl.h"
#include "kernel/channels/channels_depthwise-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_tile-inl.h"
#include "kernel/channels/channels_weights.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

template <class P>
ChannelsTile ChannelsTileOfTarget() {
  const hn::ScalableTag<typename P::Lane> d;
  ChannelsTile tile;
  tile.target = hwy::TargetName(HWY_TARGET);
  tile.depth = P::kDepth;
  tile.depthwise = P::kDepthwise;
  tile.lanes = static_cast<int64_t>(hn::Lanes(d));
  tile.product_cycles = hwy::IsSame<typename P::Lane, float>() ? kChannelsProductCycles : kChannelsIntegerCycles;
  tile.vectors = kChannelVectors;
  for (int64_t vectors = 1; vectors <= kChannelVectors; ++vectors) {
    tile.cells[static_cast<size_t>(vectors)] = CellsFor(vectors);
  }
  return tile;
}

// The taps of all axes that a tile sums.
struct TapRanges {
  std::array<int64_t, 3> first = {};
  std::array<int64_t, 3> last = {};

  int64_t Count() const {
    int64_t count = 1;
    for (size_t a = 0; a < 3; ++a) count *= last[a] - first[a];
    return count;
  }
  // The least box that holds both. An empty box counts: its corner is as good as any.
  TapRanges With(const TapRanges& other) const {
    if (Count() == 0) return other;
    if (other.Count() == 0) return *this;
    TapRanges both;
    for (size_t a = 0; a < 3; ++a) {
      both.first[a] = std::min(first[a], other.first[a]);
      both.last[a] = std::max(last[a], other.last[a]);
    }
    return both;
  }
};

template <class T, class P>
class ChannelsTask {
 public:
  ChannelsTask(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout), buffers_(buffers) {
    const Geometry& geometry = layout.geometry;
    // Blocks of data vary fastest: neighbours in time use the same weights.
    task = TakeBlock(layout.axes, task, place_, block_cells_);
    blocks_.first_block = task % layout.block_ranges * layout.block_range;
    blocks_.last_block = std::min(blocks_.first_block + layout.block_range, layout.task_groups * layout.channel_blocks);
    task /= layout.block_ranges;
    const int64_t group_ranges = geometry.groups / layout.task_groups;
    place_.group = blocks_.group = task % group_ranges * layout.task_groups;
    place_.batch = task / group_ranges;
    sums_ = scratch + layout.sums_offset;
    copy_ = scratch;
  }

  void Run() {
    const TensorStrides& strides = layout_.geometry.data_strides;
    input_.data = copy_;
    if (layout_.fetches_weights) input_.to_fetch = &to_fetch_;
    origin_ = 0;
    if (layout_.in_place) {
      input_.data =
          buffers_.data +
          (place_.batch * strides.batch + place_.group * layout_.geometry.in_channels * strides.channel) * kElement;
      const std::array<int64_t, 3> pitches = {layout_.plane_pitch, layout_.row_pitch, layout_.cell_pitch};
      for (size_t a = 0; a < 3; ++a) {
        origin_ += (place_.begin[a] - layout_.axes[a].phases.greatest_shift) * pitches[a];
      }
    } else {
      CopyBlock<T, P::kDepth>(layout_, buffers_, place_, copy_);
    }
    for (size_t tz = 0; tz < layout_.axes[0].phases.phases.size(); ++tz) {
      for (size_t ty = 0; ty < layout_.axes[1].phases.phases.size(); ++ty) RunRows(tz, ty);
    }
    if (layout_.stream) hwy::FlushStream();
  }

 private:
  static constexpr auto kElement = static_cast<int64_t>(sizeof(T));

  void RunRows(size_t tz, size_t ty) {
    const int64_t planes = CellsOfPhase(layout_.axes[0], tz, place_.begin[0], block_cells_[0]);
    const int64_t rows = CellsOfPhase(layout_.axes[1], ty, place_.begin[1], block_cells_[1]);
    phase_ = {tz, ty, 0};
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t row = 0; row < rows; row += layout_.strip_rows) {
        for (int64_t cell = 0; cell < block_cells_[2]; cell += layout_.strip_cells) {
          strip_begin_ = {plane, row, cell};
          strip_end_ = {plane + 1, std::min(row + layout_.strip_rows, rows),
                        std::min(cell + layout_.strip_cells, block_cells_[2])};
          const int64_t step = layout_.groups_in_tile ? blocks_.last_block - blocks_.first_block : 1;
          is_last_strip_ = plane + 1 == planes && strip_end_[1] == rows && strip_end_[2] == block_cells_[2];
          for (int64_t block = blocks_.first_block; block < blocks_.last_block; block += step) {
            RunStrip(block);
          }
        }
      }
    }
  }

  // `index` of the block counts through the groups of the task.
  void RunStrip(int64_t index) {
    const Geometry& geometry = layout_.geometry;
    group_ = index / layout_.channel_blocks;
    block_ = layout_.Block(index % layout_.channel_blocks);
    channel_ = block_.first_vector * layout_.tile.lanes;
    channels_ = std::min(block_.vectors * layout_.tile.lanes, geometry.out_channels - channel_);
    input_.last_lanes =
        layout_.direct_store ? channels_ - (block_.vectors - 1) * layout_.tile.lanes : layout_.tile.lanes;
    const auto phases = static_cast<int64_t>(layout_.axes[2].phases.phases.size());
    for (phase_[2] = 0; phase_[2] < static_cast<size_t>(phases); ++phase_[2]) {
      for (int64_t unit = 0; unit == 0 || unit < layout_.units; unit += layout_.chunk) SumStrip({phase_, index, unit});
    }
    if (!layout_.direct_store) StoreStrip(phases);
  }

  // Has the tiles of a pass fetch the weights of the next one.
  void FetchAfter(const WeightsPass& pass) {
    to_fetch_ = {};
    const std::optional<WeightsPass> next = NextPass(layout_, blocks_, pass, is_last_strip_);
    if (!next) return;
    const WeightsRange weights = PassWeights(layout_, blocks_, *next);
    to_fetch_.next = buffers_.filter + weights.begin;
    to_fetch_.end = to_fetch_.next + weights.bytes;
    const int64_t cells = (strip_end_[1] - strip_begin_[1]) * (strip_end_[2] - strip_begin_[2]);
    const int64_t tiles = DivideUp(cells, layout_.tile.cells[static_cast<size_t>(block_.vectors)]);
    const int64_t fetches = tiles * PassTaps(layout_, pass) * DivideUp(units_, kUnitsOfFetch);
    to_fetch_.lines = static_cast<int64_t>(
        std::ceil(kFetchRate * static_cast<double>(weights.bytes) / static_cast<double>(fetches * kLineBytes)));
  }

  const Phase& PhaseOf(size_t axis) const { return layout_.axes[axis].phases.phases[phase_[axis]]; }

  // All tiles of the strip's phase, over a chunk of units.
  void SumStrip(const WeightsPass& pass) {
    const WeightsRange weights = PassWeights(layout_, blocks_, pass);
    weights_ = buffers_.filter + weights.begin;
    units_ = PassUnits(layout_, pass);
    input_.add = pass.unit > 0;
    tap_bytes_ = units_ * block_.vectors * layout_.tile.lanes * kUnitBytes;
    if (layout_.fetches_weights) FetchAfter(pass);
    data_offset_ = (origin_ + group_ * layout_.units + (layout_.depthwise ? channel_ : pass.unit)) * kUnitBytes;
    cells_ = 0;
    const int64_t columns = CellsOfPhase(layout_.axes[2], phase_[2], place_.begin[2], strip_end_[2]);
    const std::vector<TapRun>& z_runs = layout_.runs[0][phase_[0]];
    const int64_t z = place_.begin[0] + strip_begin_[0];
    const TapRun& z_run = *std::find_if(z_runs.begin(), z_runs.end(), [z](const TapRun& run) { return z < run.end; });
    for (const TapRun& y_run : layout_.runs[1][phase_[1]]) {
      const int64_t first_row = std::max(y_run.begin - place_.begin[1], strip_begin_[1]);
      const int64_t last_row = std::min(y_run.end - place_.begin[1], strip_end_[1]);
      if (first_row >= last_row) continue;
      // From the last to the first: of a single pixel, weights are then met in the order in which they lie.
      const std::vector<TapRun>& x_runs = layout_.runs[2][phase_[2]];
      for (auto run = x_runs.rbegin(); run != x_runs.rend(); ++run) {
        const TapRun& x_run = *run;
        const int64_t first = std::max(x_run.begin - place_.begin[2], strip_begin_[2]);
        const int64_t last = std::min(x_run.end - place_.begin[2], columns);
        if (first >= last) continue;
        const TapRanges taps = {{z_run.first_tap, y_run.first_tap, x_run.first_tap},
                                {z_run.last_tap, y_run.last_tap, x_run.last_tap}};
        if (layout_.depthwise) {
          SumRows(taps, first_row, last_row, first, last);
        } else {
          AddRows(taps, first_row, last_row, first, last);
        }
      }
    }
    Flush();
  }

  // Cells of one kind, depthwise.
  void SumRows(const TapRanges& taps, int64_t first_row, int64_t last_row, int64_t first, int64_t last) {
    if constexpr (P::kDepthwise) {
      const int64_t data = AimAt(taps);
      DepthwiseRow input;
      input.data = input_.data;
      input.weights = input_.weights;
      input.box = input_.box;
      input.cells = last - first;
      input.units = layout_.units;
      input.data_unit_step = layout_.geometry.out_channels * kUnitBytes;
      input.weight_unit_step = block_.vectors * layout_.tile.lanes * kUnitBytes;
      input.data_step = layout_.cell_pitch * kUnitBytes;
      input.sums_step = SumsStep();
      input.vectors = block_.vectors;
      input.last_lanes = input_.last_lanes;
      input.has_room = !layout_.in_place;
      for (int64_t row = first_row; row < last_row; ++row) {
        input.first = DataOf(row, first) + data;
        input.sums = SumsOf(row, first);
        input.stream = layout_.stream && reinterpret_cast<uintptr_t>(input.sums) % kLineBytes == 0;
        if (input.units > 1) {
          SumDepthwiseRow<P, true>(input);
        } else {
          SumDepthwiseRow<P, false>(input);
        }
      }
    }
  }

  // Cells of one kind: whole tiles of a long row at once, the rest put together with what lies elsewhere.
  void AddRows(const TapRanges& taps, int64_t first_row, int64_t last_row, int64_t first, int64_t last) {
    const int64_t most = layout_.tile.cells[static_cast<size_t>(block_.vectors)];
    CellRow cells;
    cells.tiles = (last - first) / most;
    if (cells.tiles < kLeastRowTiles) return AddCells(taps, first_row, last_row, first, last);
    cells.data_step = layout_.cell_pitch * kUnitBytes;
    cells.sums_step = SumsStep();
    if (layout_.groups_in_tile) {
      cells.groups = blocks_.last_block - blocks_.first_block;
      cells.group_data_step = layout_.units * kUnitBytes;
      cells.group_weight_step = layout_.PackedBefore(1, 0) * kUnitBytes;
      cells.group_sums_step = layout_.geometry.out_channels * kElement;
    }
    const char* const data = input_.data + AimAt(taps);
    for (int64_t row = first_row; row < last_row; ++row) {
      cells.data = data + DataOf(row, first);
      cells.sums = SumsOf(row, first);
      RunRow<P>(input_, cells, block_.vectors);
    }
    first += cells.tiles * most;
    if (first < last) AddCells(taps, first_row, last_row, first, last);
  }

  // They join those of the kind before in a tile where that costs fewer products than two tiles do; a filter with NaN
  // or Inf may not meet padding.
  void AddCells(const TapRanges& taps, int64_t first_row, int64_t last_row, int64_t first, int64_t last) {
    const int64_t most = layout_.tile.cells[static_cast<size_t>(block_.vectors)];
    const int64_t count = (last_row - first_row) * (last - first);
    if (cells_ > 0) {
      const TapRanges both = taps_.With(taps);
      const int64_t join = std::min(most - cells_, count);
      const int64_t apart = taps_.Count() * std::max(cells_, kCheapestCells) + taps.Count() * join;
      if (!buffers_.filter_is_finite || both.Count() * (cells_ + join) > apart) {
        Flush();
      } else {
        taps_ = both;
      }
    }
    if (cells_ == 0) taps_ = taps;
    const int64_t data_step = layout_.cell_pitch * kUnitBytes;
    const int64_t sums_step = SumsStep();
    for (int64_t row = first_row; row < last_row; ++row) {
      const int64_t data = DataOf(row, first);
      char* const sums = SumsOf(row, first);
      for (int64_t cell = first; cell < last; ++cell) {
        const auto at = static_cast<size_t>(cells_++);
        input_.cells[at] = data + (cell - first) * data_step;
        input_.sums[at] = sums + (cell - first) * sums_step;
        if (cells_ == most) {
          Flush();
          taps_ = taps;
        }
      }
    }
  }

  // From input_.data to position (row, cell) of the strip's plane.
  int64_t DataOf(int64_t row, int64_t cell) const {
    return (strip_begin_[0] * layout_.plane_pitch + row * layout_.row_pitch + cell * layout_.cell_pitch) * kUnitBytes;
  }

  // Where the sums of a cell go, and from there to those of the next cell of the row.
  char* SumsOf(int64_t row, int64_t cell) const {
    const auto column = static_cast<int64_t>(phase_[2]);
    if (layout_.direct_store) {
      const Axis& x = layout_.axes[2].axis;
      const int64_t position = OutputRow(row) * x.output + (place_.begin[2] + cell) * x.stride + column;
      return buffers_.output + (OutputBase() + position * layout_.geometry.output_strides.position) * kElement;
    }
    const int64_t index = (row - strip_begin_[1]) * (strip_end_[2] - strip_begin_[2]) + cell - strip_begin_[2];
    return sums_ + index * SumsStep() + column * block_.vectors * layout_.tile.lanes * kUnitBytes;
  }
  int64_t SumsStep() const {
    if (layout_.direct_store) {
      return layout_.axes[2].axis.stride * layout_.geometry.output_strides.position * kElement;
    }
    const auto phases = static_cast<int64_t>(layout_.axes[2].phases.phases.size());
    return phases * block_.vectors * layout_.tile.lanes * kUnitBytes;
  }

  void Flush() {
    if (cells_ == 0) return;
    const int64_t data = AimAt(taps_);
    for (size_t m = 0; m < static_cast<size_t>(cells_); ++m) input_.cells[m] += data;
    RunCells<P>(input_, cells_, block_.vectors);
    if (layout_.groups_in_tile) RunOtherGroups();
    cells_ = 0;
  }

  // The tile's cells for the groups of the task behind the first one; each is one block.
  void RunOtherGroups() {
    const char* const data = input_.data;
    for (int64_t group = blocks_.first_block + 1; group < blocks_.last_block; ++group) {
      input_.data += layout_.units * kUnitBytes;
      input_.weights += layout_.PackedBefore(1, 0) * kUnitBytes;
      input_.sums_offset += layout_.geometry.out_channels * kElement;
      RunCells<P>(input_, cells_, block_.vectors);
    }
    input_.data = data;
    input_.sums_offset = 0;
  }

  // Has input_ read the weights of these taps; returns how far from a cell's own position the data of the first one
  // lie.
  int64_t AimAt(const TapRanges& taps) {
    const std::array<int64_t, 3> pitches = {layout_.plane_pitch, layout_.row_pitch, layout_.cell_pitch};
    int64_t weight_step = tap_bytes_;
    int64_t data = data_offset_;
    int64_t weights = 0;
    for (size_t a = 3; a-- > 0;) {
      const Phase& phase = PhaseOf(a);
      TapBox& box = input_.box[a];
      box.taps = taps.last[a] - taps.first[a];
      box.weight_step = weight_step;
      // Those of x are packed from the last to the first.
      const bool reversed = a == 2;
      const int64_t first_tap = reversed ? taps.last[a] - 1 : taps.first[a];
      box.data_step = (reversed ? 1 : -1) * phase.shift_step * pitches[a] * kUnitBytes;
      data += (layout_.axes[a].phases.greatest_shift - phase.first_shift - first_tap * phase.shift_step) * pitches[a] *
              kUnitBytes;
      weights += (reversed ? phase.taps - taps.last[a] : first_tap) * weight_step;
      weight_step *= phase.taps;
    }
    input_.weights = weights_ + weights;
    JoinTaps();
    return data;
  }

  // Taps of x whose data lie one behind the other, as their weights do, are one with more units.
  void JoinTaps() {
    TapBox& x = input_.box[2];
    input_.units = units_;
    if (x.taps < 2 || layout_.depthwise || x.data_step != units_ * kUnitBytes) return;
    input_.units *= x.taps;
    x.taps = 1;
  }

  // Rows of outputs before the one of the strip's row.
  int64_t OutputRow(int64_t row) const {
    const auto& [z, y, x] = layout_.axes;
    const int64_t oz = (place_.begin[0] + strip_begin_[0]) * z.axis.stride + static_cast<int64_t>(phase_[0]);
    return oz * y.axis.output + (place_.begin[1] + row) * y.axis.stride + static_cast<int64_t>(phase_[1]);
  }

  int64_t OutputBase() const {
    const Geometry& geometry = layout_.geometry;
    return place_.batch * geometry.output_strides.batch +
           ((place_.group + group_) * geometry.out_channels + channel_) * geometry.output_strides.channel;
  }

  void StoreStrip(int64_t phases) {
    const TensorStrides& strides = layout_.geometry.output_strides;
    const Axis& x = layout_.axes[2].axis;
    const int64_t pitch = block_.vectors * layout_.tile.lanes;
    const int64_t row_sums = (strip_end_[2] - strip_begin_[2]) * phases * pitch;
    const int64_t first = (place_.begin[2] + strip_begin_[2]) * x.stride;
    const int64_t count = std::min((strip_end_[2] - strip_begin_[2]) * phases, x.output - first);
    if (strides.position == 1 && layout_.axes[1].axis.stride == 1 && count == x.output && count * pitch == row_sums) {
      // Whole rows, one behind the other.
      const int64_t to = OutputBase() + OutputRow(strip_begin_[1]) * x.output;
      TransposeOut<T>(sums_, pitch, channels_, (strip_end_[1] - strip_begin_[1]) * count,
                      buffers_.output + to * kElement, strides.channel);
      return;
    }
    for (int64_t row = strip_begin_[1]; row < strip_end_[1]; ++row) {
      const char* sums = sums_ + (row - strip_begin_[1]) * row_sums * kUnitBytes;
      const int64_t to = OutputBase() + (OutputRow(row) * x.output + first) * strides.position;
      char* output = buffers_.output + to * kElement;
      if (strides.position == 1) {
        TransposeOut<T>(sums, pitch, channels_, count, output, strides.channel);
        continue;
      }
      for (int64_t i = 0; i < count; ++i) {
        StoreSums<T>(sums + i * pitch * kUnitBytes, channels_, output + i * strides.position * kElement);
      }
    }
  }

  // Not all cells meet all taps, and taps that are joined have fewer rests of units, so that there are fewer chances to
  // fetch. On Zen 3, 1 was as good or a little slower (layers of 4x4 and 8x6 cells).
  static constexpr double kFetchRate = 1.5;
  // Fewer leave more cells over than they save addresses.
  static constexpr int64_t kLeastRowTiles = 2;
  // A tile of one cell loads as many weights as one of two.
  static constexpr int64_t kCheapestCells = 2;

  const ChannelsLayout& layout_;
  const RunBuffers& buffers_;
  BlockPlace place_;
  std::array<int64_t, 3> block_cells_ = {};
  TaskBlocks blocks_;
  char* copy_ = nullptr;
  char* sums_ = nullptr;
  int64_t origin_ = 0;  // units from input_.data to position 0 of the padded block

  std::array<size_t, 3> phase_ = {};
  std::array<int64_t, 3> strip_begin_ = {};
  std::array<int64_t, 3> strip_end_ = {};
  bool is_last_strip_ = false;  // of the phase in z and y
  int64_t group_ = 0;           // of the task's
  ChannelBlock block_;
  int64_t channel_ = 0;
  int64_t channels_ = 0;
  const char* weights_ = nullptr;
  int64_t units_ = 0;  // of a tap, in this pass
  int64_t tap_bytes_ = 0;
  int64_t data_offset_ = 0;

  WeightsToFetch to_fetch_;
  CellsInput input_;
  int64_t cells_ = 0;  // of the tile that is being put together
  TapRanges taps_;
};

template <class T, class P>
void RunChannelsTask(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  ChannelsTask<T, P>(layout, buffers, task, scratch).Run();
}

template <class T, class P>
ChannelsKernels ChannelsKernelsOf() {
  return {ChannelsTileOfTarget<P>(), &RunChannelsTask<T, P>};
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_
