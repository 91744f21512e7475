// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of the algorithm "rows", compiled for each target (instruction set). A phase is the outputs with the same
// remainder modulo the stride; a cell is neighbouring outputs, one of each phase. A task sums and stores a block of
// cells for all output channels of a group. From the outside to the inside:
//   ComputeGroup     copies the data of a block and group to scratch, with zeros as padding.
//   ComputeSet       computes a tile of output channels for a set: one phase in z and some phases in y.
//   ComputeWholeRow  sums one row of cells and stores it. Outputs are planar, and each phase in y has the row.
//   ComputeAnyRow    does the same for other rows: joined rows, of which several lie in one vector, and channels last.
//   SumTiles         calls the register tile (rows_tile-inl.h) for each range of phases in x that shares a tile.
// If the tile stores its sums from registers (rows_pair-inl.h), ComputePairRow is called instead of the rest of
// ComputeWholeRow.

#if defined(DECONV_KERNEL_ROWS_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_ROWS_ROWS_INL_H_
#undef DECONV_KERNEL_ROWS_ROWS_INL_H_
#else
#define DECONV_KERNEL_ROWS_ROWS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/blocks/block_layout.h"
#include "kernel/blocks/fetch_outputs.h"
#include "kernel/rows/rows_layout.h"
#include "kernel/rows/rows_pair-inl.h"
#include "kernel/rows/rows_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

class RowsTask {
 public:
  RowsTask(const RowsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout),
        base_(layout.base),
        buffers_(buffers),
        element_(layout.base.ElementSize()),
        padded_(reinterpret_cast<float*>(scratch)),
        next_block_(FetchOfNextBlock(layout.base, buffers, task)) {
    sums_ = reinterpret_cast<float*>(
        scratch + RoundUp(base_.padded_elements * static_cast<int64_t>(sizeof(float)), kScratchAlignment));
    const PhasedTaskWork work = WorkOfTask(base_, task);
    position_ = work.block;
    cells_ = work.cells;
    phases_x_ = static_cast<int64_t>(base_.axes[2].phases.phases.size());
  }

  void Run() {
    masks_padding_ = !buffers_.filter_is_finite;
    set_cache_lines_ =
        ShareOfLines(next_block_.Lines(), layout_.channel_tiles * static_cast<int64_t>(layout_.sets.size()));
    for (const int64_t last = position_.group + base_.task_groups; position_.group < last; ++position_.group)
      ComputeGroup();
    if (base_.streams_outputs) hwy::FlushStream();
  }

 private:
  // Computes the block of the task for all output channels of the group of `position_`.
  void ComputeGroup() {
    base_.blocks->pad(base_, buffers_, position_, masks_padding_, reinterpret_cast<char*>(padded_));
    for (int64_t tile = 0; tile < layout_.channel_tiles; ++tile) {
      tile_channel_ = layout_.TileChannel(tile);
      tile_channels_ = layout_.TileChannel(tile + 1) - tile_channel_;
      if (tile_channels_ == 0) continue;
      for (const RowsSet& set : layout_.sets) ComputeSet(set);
    }
  }

  // Returns how many cells of the block have phase t along an axis. The last cell may lack its later phases.
  int64_t CellsWithPhase(size_t axis, size_t t) const {
    return CellsOfPhase(base_.axes[axis], t, position_.begin[axis], cells_[axis]);
  }

