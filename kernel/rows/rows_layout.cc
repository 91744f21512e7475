// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the layout of the algorithm "rows": decides which phases share a register tile, and estimates cycles. A phase
// is the outputs with the same remainder modulo the stride. Phases that share a tile load their data only once. Layers
// such as grouped32 are operators of kernel/bench/layers.txt.
//
// Example: strides of 2 in y and x, so four phases. Either all share a tile (2 rows x 2), or the two phases of a row
// share one (1 x 2), or none share one (1 x 1). Each way is estimated, and the cheapest one is taken.
#include "kernel/rows/rows_layout.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "kernel/base/cpu_class.h"
#include "kernel/phased/phased_cost.h"

namespace deconv {
namespace {

// Operators with more output channels are left to the other algorithms, which cut channels into tasks.
constexpr int64_t kMostChannels = 64;
// A guess: no real operator has strides with more phases. The limit bounds the tables of steps.
constexpr size_t kMostPhases = 4096;
constexpr int64_t kMostTileVectors = 64;  // more than any tile has
// A sample is cut into so many blocks, enough for eight threads. With many workers, blocks may be so small that
// neighbouring blocks copy up to half of a block's cells again.
constexpr int64_t kWantedBlocks = 8;
constexpr int64_t kLeastReuseOfMany = 2;
// Another way to share tiles is chosen only if its estimate is below this share of the best one so far. The first way
// in the list was measured most.
constexpr double kClearlyLess = 0.95;
// The same limit if the best way so far may store pairs of phases, because the estimate does not count the gain of
// pairs. Measured on Zen 4: with pairs, f32 layers took 0.7 to 1 of their time. Only grouped32 and s2_dil3 took about
// 1.5 times as long, and another algorithm is chosen for these layers. A packed filter serves all layouts and sizes of
// data, so operators with channels last and with joined rows share tiles in the same way. Targets with 16 registers do
// not prefer pairs.
constexpr double kLessThanPairs = 0.8;

// Returns the greatest compiled number of phases that is at most `most_phases`.
int64_t CompiledPhases(int64_t most_phases) {
  return *std::find_if(std::begin(kRowsPhases), std::end(kRowsPhases),
                       [most_phases](int64_t compiled) { return compiled <= most_phases; });
}

// A tap of one phase of a tile. `reach` is the distance of its data element from the first element that any tap of the
// cell reads, along z, y and x.
struct Contribution {
  std::array<int64_t, 3> reach = {};
  int64_t phase = 0;  // index of the phase in the tile
  int64_t tap = 0;    // tap of the filter
};

// Appends all taps of a phase, which is number `phase` of its tile.
void CollectContributions(const BlockAxes& axes, const std::array<const Phase*, 3>& phases, int64_t phase,
                          std::vector<Contribution>& found) {
  const auto& [pz, py, px] = phases;
  for (int64_t i = 0; i < pz->taps * py->taps * px->taps; ++i) {
    const std::array<int64_t, 3> taps = {i / (py->taps * px->taps), i / px->taps % py->taps, i % px->taps};
    Contribution c = {{}, phase, 0};
    for (size_t a = 0; a < 3; ++a) {
      c.reach[a] = axes[a].phases.greatest_shift - (phases[a]->first_shift + taps[a] * phases[a]->shift_step);
      c.tap = c.tap * axes[a].axis.kernel + phases[a]->first_tap + taps[a] * phases[a]->tap_step;
    }
    found.push_back(c);
  }
}

// Adds a register tile of `x_count` phases in x from `first_x` on. Taps that read the same data form one step.
void AddTile(const PhasedLayout& base, const RowsSet& set, int64_t first_x, int64_t x_count, RowsLayout& layout) {
  const auto& [z, y, x] = base.axes;
  std::vector<Contribution> found;
  for (size_t ty = 0; ty < set.ty_count; ++ty) {
    for (int64_t tx = 0; tx < x_count; ++tx) {
      CollectContributions(base.axes,
                           {&z.phases.phases[set.tz], &y.phases.phases[set.first_ty + ty],
                            &x.phases.phases[static_cast<size_t>(first_x + tx)]},
                           static_cast<int64_t>(ty) * x_count + tx, found);
    }
  }
  // This order is that of the packed weights. It must not depend on the size or layout of the data, because a packed
  // filter serves all of them.
  std::sort(found.begin(), found.end(), [](const Contribution& a, const Contribution& b) {
    return std::tie(a.reach, a.phase) < std::tie(b.reach, b.phase);
  });
  RowsTile tile;
  tile.first_x = first_x;
  tile.x_count = x_count;
  tile.phases = static_cast<int64_t>(set.ty_count) * x_count;
  tile.first_step = layout.steps.size();
  tile.first_tap = layout.tiles.empty() ? 0 : layout.tiles.back().first_tap + layout.tiles.back().taps;
  tile.taps = found.size();
  for (size_t i = 0; i < found.size(); ++i) {
    const Contribution& c = found[i];
    if (i == 0 || c.reach != found[i - 1].reach) {
      layout.steps.push_back({c.reach[0] * base.plane_pitch + c.reach[1] * base.row_pitch + c.reach[2], 0});
    }
    layout.steps.back().mask |= uint32_t{1} << c.phase;
    layout.tap_positions[static_cast<size_t>(c.tap)] = {static_cast<int64_t>(tile.first_tap),
                                                        static_cast<int64_t>(tile.taps), static_cast<int64_t>(i)};
  }
  tile.steps = layout.steps.size() - tile.first_step;
  layout.tiles.push_back(tile);
}

// Returns the ways to share tiles of at most `most_phases` phases: first all phases of y and x in one tile, then fewer
// and fewer phases of one row.
std::vector<RowsSharing> WaysToShare(int64_t y_phases, int64_t x_phases, int64_t most_phases) {
  std::vector<RowsSharing> ways;
  if (y_phases > 1 && y_phases * x_phases <= most_phases &&
      CompiledPhases(y_phases * x_phases) == y_phases * x_phases) {
    ways.push_back({y_phases, x_phases});
  }
  for (const int64_t width : kRowsPhases) {
    if (width <= std::max<int64_t>(1, std::min(most_phases, x_phases))) ways.push_back({1, width});
  }
  return ways;
}

// Fills the layout with the sets, tiles and steps of one way to share tiles.
void ShareTiles(const PhasedLayout& base, const RowsSharing& sharing, RowsLayout& layout) {
  const auto x_phases = static_cast<int64_t>(base.axes[2].phases.phases.size());
  const auto y_phases = static_cast<int64_t>(base.axes[1].phases.phases.size());
  layout.sharing = sharing;
  layout.tile_channels = layout.kernels.channels(sharing.rows * sharing.width);
  layout.out_channels = base.geometry.out_channels;
  layout.tap_positions.resize(static_cast<size_t>(base.geometry.taps));
  layout.channel_tiles = std::max<int64_t>(1, DivideUp(layout.out_channels, layout.tile_channels));
  for (size_t tz = 0; tz < base.axes[0].phases.phases.size(); ++tz) {
    for (int64_t ty = 0; ty < y_phases; ty += sharing.rows) {
      RowsSet set;
      set.tz = tz;
      set.first_ty = static_cast<size_t>(ty);
      set.ty_count = static_cast<size_t>(sharing.rows);
      set.first_tile = layout.tiles.size();
      for (int64_t tx = 0; tx < x_phases;) {
        const int64_t count = CompiledPhases(std::min(sharing.width, x_phases - tx));
        AddTile(base, set, tx, count, layout);
        tx += count;
      }
      set.tiles = layout.tiles.size() - set.first_tile;
      layout.sets.push_back(set);
    }
  }
}

// Returns whether the tile that stores pairs of phases fits the operator: y and x have two phases each.
bool HasPairs(const BlockAxes& axes, const RowsKernels& kernels) {
  return kernels.stores_pairs && axes[2].axis.stride == 2 && axes[2].phases.phases.size() == 2 &&
         axes[1].phases.phases.size() == 2;
}

// Returns the cycles of the register tiles for a vector of cells. The way with the fewest cycles decides the order of
// the packed filter. So the estimate must not depend on the layout or size of the data.
double TileCycles(const RowsLayout& layout, int64_t in_channels) {
  const RowsCosts& costs = layout.kernels.costs->rows;
  const auto channel_tiles = static_cast<double>(layout.channel_tiles);
  const int64_t channels = std::max<int64_t>(1, layout.TileChannel(1) - layout.TileChannel(0));
  double sums = 0;
  double calls = 0;
  for (const RowsSet& set : layout.sets) {
    int64_t vectors = kMostTileVectors;
    for (size_t u = set.first_tile; u < set.first_tile + set.tiles; ++u) {
      vectors = std::min(vectors, layout.kernels.vectors(layout.tiles[u].phases, channels));
    }
    for (size_t u = set.first_tile; u < set.first_tile + set.tiles; ++u) {
      const RowsTile& tile = layout.tiles[u];
      const auto steps = static_cast<double>(tile.steps) * channel_tiles;
      const double weights = static_cast<double>(tile.taps) * static_cast<double>(layout.out_channels);
      const auto shared = static_cast<double>(vectors);
      sums += std::max(costs.product * weights, costs.load * steps + costs.broadcast * weights / shared) +
              costs.branch * steps * static_cast<double>(tile.phases) / shared;
      calls += channel_tiles * costs.call;
    }
  }
  return sums * static_cast<double>(in_channels) + calls;
}

}  // namespace

bool MakeRowsLayout(const Geometry& geometry, const RowsKernels& kernels, RowsLayout& layout) {
  BlockAxes axes;
  if (geometry.out_channels > kMostChannels || !CollectAxes(geometry, axes)) return false;
  size_t all_phases = 1;
  for (const BlockAxis& axis : axes) all_phases *= axis.phases.phases.size();
  if (all_phases > kMostPhases) return false;
  const auto x_phases = static_cast<int64_t>(axes[2].phases.phases.size());
  const auto y_phases = static_cast<int64_t>(axes[1].phases.phases.size());
  const std::vector<RowsSharing> ways = WaysToShare(y_phases, x_phases, kernels.most_phases);
  PhasedTile tile;
  tile.target = kernels.target;
  tile.lanes = kernels.lanes;
  tile.columns = kernels.columns;
  tile.streams = kernels.streams;
  tile.costs = kernels.costs;
  tile.caches = kernels.caches;
  tile.rows = 1;  // channels are not cut into tasks
  tile.wanted_blocks = kWantedBlocks;
  if (kernels.many_workers) tile.least_reuse = kLeastReuseOfMany;
  PhasedLayout base;
  base.blocks = kernels.blocks;
  if (!MakePhasedLayout(geometry, tile, base)) return false;
  base.channel_range = geometry.out_channels;
  base.channel_ranges = 1;
  const bool prefers_pairs = HasPairs(axes, kernels) && kernels.prefers_pairs;
  double least_cycles = 0;
  for (const RowsSharing& sharing : ways) {
    RowsLayout way;
    way.kernels = kernels;
    ShareTiles(base, sharing, way);
    const double cycles = TileCycles(way, geometry.in_channels);
    const double clearly_less = prefers_pairs && layout.sharing.rows == 2 ? kLessThanPairs : kClearlyLess;
    if (&sharing != ways.data() && cycles > clearly_less * least_cycles) continue;
    layout = std::move(way);
    least_cycles = cycles;
  }
  layout.base = std::move(base);
  int64_t rows = 1;
  for (const RowsSet& set : layout.sets) {
    rows = std::max(rows, static_cast<int64_t>(set.ty_count) * (layout.TileChannel(1) - layout.TileChannel(0)));
  }
  ReserveSums(layout.base, rows);
  // If rows are joined, a vector of cells may lie in two rows, so its pairs cannot be stored together.
  layout.stores_pairs = HasPairs(axes, kernels) && layout.sharing.rows == 2 &&
                        layout.base.geometry.output_strides.position == 1 && !layout.base.joined_rows;
  // The costs of targets with 16 registers were fitted without pairs in "rows".
  layout.base.paired_share = layout.stores_pairs && kernels.prefers_pairs ? 1 : 0;
  return true;
}

double RowsCycles(const RowsLayout& layout) {
  // `wider` tiles have one channel more than the others, which have `channels`.
  NarrowTiles narrow;
  const int64_t channels = layout.out_channels / layout.channel_tiles;
  const int64_t wider = layout.out_channels % layout.channel_tiles;
  narrow.Add(wider, channels + 1, layout.out_channels);
  narrow.Add(layout.channel_tiles - wider, channels, layout.out_channels);
  return PaddedCycles(layout.base, narrow) +
         VectorsOfPhases(layout.base) * TileCycles(layout, layout.base.geometry.in_channels);
}

}  // namespace deconv
