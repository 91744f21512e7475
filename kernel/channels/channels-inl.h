// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of the algorithm "channels", compiled for each target (instruction set). A cell is neighbouring outputs, one
// of each phase (remainder modulo the stride). A unit is the one, two or four input channels that a lane multiplies at
// once; a kc block is some units. The task computes a block of cells for some output channels:
//   copy the block of data to scratch, unless the register tile can read it in place
//   for each phase in z and y, each panel (rows x columns of cells), each block of output channels:
//     for each phase in x, each kc block: one pass (channels_pass-inl.h) adds products
//     store the sums of the panel, unless the passes stored them in the output
// A panel may sum all phases in y at once. If each register tile is summed for all groups in turn, one pass has all
// groups.

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
#include <type_traits>

#include "kernel/base/convert-inl.h"
#include "kernel/base/convert.h"
#include "kernel/channels/channels_ends.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_panel.h"
#include "kernel/channels/channels_pass-inl.h"
#include "kernel/channels/channels_tile-inl.h"
#include "kernel/channels/channels_weights.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// Describes the register tile of this target for the plan.
template <class P>
ChannelsTile ChannelsTileOfTarget() {
  const typename P::Tag d;
  ChannelsTile tile;
  tile.depth = P::kDepth;
  tile.supports_depthwise = P::kDepthwise;
  tile.lanes = static_cast<int64_t>(hn::Lanes(d));
  tile.store_lanes = HWY_HAVE_SCALABLE ? kQuad : static_cast<int64_t>(hn::Lanes(hn::ScalableTag<float>()));
  tile.sums_f32 = P::kDepth == 1 && std::is_same_v<typename P::Lane, float>;
  tile.shares_vectors = P::kGroups;
  tile.stores_bytes = P::kStoresBytes;
  tile.streams = HWY_ARCH_X86;
  tile.has_half_vectors = P::kHalf;
  tile.weight_bytes = P::kWeightBytes;
  tile.vectors = MostVectors<P>();
  for (int64_t vectors = 1; vectors <= tile.vectors; ++vectors) {
    tile.cells[static_cast<size_t>(vectors)] = CellsFor(vectors);
  }
  return tile;
}

// P says how a target multiplies (channels_products-inl.h).
template <class P>
class ChannelsTask {
 public:
  ChannelsTask(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout),
        buffers_(buffers),
        element_(static_cast<int64_t>(ElementBytes(layout.geometry.type))),
        work_(WorkOfTask(layout, task)),
        scratch_(scratch) {}

  void Run() const {
    const TaskData data = layout_.data.in_place ? DataInPlace() : CopiedData();
    for (size_t z = 0; z < layout_.axes[0].phases.phases.size(); ++z) {
      for (size_t y = 0; y < layout_.axes[1].phases.phases.size();
           y += static_cast<size_t>(layout_.panels.row_phases)) {
        RunPanels(data, {z, y});
      }
    }
    if (layout_.store.streams) hwy::FlushStream();
  }

 private:
  // A pass has fewer prefetches than FetchAfter counts: some cells lack taps, and joined taps round up their units only
  // once. So each prefetch loads 1.5 times its share of the lines. On Zen 3, a factor of 1 was as good or a little
  // slower (layers of 4x4 and 8x6 cells).
  static constexpr double kFetchRate = 1.5;

  // The data of the task's first group. Position 0 of the padded block lies `origin` units behind `data`; `origin` may
  // be negative in place.
  struct TaskData {
    const char* data = nullptr;
    int64_t origin = 0;
  };

  // Returns the data of the tensor itself.
  TaskData DataInPlace() const {
    const TensorStrides& strides = layout_.geometry.data_strides;
    const int64_t first = work_.block.batch * strides.batch +
                          work_.block.group * layout_.lane_groups * layout_.geometry.in_channels * strides.channel;
    const std::array<int64_t, 3> pitches = layout_.Pitches();
    TaskData data = {buffers_.data + first * element_, 0};
    for (size_t a = 0; a < 3; ++a) {
      data.origin += (work_.block.begin[a] - layout_.axes[a].phases.greatest_shift) * pitches[a];
    }
    return data;
  }

  // Copies the block of data to scratch and returns the copy.
  TaskData CopiedData() const {
    layout_.ends->copy(layout_, buffers_, work_.block, scratch_);
    return {scratch_, 0};
  }

