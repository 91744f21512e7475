// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One pass of the algorithm "channels": adds products to the sums of one phase of a panel, for one block of output
// channels. A panel is some rows and columns of cells. The products are those of one kc block (some units of input
// channels). Cells with the same valid taps (taps inside the data) form register tiles. A long row is cut into whole
// tiles. The other cells are gathered: a tile then has a pointer for each cell. Depthwise cells are summed row by row.
//
// Example: tiles of 6 cells, a panel of 2 rows by 14 cells, whose first and last columns lack a tap. Each row has a
// long part of 12 cells, that is 2 tiles. The 2 cells of the first column are gathered, and so are those of the last
// column. The 4 gathered cells share one tile with the taps of both columns if two tiles cost more products.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_PASS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_PASS_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_PASS_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_PASS_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "kernel/channels/channels_depthwise-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_panel.h"
#include "kernel/channels/channels_tile-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// The values that all tiles of a pass share.
struct ChannelsPass {
  std::array<const Phase*, 3> phases = {};
  int64_t vectors = 0;             // vectors of output channels
  int64_t units = 0;               // units of a tap
  int64_t tap_bytes = 0;           // bytes of the weights of a tap
  const char* weights = nullptr;   // the pass's weights in the packed filter
  bool filter_is_finite = true;    // if false, no weight may be multiplied by padding
  bool continues_sums = false;     // true: adds to the sums of earlier passes; false: begins with 0
  int64_t last_lanes = 0;          // lanes of the last vector that are stored
  bool streams = false;            // stores of the sums bypass the caches
  int64_t groups = 1;              // groups that are summed at a tile before the next tile
  const char* data = nullptr;      // data of the task
  int64_t data_offset = 0;         // bytes from `data` to cell 0 of row 0 in the panel's plane, first unit of the pass
  std::array<int64_t, 2> begin{};  // row and cell of the panel
  PanelSums sums;                  // the sums of the phase in x

  // Return where the data and the sums of a cell lie: bytes behind `data`, and an address. Row and cell are counted
  // from the first cell of the block.
  int64_t DataOf(const ChannelsLayout& layout, int64_t row, int64_t cell) const {
    return data_offset + (row * layout.data.row_pitch + cell * layout.data.cell_pitch) * layout.data.unit_bytes;
  }
  char* SumsOf(int64_t row, int64_t cell) const {
    return sums.first + (row - begin[0]) * sums.row_step + (cell - begin[1]) * sums.cell_step;
  }
};

// The taps that a tile sums: a range of taps of the phase for each axis (z, y, x).
struct TapRanges {
  std::array<int64_t, 3> first = {};
  std::array<int64_t, 3> end = {};  // behind the last tap

  bool operator==(const TapRanges&) const = default;
  int64_t Count() const {
    int64_t count = 1;
    for (size_t a = 0; a < 3; ++a) count *= end[a] - first[a];
    return count;
  }
  // Returns the smallest ranges that hold the taps of both objects. If one has no taps, returns the other one.
  TapRanges With(const TapRanges& other) const {
    if (Count() == 0) return other;
    if (other.Count() == 0) return *this;
    TapRanges both;
    for (size_t a = 0; a < 3; ++a) {
      both.first[a] = std::min(first[a], other.first[a]);
      both.end[a] = std::max(end[a], other.end[a]);
    }
    return both;
  }
};

// A rectangle of cells with the same valid taps. Rows and cells are counted from the first cell of the block.
struct CellRange {
  TapRanges taps;
  int64_t first_row = 0;
  int64_t end_row = 0;  // behind the last one
  int64_t first_cell = 0;
  int64_t end_cell = 0;  // behind the last one
};

// Joins the taps of x to one tap with more units, if their data lie one behind the other. Their weights always do.
// Example: three taps of 5 units, whose data are 5 units apart, become one tap of 15 units.
HWY_INLINE void JoinTaps(TileTaps& taps) {
  BoxAxis& x = taps.box[2];
  if (x.taps < 2 || x.data_step != taps.units * kUnitBytes) return;
  taps.units *= x.taps;
  x.taps = 1;
}

