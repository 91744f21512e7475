// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of the algorithm "phased", compiled for each target (instruction set). A phase is the outputs with the same
// remainder modulo the stride; a cell is neighbouring outputs, one of each phase. A task computes a block of cells for
// some output channels:
//   ComputeGroup      copies the data of a group to scratch, with zeros as padding; loops over tiles of output channels
//   ComputePhase      computes one phase in z and y: loops over its rows of cells
//   ComputeRow        sums some register tiles of a row side by side for all phases in x; stores their sums interleaved
//   ComputePairTiles  sums the tiles that store both phases in x from registers (phased_pair-inl.h). ComputeRow calls
//                     this function first, and does the rest itself.
// Before each register tile, some data of the block that the thread will copy next are prefetched. Such data are
// counted in cache lines. A "row" is always a row of cells or of outputs. (The layout calls the channels of a tile
// rows.)

#if defined(DECONV_KERNEL_PHASED_PHASED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_INL_H_
#endif

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernel/blocks/block_layout.h"
#include "kernel/blocks/fetch_outputs.h"
#include "kernel/phased/phased_layout.h"
#include "kernel/phased/phased_pair-inl.h"
#include "kernel/phased/phased_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// Runs one task. C is the type of the sums: float, double, uint32_t or uint64_t.
template <class C>
class PhasedTask {
 public:
  PhasedTask(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout),
        buffers_(buffers),
        element_(layout.ElementSize()),
        padded_(reinterpret_cast<C*>(scratch)),
        next_block_(FetchOfNextBlock(layout, buffers, task)) {
    const size_t padded_bytes = static_cast<size_t>(layout.padded_elements) * sizeof(C);
    sums_ =
        reinterpret_cast<C*>(scratch + (padded_bytes + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment);
    const PhasedTaskWork work = WorkOfTask(layout, task);
    position_ = work.block;
    cells_ = work.cells;
    channel_begin_ = work.range * layout.channel_range;
    channel_end_ = std::min(channel_begin_ + layout.channel_range, layout.geometry.out_channels);
  }

  void Run() {
    masks_padding_ = !buffers_.filter_is_finite;
    const int64_t tiles = DivideUp(channel_end_ - channel_begin_, layout_.tile.rows);
    const auto phases =
        static_cast<int64_t>(layout_.axes[0].phases.phases.size() * layout_.axes[1].phases.phases.size());
    phase_cache_lines_ = ShareOfLines(next_block_.Lines(), tiles * phases);
    for (const int64_t last = position_.group + layout_.task_groups; position_.group < last; ++position_.group)
      ComputeGroup();
    if (layout_.streams_outputs) hwy::FlushStream();
  }

 private:
  // Computes the block and the output channels of the task for the group of `position_`.
  void ComputeGroup() {
    layout_.blocks->pad(layout_, buffers_, position_, masks_padding_, reinterpret_cast<char*>(padded_));
    const Geometry& geometry = layout_.geometry;
    for (int64_t channel = channel_begin_; channel < channel_end_;) {
      tile_channels_ = TileRows(channel, geometry.out_channels, layout_.tile.rows);
      tile_channel_ = channel;
      weights_ = buffers_.filter + (position_.group * geometry.out_channels + channel) * geometry.in_channels *
                                       geometry.taps * static_cast<int64_t>(sizeof(C));
      for (size_t tz = 0; tz < layout_.axes[0].phases.phases.size(); ++tz) {
        for (size_t ty = 0; ty < layout_.axes[1].phases.phases.size(); ++ty) ComputePhase(tz, ty);
      }
      channel += tile_channels_;
    }
  }

  // Returns how many cells of the block have phase t along an axis. The last cell may lack its later phases.
  int64_t CellsWithPhase(size_t axis, size_t t) const {
    return CellsOfPhase(layout_.axes[axis], t, position_.begin[axis], cells_[axis]);
  }

  // Computes the tile of output channels for phase tz in z and phase ty in y. Joined rows are summed
  // as one long row, with the padding between them. Rows are joined if that wastes fewer lanes than the last vector of
  // each row, or if whole vectors of a row do not fill a tile (PlaceRows in phased_layout.cc). Tiles that mask padding
  // exist for one vector only, because filters with NaN or Inf are rare.
  void ComputePhase(size_t tz, size_t ty) {
    const int64_t planes = CellsWithPhase(0, tz);
    const int64_t rows = CellsWithPhase(1, ty);
    const Axis& z = layout_.axes[0].axis;
    const Axis& y = layout_.axes[1].axis;
    const int64_t row_step = layout_.joined_rows ? std::max<int64_t>(rows, 1) : 1;
    length_ = (row_step - 1) * layout_.row_pitch + cells_[2];
    shares_ = ShareCells(layout_, length_, masks_padding_ ? 1 : VectorsFor(tile_channels_));
    const int64_t row_calls = planes * (layout_.joined_rows ? 1 : rows);  // of ComputeRow
    tile_cache_lines_ = ShareOfLines(
        phase_cache_lines_, row_calls * shares_.tiles * static_cast<int64_t>(layout_.axes[2].phases.phases.size()));
    // The tile of pairs has half of the channels of a full tile (ComputePairTile). Narrower tiles have no such half.
    stores_pairs_ = layout_.stores_pairs && !masks_padding_ && tile_channels_ == kFullTileChannels;
    if (stores_pairs_) pair_input_ = PairInputOf(layout_.axes[0].phases.phases[tz], layout_.axes[1].phases.phases[ty]);
    for (int64_t plane = 0; plane < planes; ++plane) {
      const int64_t output_z = (position_.begin[0] + plane) * z.stride + static_cast<int64_t>(tz);
      for (int64_t row = 0; row < rows; row += row_step) {
        const int64_t output_y = (position_.begin[1] + row) * y.stride + static_cast<int64_t>(ty);
        ComputeRow(tz, ty, padded_ + plane * layout_.plane_pitch + row * layout_.row_pitch,
                   output_z * y.output + output_y, row_step);
      }
    }
  }

  // Sums and stores `length_` cells from `data` on, which belong to `rows` rows. `output_row` is the row of outputs of
  // the first cell. Scratch holds the sums of several register tiles side by side, which are stored together.
  void ComputeRow(size_t tz, size_t ty, const C* data, int64_t output_row, int64_t rows) {
    const Phase& pz = layout_.axes[0].phases.phases[tz];
    const Phase& py = layout_.axes[1].phases.phases[ty];
    const std::vector<Phase>& phases = layout_.axes[2].phases.phases;
    Fragment fragment;
    fragment.sums = reinterpret_cast<const char*>(sums_);
    fragment.channels = tile_channels_;
    fragment.first_channel = tile_channel_;
    fragment.output_row = output_row;
    fragment.first_cell = position_.begin[2];
    const int64_t pair_tiles = stores_pairs_ ? ComputePairTiles(data, fragment) : 0;
    PhasedTileInput<C> input;
    input.channel_pitch = layout_.channel_pitch;
    input.channels = layout_.geometry.in_channels;
    for (int64_t tile = pair_tiles; tile < shares_.tiles; tile += shares_.together) {
      const int64_t last = std::min(tile + shares_.together, shares_.tiles);
      const int64_t column = shares_.Column(tile);
      const CellSpan span = {column, std::min(shares_.Column(last), length_) - column, cells_[2], rows};
      PrefetchOutputs(layout_, position_, span, fragment, buffers_.output);
      for (size_t tx = 0; tx < phases.size(); ++tx) {
        const int64_t taps_before = TapsBefore(layout_.axes, pz, py, phases[tx]);
        input.offsets = layout_.offsets.data() + taps_before;
        input.taps = pz.taps * py.taps * phases[tx].taps;
        input.weights = weights_ + taps_before * input.channels * tile_channels_ * static_cast<int64_t>(sizeof(C));
        C* sums = sums_ + static_cast<int64_t>(tx) * tile_channels_ * layout_.sum_pitch;
        for (int64_t i = tile; i < last; ++i) {
          input.data = data + shares_.Column(i);
          next_block_.Fetch(tile_cache_lines_);
          RunPhasedTile(input, tile_channels_, shares_.Vectors(i), masks_padding_, sums + (shares_.Column(i) - column),
                        layout_.sum_pitch);
        }
      }
      layout_.blocks->store_span(layout_, position_, span, fragment, buffers_.output);
    }
  }

  // Returns the input of RunPhasedPair for a phase in z and y. Data and outputs are set later, for each tile.
  PhasedPairInput PairInputOf(const Phase& pz, const Phase& py) const {
    PhasedPairInput input;
    input.channel_pitch = layout_.channel_pitch;
    input.channels = layout_.geometry.in_channels;
    input.taps = pz.taps * py.taps * layout_.axes[2].phases.phases[0].taps;
    input.weight_step = tile_channels_ * kFloatBytes;
    input.type = layout_.geometry.type;
    input.output_pitch = layout_.geometry.output_strides.channel * element_;
    for (size_t tx = 0; tx < 2; ++tx) {
      const int64_t taps_before = TapsBefore(layout_.axes, pz, py, layout_.axes[2].phases.phases[tx]);
      input.offsets[tx] = layout_.offsets.data() + taps_before;
      input.weights[tx] = weights_ + taps_before * input.channels * input.weight_step;
    }
    return input;
  }

  // Sums the first tiles of a row and stores their outputs from registers. Returns the number of these tiles.
  // `fragment` names the first row of outputs and the channels.
  int64_t ComputePairTiles([[maybe_unused]] const C* data, [[maybe_unused]] const Fragment& fragment) {
    int64_t tile = 0;
#if HWY_TARGET != HWY_SCALAR
    if constexpr (kHasPairs && std::is_same_v<C, float>) {
      char* const first_output = OutputsOf(layout_, position_, fragment, buffers_.output).first;
      for (; tile < shares_.tiles && SetPairOutputs(tile, first_output); ++tile) {
        pair_input_.data = data + shares_.Column(tile);
        ComputePairTile(shares_.Vectors(tile));
      }
    }
#endif
    return tile;
  }

  // Sets where RunPhasedPair will store the vectors of a tile. Returns false if a vector has cells outside of its row,
  // or if the row's last cell lacks its second phase.
  bool SetPairOutputs(int64_t tile, char* first_output) {
    const Axis& x = layout_.axes[2].axis;
    const int64_t lanes = layout_.tile.lanes;
    const int64_t row_step = layout_.axes[1].axis.stride * x.output * element_;
    pair_input_.streams = layout_.streams_outputs;
    for (int64_t vector = 0; vector < shares_.Vectors(tile); ++vector) {
      const int64_t column = shares_.Column(tile) + vector * lanes;
      const int64_t joined_row = layout_.joined_rows ? column / layout_.row_pitch : 0;
      const int64_t cell = column - joined_row * layout_.row_pitch;
      if (cell + lanes > cells_[2] || (position_.begin[2] + cell + lanes) * x.stride > x.output) return false;
      char* const output = first_output + joined_row * row_step + cell * x.stride * element_;
      pair_input_.outputs[static_cast<size_t>(vector)] = output;
      pair_input_.streams = pair_input_.streams && IsStreamed(layout_, output);
    }
    return true;
  }

#if HWY_TARGET != HWY_SCALAR
  // Sums and stores a tile for each half of its channels, because a tile of pairs has half as many channels.
  void ComputePairTile(int64_t vectors) {
    PhasedPairInput input = pair_input_;
    for (int64_t channel = 0; channel < kFullTileChannels; channel += kPairTileChannels) {
      for (size_t tx = 0; tx < 2; ++tx) input.weights[tx] = pair_input_.weights[tx] + channel * kFloatBytes;
      input.output_offset = channel * input.output_pitch;
      next_block_.Fetch(tile_cache_lines_);
      RunPhasedPair(hn::ScalableTag<C>(), input, vectors, layout_.same_offsets);
    }
  }
#endif

  const PhasedLayout& layout_;
  const RunBuffers& buffers_;
  const int64_t element_;  // bytes of an output
  C* padded_;              // the padded copy of the data, in scratch
  C* sums_;                // sums that are not stored yet, in scratch
  TaskPosition position_;
  std::array<int64_t, 3> cells_ = {};  // cells of the block along each axis
  int64_t channel_begin_ = 0;          // first output channel of the task
  int64_t channel_end_ = 0;            // behind its last one
  int64_t tile_channel_ = 0;           // first output channel of the register tile
  int64_t tile_channels_ = 0;          // output channels of the tile
  int64_t length_ = 0;                 // cells of a row, or of all joined rows
  TileShares shares_;
  bool stores_pairs_ = false;   // ComputePairTiles sums the first tiles of each row
  PhasedPairInput pair_input_;  // the input of a phase in z and y
  BlockFetch next_block_;
  int64_t phase_cache_lines_ = 0;  // of the next block, to prefetch in each phase in z and y of a tile of channels
  int64_t tile_cache_lines_ = 0;   // of these, to prefetch in each register tile
  const char* weights_ = nullptr;  // weights of the tile's channels
  bool masks_padding_ = false;     // the filter has NaN or Inf, so padding is masked instead of multiplied
};

template <class C>
void RunPhasedTask(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  PhasedTask<C>(layout, buffers, task, scratch).Run();
}

// Returns the code of this target for sums of type C.
template <class C>
PhasedKernels PhasedKernelsOf() {
  PhasedKernels kernels;
  kernels.tile = PhasedTileOfTarget<C>();
  kernels.run = &RunPhasedTask<C>;
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_INL_H_