  // Sums and stores all panels of a phase in z and y, or of a phase in z and all phases in y.
  void RunPanels(const TaskData& data, const std::array<size_t, 2>& phase) const {
    const int64_t planes = CellsOfPhase(layout_.axes[0], phase[0], work_.block.begin[0], work_.cells[0]);
    const int64_t rows = CellsOfPhase(layout_.axes[1], phase[1], work_.block.begin[1], work_.cells[1]);
    const int64_t columns = work_.cells[2];
    // If a tile is summed for all groups in turn, the pass of the first block sums the blocks of all groups.
    const int64_t step = layout_.tasks.sums_groups_by_tile ? work_.channels.last_block - work_.channels.first_block : 1;
    ChannelsPanel panel;
    panel.phase = phase;
    for (int64_t plane = 0; plane < planes; ++plane) {
      for (int64_t row = 0; row < rows; row += layout_.panels.rows) {
        for (int64_t cell = 0; cell < columns; cell += layout_.panels.cells) {
          panel.begin = {plane, row, cell};
          panel.end = {plane + 1, std::min(row + layout_.panels.rows, rows),
                       std::min(cell + layout_.panels.cells, columns)};
          panel.is_last = plane + 1 == planes && panel.end[1] == rows && panel.end[2] == columns;
          for (int64_t block = work_.channels.first_block; block < work_.channels.last_block; block += step) {
            RunPanel(data, panel, ChannelsOfBlock(layout_, block));
          }
        }
      }
    }
  }

  // Sums a panel for one block of output channels, and stores the sums.
  void RunPanel(const TaskData& data, const ChannelsPanel& panel, const PanelChannels& channels) const {
    char* const scratch = scratch_ + layout_.scratch.sums_offset;
    PanelSums sums = layout_.store.is_direct ? SumsInOutput(layout_, work_, panel, channels, buffers_.output)
                                             : SumsInScratch(layout_, panel, channels, scratch);
    // `first` moves from phase to phase. A copy of `sums` would wait for members that were just written.
    char* const first = sums.first;
    for (int64_t y = 0; y < layout_.panels.row_phases; ++y) {
      const ChannelsPanel rows = RowsOfPhase(panel, y);
      sums.first = first + y * sums.step_of_phase_y;
      if (rows.Rows() > 0) SumRows(data, rows, channels, sums);
    }
    sums.first = first;
    if (!layout_.store.is_direct) layout_.ends->store(layout_, work_, panel, channels, sums, buffers_.output);
  }

  // Returns the rows of a panel that belong to phase panel.phase[1] + y. The last cells of the output may lack it.
  ChannelsPanel RowsOfPhase(const ChannelsPanel& panel, int64_t y) const {
    ChannelsPanel rows = panel;
    rows.phase[1] += static_cast<size_t>(y);
    rows.end[1] = CellsOfPhase(layout_.axes[1], rows.phase[1], work_.block.begin[1], panel.end[1]);
    return rows;
  }

  // Runs all passes of a panel for one phase in z and y.
  void SumRows(const TaskData& data, const ChannelsPanel& panel, const PanelChannels& channels,
               const PanelSums& sums) const {
    for (size_t x = 0; x < static_cast<size_t>(layout_.PhasesOfX()); ++x) {
      for (int64_t unit = 0; unit == 0 || unit < layout_.channels.units; unit += layout_.panels.kc) {
        SumPass(data, panel, channels, sums, {{panel.phase[0], panel.phase[1], x}, channels.index, unit});
      }
    }
  }

  // Returns the values that all tiles of a pass share.
  ChannelsPass MakePass(const TaskData& data, const ChannelsPanel& panel, const PanelChannels& channels,
                        const PanelSums& sums, const PassPosition& position) const {
    ChannelsPass pass;
    for (size_t a = 0; a < 3; ++a) pass.phases[a] = &layout_.axes[a].phases.phases[position.phase[a]];
    pass.vectors = channels.vectors;
    pass.units = UnitsOfPass(layout_, position);
    pass.tap_bytes = pass.units * channels.vectors * layout_.tile.lanes * layout_.tile.weight_bytes;
    pass.weights = buffers_.filter + WeightsOfPass(layout_, work_.channels, position).begin;
    pass.filter_is_finite = buffers_.filter_is_finite;
    pass.continues_sums = position.unit > 0;
    pass.last_lanes = channels.last_lanes;
    if (layout_.tasks.sums_groups_by_tile) pass.groups = work_.channels.last_block - work_.channels.first_block;
    pass.data = data.data;
    pass.data_offset = (data.origin + panel.begin[0] * layout_.data.plane_pitch +
                        channels.group * layout_.GroupUnits() + (layout_.depthwise ? channels.first : position.unit)) *
                       layout_.data.unit_bytes;
    pass.begin = {panel.begin[1], panel.begin[2]};
    pass.sums = sums;
    pass.sums.first += static_cast<int64_t>(position.phase[2]) * sums.phase_step;
    pass.streams = layout_.store.streams && reinterpret_cast<uintptr_t>(pass.sums.first) % kLineBytes == 0;
    return pass;
  }