// Sets the weights and units that a tile reads for the taps of `ranges`. Returns how many bytes the data of the first
// of these taps lie behind a cell's own position.
inline int64_t SetTapAddresses(const ChannelsLayout& layout, const ChannelsPass& pass, const TapRanges& ranges,
                               TileTaps& taps) {
  const std::array<int64_t, 3> pitches = layout.Pitches();
  int64_t weight_step = pass.tap_bytes;
  int64_t data_offset = 0;
  int64_t weight_offset = 0;
  for (size_t a = 3; a-- > 0;) {
    const Phase& phase = *pass.phases[a];
    BoxAxis& box = taps.box[a];
    box.taps = ranges.end[a] - ranges.first[a];
    box.weight_step = weight_step;
    // Taps of x are packed from the last to the first.
    const bool reversed = a == 2;
    const int64_t first_tap = reversed ? ranges.end[a] - 1 : ranges.first[a];
    box.data_step = (reversed ? 1 : -1) * phase.shift_step * pitches[a] * layout.data.unit_bytes;
    data_offset += (layout.axes[a].phases.greatest_shift - phase.first_shift - first_tap * phase.shift_step) *
                   pitches[a] * layout.data.unit_bytes;
    weight_offset += (reversed ? phase.taps - ranges.end[a] : first_tap) * weight_step;
    weight_step *= phase.taps;
  }
  taps.weights = pass.weights + weight_offset;
  taps.units = pass.units;
  if (!layout.depthwise && layout.lane_groups == 1) JoinTaps(taps);
  return data_offset;
}

// Sums a row of depthwise cells. Only for outputs of 32 bits, loops over one unit are compiled separately. Copied data
// with one unit are mostly f32, because narrower elements are read in place.
template <class P, class Data, class Output>
void SumDepthwiseRowOf(const DepthwiseRow& row) {
  if constexpr (sizeof(Output) == kUnitBytes) {
    if (row.taps.units == 1) return SumDepthwiseRow<DepthwiseKind<P, Data, Output, false>>(row);
  }
  SumDepthwiseRow<DepthwiseKind<P, Data, Output, true>>(row);
}

template <class P, class T>
void SumDepthwiseRangeAs(const ChannelsLayout& layout, const ChannelsPass& pass, const CellRange& range) {
  DepthwiseRow row;
  const int64_t tap_offset = SetTapAddresses(layout, pass, range.taps, row.taps);
  row.data = pass.data;
  row.cells = range.end_cell - range.first_cell;
  row.data_unit_step = layout.geometry.out_channels * kUnitBytes;
  row.weight_unit_step = pass.vectors * layout.tile.lanes * kUnitBytes;
  row.data_step = layout.data.cell_pitch * layout.data.unit_bytes;
  row.sums_step = pass.sums.cell_step;
  row.vectors = pass.vectors;
  row.last_lanes = pass.last_lanes;
  row.has_room = !layout.data.in_place;
  for (int64_t index = range.first_row; index < range.end_row; ++index) {
    row.first = pass.DataOf(layout, index, range.first_cell) + tap_offset;
    row.sums = pass.SumsOf(index, range.first_cell);
    row.streams = layout.store.streams && reinterpret_cast<uintptr_t>(row.sums) % kLineBytes == 0;
    // A copy consists of units. Data that are read in place consist of elements, one for each group.
    if constexpr (kWidensByInstructions<T>) {
      if (layout.data.in_place) {
        SumDepthwiseRow<DepthwiseKind<P, T, T, false>>(row);
        continue;
      }
    }
    SumDepthwiseRowOf<P, typename P::Lane, T>(row);
  }
}

// Sums a range of cells of a depthwise layout.
template <class P>
void SumDepthwiseRange(const ChannelsLayout& layout, const ChannelsPass& pass, const CellRange& range) {
  const deconv_type type = layout.geometry.type;
  if constexpr (std::is_same_v<typename P::Lane, float>) {
    if (type == DECONV_F16) return SumDepthwiseRangeAs<P, Float16>(layout, pass, range);
    if (type == DECONV_BF16) return SumDepthwiseRangeAs<P, BFloat16>(layout, pass, range);
    SumDepthwiseRangeAs<P, float>(layout, pass, range);
  } else {
    if (ElementBytes(type) == 1) return SumDepthwiseRangeAs<P, uint8_t>(layout, pass, range);
    SumDepthwiseRangeAs<P, uint16_t>(layout, pass, range);
  }
}