  // Computes a tile of output channels for the phases of a set. Joined rows are summed as one long row.
  void ComputeSet(const RowsSet& set) {
    const Axis& z = base_.axes[0].axis;
    const int64_t planes = CellsWithPhase(0, set.tz);
    for (size_t t = 0; t < set.ty_count; ++t) rows_[t] = CellsWithPhase(1, set.first_ty + t);
    const int64_t rows = rows_[0];  // the first phase has the most rows; later phases may have one row less
    const int64_t row_step = base_.joined_rows ? std::max<int64_t>(rows, 1) : 1;
    length_ = (row_step - 1) * base_.row_pitch + cells_[2];
    int64_t most_vectors = masks_padding_ ? 1 : kMostRowVectors;
    for (size_t u = 0; u < set.tiles; ++u) {
      most_vectors = std::min(most_vectors, RowVectors(layout_.tiles[set.first_tile + u].phases, tile_channels_));
    }
    shares_ = ShareCells(base_, length_, most_vectors);
    weights_ = buffers_.filter + (position_.group * base_.geometry.out_channels + tile_channel_) *
                                     base_.geometry.in_channels * base_.geometry.taps * kFloatBytes;
    stores_pairs_ = layout_.stores_pairs && !masks_padding_;
    if (stores_pairs_) {
      pair_input_ = InputOf(layout_.tiles[set.first_tile]);
      pairs_.type = base_.geometry.type;
      pairs_.row_step = base_.axes[2].axis.output * element_;
      pairs_.channel_step = base_.geometry.output_strides.channel * element_;
      pair_functions_ = kSumRowPairs[static_cast<size_t>(tile_channels_ - 1)].data();
    }
    const bool whole_rows = base_.geometry.output_strides.position == 1 && !base_.joined_rows;
    const int64_t row_calls = planes * (base_.joined_rows ? 1 : rows);  // of ComputeWholeRow or ComputeAnyRow
    tile_cache_lines_ = ShareOfLines(set_cache_lines_, row_calls * shares_.tiles * static_cast<int64_t>(set.tiles));
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t output_z = (position_.begin[0] + plane) * z.stride + static_cast<int64_t>(set.tz);
      for (int64_t row = 0; row < rows; row += row_step) {
        const float* const data = padded_ + plane * base_.plane_pitch + row * base_.row_pitch;
        if (whole_rows && row < rows_[set.ty_count - 1]) {
          ComputeWholeRow(set, data, output_z, row);
        } else {
          ComputeAnyRow(set, data, output_z, row);
        }
      }
    }
  }

  // Returns the input of a register tile. `data` is set later, for each place of the tile.
  RowsInput InputOf(const RowsTile& tile) const {
    const int64_t in_channels = base_.geometry.in_channels;
    RowsInput input;
    input.channel_pitch = base_.channel_pitch;
    input.in_channels = in_channels;
    input.steps = layout_.steps.data() + tile.first_step;
    input.step_count = tile.steps;
    input.weights = weights_ + static_cast<int64_t>(tile.first_tap) * in_channels * tile_channels_ * kFloatBytes;
    return input;
  }

  // Calls the register tiles from `tile` to `last` - 1 of a row for all phases of a set. Their sums lie side by side.
  void SumTiles(const RowsSet& set, const float* data, int64_t tile, int64_t last) {
    const int64_t column = shares_.Column(tile);
    for (size_t u = 0; u < set.tiles; ++u) {
      const RowsTile& rows_tile = layout_.tiles[set.first_tile + u];
      const auto& by_vectors = kSumRows[static_cast<size_t>(rows_tile.phases)][static_cast<size_t>(tile_channels_ - 1)];
      RowsInput input = InputOf(rows_tile);
      float* sums = sums_ + rows_tile.first_x * tile_channels_ * base_.sum_pitch;
      for (int64_t i = tile; i < last; ++i) {
        input.data = data + shares_.Column(i);
        next_block_.Fetch(tile_cache_lines_);
        by_vectors[masks_padding_ ? 0 : static_cast<size_t>(shares_.Vectors(i))](
            input, {sums + (shares_.Column(i) - column), base_.sum_pitch});
      }
    }
  }

  // Calls `visit(sums, to)` for each row of outputs of a set and each channel. `sums` is the number of its first row of
  // sums in scratch. `to` is `first`, moved from the first row and channel to this row and channel.
  template <class Visit>
  HWY_INLINE void VisitOutputRows(const RowsSet& set, char* first, const Visit& visit) const {
    const int64_t row_bytes = base_.axes[2].axis.output * element_;
    const int64_t channel_bytes = base_.geometry.output_strides.channel * element_;
    for (size_t t = 0; t < set.ty_count; ++t) {
      for (int64_t channel = 0; channel < tile_channels_; ++channel) {
        visit(static_cast<int64_t>(t) * phases_x_ * tile_channels_ + channel,
              first + static_cast<int64_t>(t) * row_bytes + channel * channel_bytes);
      }
    }
  }

  // Computes one row of cells. The outputs are planar, rows are not joined, and each phase in y has outputs in the row.
  // Unlike ComputeAnyRow, this function computes the addresses of the outputs once for the whole row.
  void ComputeWholeRow(const RowsSet& set, const float* data, int64_t output_z, int64_t row) {
    Fragment fragment = SumsOf(set, 0, output_z, row);
    fragment.first_cell = position_.begin[2];
    fragment.cells = cells_[2];
    const FragmentOutputs outputs = OutputsOf(base_, position_, fragment, buffers_.output);
    const int64_t stride = base_.axes[2].axis.stride;
    const bool row_streams = IsStreamed(base_, outputs.first);
    // Stores that bypass the caches write only whole vectors. Two vectors of sums make two vectors of outputs.
    const bool has_part = outputs.count % (2 * shares_.lanes) != 0;
    if (stores_pairs_ && !(row_streams && has_part)) return ComputePairRow(set, data, outputs, row_streams);
    for (int64_t tile = 0; tile < shares_.tiles; tile += shares_.together) {
      const int64_t last = std::min(tile + shares_.together, shares_.tiles);
      const int64_t column = shares_.Column(tile);
      const int64_t cells = std::min(shares_.Column(last), length_) - column;
      const int64_t count = std::min(cells * stride, outputs.count - column * stride);
      char* const first = outputs.first + column * stride * element_;
      const bool streams = IsStreamed(base_, first);
      if (base_.fetches_outputs && !streams) FetchOutputs(set, first, count);
      SumTiles(set, data, tile, last);
      // Most tiles are whole. The test saves a division, which takes tens of cycles on some CPUs.
      const int64_t whole = count == cells * stride ? cells : count / stride;
      const int64_t rest = count - whole * stride;
      VisitOutputRows(set, first, [&](int64_t sums, char* to) {
        ChannelOfCells channel;
        channel.sums = reinterpret_cast<const char*>(sums_ + sums * base_.sum_pitch);
        channel.phase_pitch = tile_channels_ * base_.sum_pitch;
        channel.stride = stride;
        channel.whole_cells = whole;
        channel.rest_phases = rest;
        channel.streams = streams;
        base_.blocks->store_channel(channel, to);
      });
    }
  }

  // Prefetches `count` outputs of each row and channel.
  void FetchOutputs(const RowsSet& set, char* first, int64_t count) const {
    VisitOutputRows(set, first, [&](int64_t, char* to) { FetchLines(to, to + count * element_); });
  }

  // Computes a row as ComputeWholeRow does, with the register tile that stores pairs. A tile has few products, so its
  // addresses are those of the tile before it, moved by its cells.
  void ComputePairRow(const RowsSet& set, const float* data, const FragmentOutputs& outputs, bool streams) {
    pair_input_.data = data;
    pairs_.first = outputs.first;
    pairs_.count = outputs.count;
    pairs_.streams = streams;
    const bool fetches = base_.fetches_outputs && !streams;
    for (int64_t tile = 0; tile < shares_.tiles; ++tile) {
      const int64_t vectors = shares_.Vectors(tile);
      const int64_t count = 2 * vectors * shares_.lanes;
      next_block_.Fetch(tile_cache_lines_);
      if (fetches) FetchPairs(set, std::min(count, pairs_.count) * element_);
      pair_functions_[vectors](pair_input_, pairs_);
      pair_input_.data += vectors * shares_.lanes;
      pairs_.first += count * element_;
      pairs_.count -= count;
    }
  }

  // Prefetches `bytes` bytes of each row and channel of `pairs_`.
  void FetchPairs(const RowsSet& set, int64_t bytes) const {
    const char* row = pairs_.first;
    for (size_t t = 0; t < set.ty_count; ++t, row += pairs_.row_step) {
      const char* to = row;
      for (int64_t channel = 0; channel < tile_channels_; ++channel, to += pairs_.channel_step)
        FetchLines(to, to + bytes);
    }
  }

  // Computes `length_` cells from `data` on; the first cell lies in `row`. Used for joined rows, for channels last, and
  // for the last row if some phases in y do not have it. Sums of several register tiles go to scratch side by side and
  // are stored together.
  void ComputeAnyRow(const RowsSet& set, const float* data, int64_t output_z, int64_t row) {
    for (int64_t tile = 0; tile < shares_.tiles; tile += shares_.together) {
      const int64_t last = std::min(tile + shares_.together, shares_.tiles);
      const int64_t column = shares_.Column(tile);
      const int64_t cells = std::min(shares_.Column(last), length_) - column;
      const auto span_of = [&](size_t t) { return CellSpan{column, cells, cells_[2], rows_[t] - row}; };
      for (size_t t = 0; t < set.ty_count; ++t) {
        PrefetchOutputs(base_, position_, span_of(t), SumsOf(set, t, output_z, row), buffers_.output);
      }
      SumTiles(set, data, tile, last);
      for (size_t t = 0; t < set.ty_count; ++t) {
        base_.blocks->store_span(base_, position_, span_of(t), SumsOf(set, t, output_z, row), buffers_.output);
      }
    }
  }

  // Returns where the sums of phase `t` in y lie in scratch, and to which row of outputs they belong. It is the row of
  // this phase in the cells of `row`.
  Fragment SumsOf(const RowsSet& set, size_t t, int64_t output_z, int64_t row) const {
    const Axis& y = base_.axes[1].axis;
    Fragment fragment;
    fragment.sums =
        reinterpret_cast<const char*>(sums_ + static_cast<int64_t>(t) * phases_x_ * tile_channels_ * base_.sum_pitch);
    fragment.channels = tile_channels_;
    fragment.first_channel = tile_channel_;
    fragment.output_row =
        output_z * y.output + (position_.begin[1] + row) * y.stride + static_cast<int64_t>(set.first_ty + t);
    return fragment;
  }

  const RowsLayout& layout_;
  const PhasedLayout& base_;
  const RunBuffers& buffers_;
  const int64_t element_;  // bytes of an output
  float* padded_;          // the padded copy of the data, in scratch
  float* sums_;            // sums that are not stored yet, in scratch
  TaskPosition position_;
  std::array<int64_t, 3> cells_ = {};              // cells of the block along each axis
  int64_t phases_x_ = 0;                           // phases in x
  std::array<int64_t, kRowsPhases[0]> rows_ = {};  // the rows of the set's phases in y
  int64_t length_ = 0;                             // cells of a row, or of all joined rows
  TileShares shares_;
  // The input and the outputs of tiles that store pairs. ComputeSet sets the members that are equal for all tiles of a
  // set.
  bool stores_pairs_ = false;
  RowsInput pair_input_;
  RowsPairs pairs_;
  const SumRowPairsFunction* pair_functions_ = nullptr;  // indexed by the number of vectors
  BlockFetch next_block_;
  int64_t set_cache_lines_ = 0;    // of the next block, to prefetch in each set of a tile of channels
  int64_t tile_cache_lines_ = 0;   // of these, to prefetch in each register tile
  int64_t tile_channel_ = 0;       // first output channel of the register tile
  int64_t tile_channels_ = 0;      // output channels of the tile
  const char* weights_ = nullptr;  // weights of the tile of channels
  bool masks_padding_ = false;     // the filter has NaN or Inf, so padding is masked instead of multiplied
};

inline void RunRowsTask(const RowsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  RowsTask(layout, buffers, task, scratch).Run();
}

// Returns the code of this target for an element type.
inline RowsKernels RowsKernelsOf(deconv_type type) {
  const hn::ScalableTag<float> d;
  RowsKernels kernels;
  kernels.lanes = static_cast<int64_t>(hn::Lanes(d));
  kernels.columns = kMostRowVectors * kernels.lanes;
  kernels.streams = HWY_ARCH_X86;
  kernels.stores_pairs = DECONV_HAS_ROW_PAIRS && VisitFloatType(type, []<class T>() { return kJoinsPairs<T>; });
  kernels.prefers_pairs = kVectorRegisters == 32;
  kernels.most_phases = kMostTilePhases;
  kernels.channels = [](int64_t phases) { return RowChannels(phases); };
  kernels.vectors = [](int64_t phases, int64_t channels) { return RowVectors(phases, channels); };
  kernels.run = &RunRowsTask;
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_ROWS_ROWS_INL_H_