  // Returns the weights that the tiles of a pass prefetch: the weights of the next pass, in parts of equal size.
  WeightsToFetch FetchAfter(const ChannelsPanel& panel, const ChannelsPass& pass, const PassPosition& position) const {
    WeightsToFetch fetch;
    const std::optional<PassPosition> next = NextPass(layout_, work_.channels, position, panel.is_last);
    if (!next) return fetch;
    const WeightsRange weights = WeightsOfPass(layout_, work_.channels, *next);
    fetch.next = buffers_.filter + weights.begin;
    fetch.end = fetch.next + weights.bytes;
    const int64_t tiles = DivideUp(panel.Rows() * panel.Columns(), layout_.TileCells(pass.vectors));
    const int64_t fetches = tiles * TapsOfPass(layout_, position) * DivideUp(pass.units, kUnitsOfFetch);
    fetch.lines = static_cast<int64_t>(
        std::ceil(kFetchRate * static_cast<double>(weights.bytes) / static_cast<double>(fetches * kLineBytes)));
    return fetch;
  }

  // Adds the products of one pass to the sums of a panel.
  void SumPass(const TaskData& data, const ChannelsPanel& panel, const PanelChannels& channels, const PanelSums& sums,
               const PassPosition& position) const {
    const ChannelsPass pass = MakePass(data, panel, channels, sums, position);
    if (layout_.depthwise) {
      if constexpr (P::kDepthwise) {
        VisitRanges(panel, position, [&](const CellRange& range) { SumDepthwiseRange<P>(layout_, pass, range); });
      }
      return;
    }
    const bool fetches = layout_.panels.fetches_weights;
    WeightsToFetch to_fetch;
    if (fetches) to_fetch = FetchAfter(panel, pass, position);
    PassTiles<P> tiles(layout_, pass, fetches ? &to_fetch : nullptr);
    VisitRanges(panel, position, [&](const CellRange& range) { tiles.Add(range); });
    tiles.Flush();
  }

  // Calls `visit` with each range of the panel's cells that have the same valid taps.
  template <class Visit>
  void VisitRanges(const ChannelsPanel& panel, const PassPosition& position, const Visit& visit) const {
    const TaskPosition& block = work_.block;
    const int64_t columns = CellsOfPhase(layout_.axes[2], position.phase[2], block.begin[2], panel.end[2]);
    const std::vector<TapRun>& z_runs = layout_.runs[0][position.phase[0]];
    const int64_t z = block.begin[0] + panel.begin[0];
    const TapRun& z_run = *std::find_if(z_runs.begin(), z_runs.end(), [z](const TapRun& run) { return z < run.end; });
    for (const TapRun& y_run : layout_.runs[1][position.phase[1]]) {
      CellRange range;
      range.first_row = std::max(y_run.begin - block.begin[1], panel.begin[1]);
      range.end_row = std::min(y_run.end - block.begin[1], panel.end[1]);
      if (range.first_row >= range.end_row) continue;
      // The runs go from the last to the first. So a row of one cell for each run reads weights in memory order.
      const std::vector<TapRun>& x_runs = layout_.runs[2][position.phase[2]];
      for (auto x_run = x_runs.rbegin(); x_run != x_runs.rend(); ++x_run) {
        range.first_cell = std::max(x_run->begin - block.begin[2], panel.begin[2]);
        range.end_cell = std::min(x_run->end - block.begin[2], columns);
        if (range.first_cell >= range.end_cell) continue;
        range.taps = {{z_run.first_tap, y_run.first_tap, x_run->first_tap},
                      {z_run.end_tap, y_run.end_tap, x_run->end_tap}};
        visit(range);
      }
    }
  }

  const ChannelsLayout& layout_;
  const RunBuffers& buffers_;
  const int64_t element_;  // bytes of an element of data, and of an output
  const ChannelsTaskWork work_;
  char* const scratch_;
};

template <class P>
void RunChannelsTask(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  ChannelsTask<P>(layout, buffers, task, scratch).Run();
}

// Returns the code of this target that multiplies as P says, for elements of `type`.
template <class P>
ChannelsKernels ChannelsKernelsOf(deconv_type type) {
  ChannelsKernels kernels;
  kernels.tile = ChannelsTileOfTarget<P>();
  kernels.tile.widens_in_place = VisitType(type, []<class T>() { return kWidensByInstructions<T>; });
  kernels.run = &RunChannelsTask<P>;
  return kernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_INL_H_