// The cost of one tap for each number of cells up to the largest tile, counted in products of a cell. Cells are cut
// into the compiled tiles: 7 cells into 6 + 1. A tile of one cell loads as many weights as one of two and takes as
// long: 7 cells cost 8.
inline constexpr std::array<int8_t, kMostCells + 1> kProductsOfCells = [] {
  constexpr int64_t kCheapestCells = 2;
  std::array<int8_t, kMostCells + 1> products{};
  for (int64_t cells = 0; cells <= kMostCells; ++cells) {
    int64_t rest = cells;
    int64_t sum = 0;
    for (const int64_t tile : kTileCells) {
      for (; rest >= tile; rest -= tile) sum += std::max(tile, kCheapestCells);
    }
    products[static_cast<size_t>(cells)] = static_cast<int8_t>(sum);
  }
  return products;
}();

// Makes register tiles of the added ranges of cells, and sums the tiles. Cells that fill no whole tile wait for cells
// of the next range. Flush() sums the cells that still wait.
template <class P>
class PassTiles {
 public:
  // `to_fetch`: the weights that tiles prefetch while they are summed, or null.
  PassTiles(const ChannelsLayout& layout, const ChannelsPass& pass, WeightsToFetch* to_fetch)
      : layout_(layout), pass_(pass), tile_cells_(layout.TileCells(pass.vectors)) {
    input_.data = pass.data;
    input_.continues_sums = pass.continues_sums;
    input_.stores_bytes = layout.store.is_direct && layout.geometry.type != DECONV_F32;
    input_.streams = pass.streams;
    input_.fetches_sums = layout.store.is_direct && !pass.continues_sums && !pass.streams;
    input_.last_lanes = pass.last_lanes;
    input_.to_fetch = to_fetch;
    input_.lane_units = layout.lane_units.data();
  }

  // Sums whole tiles of long rows at once and gathers the other cells. The range is passed by reference: a copy of it
  // took 8 % of the time of the smallest layer (spec_ex2 of kernel/bench/layers.txt).
  void Add(const CellRange& range) {
    const int64_t tiles = (range.end_cell - range.first_cell) / tile_cells_;
    if (!P::kLongRows || tiles < kLeastRowTiles) return Gather(range, range.first_cell);
    if constexpr (P::kLongRows) AddLongRows(range, tiles);
  }

  // Sums the gathered cells.
  void Flush() {
    if (gathered_cells_ == 0) return;
    const int64_t tap_offset = SetTapAddresses(layout_, pass_, gathered_taps_, input_.taps);
    for (size_t m = 0; m < static_cast<size_t>(gathered_cells_); ++m) input_.cells[m] += tap_offset;
    RunCells<P>(input_, gathered_cells_, pass_.vectors);
    if (pass_.groups > 1) RunFurtherGroups();
    gathered_cells_ = 0;
  }

 private:
  // The least tiles of a long row. With fewer tiles, the cells left over cost more than the saved address computations.
  static constexpr int64_t kLeastRowTiles = 2;

  // Returns the cost of one tap for `cells` cells: those of whole tiles, and kProductsOfCells for the rest.
  int64_t ProductsOf(int64_t cells) const {
    int64_t whole = 0;
    if (cells > tile_cells_) {  // without this test, the division makes the smallest layers slower
      whole = cells / tile_cells_ * tile_cells_;
      cells -= whole;
    }
    return whole + kProductsOfCells[static_cast<size_t>(cells)];
  }

