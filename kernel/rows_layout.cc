// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// How phases are put together in the register tiles of "rows".
#include "kernel/rows_layout.h"

#include <algorithm>
#include <array>

namespace deconv {
namespace {

// More are for the other algorithms, which share them among tasks.
constexpr int64_t kMostChannels = 64;
constexpr int64_t kMostPhases = kRowsPhases[0];

bool IsCompiled(int64_t phases) {
  return std::find(std::begin(kRowsPhases), std::end(kRowsPhases), phases) != std::end(kRowsPhases);
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

}  // namespace

bool MakeRowsLayout(const Geometry& geometry, const RowsKernels& kernels, RowsLayout& layout) {
  BlockAxes axes;
  if (geometry.out_channels > kMostChannels || !CollectAxes(geometry, axes)) return false;
  const auto x_phases = static_cast<int64_t>(axes[2].phases.phases.size());
  const auto y_phases = static_cast<int64_t>(axes[1].phases.phases.size());
  const bool merged = IsCompiled(x_phases * y_phases);
  const int64_t rows = merged ? y_phases : 1;
  const int64_t widest = std::min(kMostPhases, std::max<int64_t>(1, rows * x_phases));
  const int64_t phases = *std::find_if(std::begin(kRowsPhases), std::end(kRowsPhases),
                                       [widest](int64_t compiled) { return compiled <= widest; });
  layout.tile_channels = kernels.channels(phases);
  PhasedTile tile;
  tile.target = kernels.target;
  tile.rows = layout.tile_channels * std::max<int64_t>(1, rows);
  tile.lanes = kernels.lanes;
  tile.columns = kernels.columns;
  if (!MakePhasedLayout(geometry, tile, layout.base)) return false;
  layout.base.channel_range = geometry.out_channels;
  layout.base.channel_ranges = 1;
  layout.channel_tiles = std::max<int64_t>(1, DivideUp(geometry.out_channels, layout.tile_channels));
  for (size_t tz = 0; tz < axes[0].phases.phases.size(); ++tz) {
    for (int64_t ty = 0; ty < y_phases; ty += rows) {
      RowsSet set;
      set.tz = tz;
      set.first_ty = static_cast<size_t>(ty);
      set.ty_count = static_cast<size_t>(rows);
      set.first_unit = layout.units.size();
      for (int64_t tx = 0; tx < x_phases;) {
        const int64_t rest = x_phases - tx;
        const int64_t count = merged ? x_phases
                                     : *std::find_if(std::begin(kRowsPhases), std::end(kRowsPhases),
                                                     [rest](int64_t compiled) { return compiled <= rest; });
        AddUnit(layout, set, tx, count);
        tx += count;
      }
      set.units = layout.units.size() - set.first_unit;
      layout.sets.push_back(set);
    }
  }
  return true;
}

double RowsCycles(const RowsLayout& layout) {
  const Geometry& geometry = layout.base.geometry;
  const auto channels = static_cast<double>(geometry.out_channels);
  const auto channel_tiles = static_cast<double>(layout.channel_tiles);
  double products = 0;
  double calls = 0;
  for (const RowsUnit& unit : layout.units) {
    const auto steps = static_cast<double>(unit.steps) * channel_tiles;
    // Products, unless loads across cache lines take longer, and the branches of each step.
    products += std::max(1.2 * static_cast<double>(unit.taps) * channels, 1.9 * steps) +
                0.1 * steps * static_cast<double>(unit.phases);
    calls += channel_tiles * 20;
  }
  return PaddedCycles(layout.base) +
         VectorsOfPhases(layout.base) * (products * static_cast<double>(geometry.in_channels) + calls);
}

}  // namespace deconv
