// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How phases are put together in the register tiles of "rows".
#include "kernel/rows_layout.h"

#include <algorithm>
#include <array>
#include <utility>

namespace deconv {
namespace {

// More are for the other algorithms, which share them among tasks.
constexpr int64_t kMostChannels = 64;
// An estimate that is lower by less is no reason to leave what was measured most.
constexpr double kClearlyLess = 0.95;

// The widest of the compiled numbers of phases up to `most`.
int64_t CompiledPhases(int64_t most) {
  return *std::find_if(std::begin(kRowsPhases), std::end(kRowsPhases),
                       [most](int64_t compiled) { return compiled <= most; });
}

// A tap of a phase of the tile, and what it reads.
struct Contribution {
  int64_t offset = 0;
  int64_t phase = 0;  // in the tile
  int64_t tap = 0;    // of the filter
};

void Collect(const RowsLayout& layout, const std::array<const Phase*, 3>& phases, int64_t phase,
             std::vector<Contribution>& found) {
  const BlockAxes& axes = layout.base.axes;
  const auto& [pz, py, px] = phases;
  const std::array<int64_t, 3> pitches = {layout.base.plane_pitch, layout.base.row_pitch, 1};
  for (int64_t i = 0; i < pz->taps * py->taps * px->taps; ++i) {
    const std::array<int64_t, 3> taps = {i / (py->taps * px->taps), i / px->taps % py->taps, i % px->taps};
    Contribution c = {0, phase, 0};
    for (size_t a = 0; a < 3; ++a) {
      const int64_t shift = phases[a]->first_shift + taps[a] * phases[a]->shift_step;
      c.offset += (axes[a].phases.greatest_shift - shift) * pitches[a];
      c.tap = c.tap * axes[a].axis.kernel + phases[a]->first_tap + taps[a] * phases[a]->tap_step;
    }
    found.push_back(c);
  }
}

void AddUnit(RowsLayout& layout, const RowsSet& set, int64_t first_x, int64_t x_count) {
  const auto& [z, y, x] = layout.base.axes;
  std::vector<Contribution> found;
  for (size_t ty = 0; ty < set.ty_count; ++ty) {
    for (int64_t tx = 0; tx < x_count; ++tx) {
      Collect(layout,
              {&z.phases.phases[set.tz], &y.phases.phases[set.first_ty + ty],
               &x.phases.phases[static_cast<size_t>(first_x + tx)]},
              static_cast<int64_t>(ty) * x_count + tx, found);
    }
  }
  std::sort(found.begin(), found.end(), [](const Contribution& a, const Contribution& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.phase < b.phase;
  });
  RowsUnit unit;
  unit.first_x = first_x;
  unit.x_count = x_count;
  unit.phases = static_cast<int64_t>(set.ty_count) * x_count;
  unit.first_step = layout.steps.size();
  unit.first_tap = layout.taps.size();
  for (const Contribution& c : found) {
    // Two taps of one phase may read the same place where planes of few rows overlap: then they are two steps.
    const uint32_t bit = uint32_t{1} << c.phase;
    if (layout.steps.size() == unit.first_step || layout.steps.back().offset != c.offset ||
        layout.steps.back().mask >= bit) {
      layout.steps.push_back({c.offset, 0});
    }
    layout.steps.back().mask |= bit;
    layout.taps.push_back(c.tap);
  }
  unit.steps = layout.steps.size() - unit.first_step;
  unit.taps = layout.taps.size() - unit.first_tap;
  layout.units.push_back(unit);
}

// Phases that share a tile: those of `rows` rows of outputs, and of each at most `width` side by side.
struct Sharing {
  int64_t rows = 1;
  int64_t width = 1;
};

// All of them together first, then fewer and fewer.
std::vector<Sharing> WaysToShare(int64_t y_phases, int64_t x_phases, int64_t most) {
  std::vector<Sharing> ways;
  if (y_phases > 1 && y_phases * x_phases <= most && CompiledPhases(y_phases * x_phases) == y_phases * x_phases) {
    ways.push_back({y_phases, x_phases});
  }
  for (const int64_t width : kRowsPhases) {
    if (width <= std::max<int64_t>(1, std::min(most, x_phases))) ways.push_back({1, width});
  }
  return ways;
}

bool ShareTiles(const Geometry& geometry, const RowsKernels& kernels, const BlockAxes& axes, const Sharing& sharing,
                RowsLayout& layout) {
  const auto x_phases = static_cast<int64_t>(axes[2].phases.phases.size());
  const auto y_phases = static_cast<int64_t>(axes[1].phases.phases.size());
  layout.kernels = kernels;
  layout.tile_channels = kernels.channels(sharing.rows * sharing.width);
  PhasedTile tile;
  tile.target = kernels.target;
  tile.rows = layout.tile_channels * sharing.rows;
  tile.lanes = kernels.lanes;
  tile.columns = kernels.columns;
  if (!MakePhasedLayout(geometry, tile, layout.base)) return false;
  layout.base.channel_range = geometry.out_channels;
  layout.base.channel_ranges = 1;
  layout.channel_tiles = std::max<int64_t>(1, DivideUp(geometry.out_channels, layout.tile_channels));
  for (size_t tz = 0; tz < axes[0].phases.phases.size(); ++tz) {
    for (int64_t ty = 0; ty < y_phases; ty += sharing.rows) {
      RowsSet set;
      set.tz = tz;
      set.first_ty = static_cast<size_t>(ty);
      set.ty_count = static_cast<size_t>(sharing.rows);
      set.first_unit = layout.units.size();
      for (int64_t tx = 0; tx < x_phases;) {
        const int64_t count = CompiledPhases(std::min(sharing.width, x_phases - tx));
        AddUnit(layout, set, tx, count);
        tx += count;
      }
      set.units = layout.units.size() - set.first_unit;
      layout.sets.push_back(set);
    }
  }
  return true;
}

}  // namespace

bool MakeRowsLayout(const Geometry& geometry, const RowsKernels& kernels, RowsLayout& layout) {
  BlockAxes axes;
  if (geometry.out_channels > kMostChannels || !CollectAxes(geometry, axes)) return false;
  const auto x_phases = static_cast<int64_t>(axes[2].phases.phases.size());
  const auto y_phases = static_cast<int64_t>(axes[1].phases.phases.size());
  bool found = false;
  for (const Sharing& sharing : WaysToShare(y_phases, x_phases, kernels.most_phases)) {
    RowsLayout way;
    if (!ShareTiles(geometry, kernels, axes, sharing, way)) return false;
    if (found && RowsCycles(way) > kClearlyLess * RowsCycles(layout)) continue;
    layout = std::move(way);
    found = true;
  }
  return found;
}

double RowsCycles(const RowsLayout& layout) {
  const Geometry& geometry = layout.base.geometry;
  const RowsCosts& costs = layout.kernels.costs;
  const auto channels = static_cast<double>(geometry.out_channels);
  const auto channel_tiles = static_cast<double>(layout.channel_tiles);
  const int64_t widest_tile = layout.TileChannel(1) - layout.TileChannel(0);
  double sums = 0;
  double calls = 0;
  for (const RowsUnit& unit : layout.units) {
    const auto vectors = static_cast<double>(layout.kernels.vectors(unit.phases, std::max<int64_t>(1, widest_tile)));
    const auto steps = static_cast<double>(unit.steps) * channel_tiles;
    const double weights = static_cast<double>(unit.taps) * channels;
    sums += std::max(costs.product * weights, costs.load * steps + costs.broadcast * weights / vectors) +
            costs.branch * steps * static_cast<double>(unit.phases) / vectors;
    calls += channel_tiles * costs.call;
  }
  return PaddedCycles(layout.base) +
         VectorsOfPhases(layout.base) * (sums * static_cast<double>(geometry.in_channels) + calls);
}

}  // namespace deconv