  // Sums `tiles` whole tiles of each row, and gathers the cells behind them.
  void AddLongRows(const CellRange& range, int64_t tiles) {
    CellRow row;
    row.tiles = tiles;
    row.data_step = layout_.data.cell_pitch * kUnitBytes;
    row.sums_step = pass_.sums.cell_step;
    row.groups = pass_.groups;
    row.group_data_step = GroupDataStep();
    row.group_weight_step = GroupWeightStep();
    row.group_sums_step = GroupSumsStep();
    const int64_t tap_offset = SetTapAddresses(layout_, pass_, range.taps, input_.taps);
    for (int64_t index = range.first_row; index < range.end_row; ++index) {
      row.data = pass_.data + (pass_.DataOf(layout_, index, range.first_cell) + tap_offset);
      row.sums = pass_.SumsOf(index, range.first_cell);
      RunRow<P>(input_, row, pass_.vectors);
    }
    const int64_t done = range.first_cell + tiles * tile_cells_;
    if (done < range.end_cell) Gather(range, done);
  }

  // Steps in bytes from a group of the task to the next group. Each group has one block of channels.
  int64_t GroupDataStep() const { return layout_.GroupUnits() * kUnitBytes; }
  int64_t GroupWeightStep() const { return layout_.WeightsBefore(1, 0) * layout_.tile.weight_bytes; }
  int64_t GroupSumsStep() const {
    return layout_.geometry.out_channels * static_cast<int64_t>(ElementBytes(layout_.geometry.type));
  }

  // Called before `count` cells with other taps are gathered. They share a tile with the gathered cells if that costs
  // at most as many products as separate tiles. If not, the gathered cells are summed now. A shared tile multiplies
  // padding by weights. So cells never share a tile if the filter has NaN or Inf, or if the data are read in place
  // without padding.
  void JoinOrFlush(const TapRanges& taps, int64_t count) {
    if (gathered_cells_ > 0 && taps != gathered_taps_) {
      const TapRanges both = gathered_taps_.With(taps);
      const int64_t join = std::min(tile_cells_ - gathered_cells_, count);
      const int64_t joined =
          both.Count() * ProductsOf(gathered_cells_ + join) + taps.Count() * ProductsOf(count - join);
      const int64_t apart = gathered_taps_.Count() * ProductsOf(gathered_cells_) + taps.Count() * ProductsOf(count);
      const bool has_padding = pass_.filter_is_finite && !layout_.data.in_place;
      if (!has_padding || joined > apart) {
        Flush();
      } else {
        gathered_taps_ = both;
      }
    }
    if (gathered_cells_ == 0) gathered_taps_ = taps;
  }

  // Gathers the cells of each row from `first` on, and sums a tile each time that it is full.
  void Gather(const CellRange& range, int64_t first) {
    JoinOrFlush(range.taps, (range.end_row - range.first_row) * (range.end_cell - first));
    const int64_t data_step = layout_.data.cell_pitch * kUnitBytes;
    for (int64_t row = range.first_row; row < range.end_row; ++row) {
      const int64_t data = pass_.DataOf(layout_, row, first);
      char* const sums = pass_.SumsOf(row, first);
      for (int64_t cell = first; cell < range.end_cell; ++cell) {
        const auto at = static_cast<size_t>(gathered_cells_++);
        input_.cells[at] = data + (cell - first) * data_step;
        input_.sums[at] = sums + (cell - first) * pass_.sums.cell_step;
        if (gathered_cells_ == tile_cells_) {
          Flush();
          gathered_taps_ = range.taps;
        }
      }
    }
  }

  // Sums the gathered cells for the other groups of the task.
  void RunFurtherGroups() {
    for (int64_t group = 1; group < pass_.groups; ++group) {
      input_.data += GroupDataStep();
      input_.taps.weights += GroupWeightStep();
      input_.sums_offset += GroupSumsStep();
      RunCells<P>(input_, gathered_cells_, pass_.vectors);
    }
    input_.data = pass_.data;
    input_.sums_offset = 0;
  }

  const ChannelsLayout& layout_;
  const ChannelsPass& pass_;
  const int64_t tile_cells_;  // cells of a full tile
  ScatteredInput input_;
  int64_t gathered_cells_ = 0;
  TapRanges gathered_taps_;  // the taps of the gathered cells
};

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_PASS_INL_H_
