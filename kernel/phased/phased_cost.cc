// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the estimates of the algorithm "phased". An estimate adds the cycles of products, calls of the register
// tile, copies and stores. The struct Costs of a CPU holds the cycles of each part, fitted to measured layers (the
// operators of kernel/bench/layers.txt).
#include "kernel/phased/phased_cost.h"

#include <algorithm>

#include "kernel/base/checked.h"

namespace deconv {
namespace {

// The outputs of a sample stay in the caches if they have fewer bytes.
constexpr double kBytesThatLeaveCaches = 384 * 1024;
// With channels last, several groups store in one cache line. If each group is a task of its own and the output is
// large, the line leaves the caches between two groups. An output then costs about three times as much (Zen 5).
constexpr double kCostOfGroupsApart = 3;
// A pair is two phases whose outputs are stored from registers, side by side. Outputs of 8 bits gain about half as much
// by it, because they are first converted from f32 and joined. That is assumed from two layers on Zen 4. In "rows",
// pairs save 0.16 cycles for each output of spec_ex1, and 0.34 for each one of dw_bilinear_x2.
constexpr double kGainOfPairedBytes = 0.5;

// Cycles of an element for which the cost table has no entry, the same for all CPUs. An output of a stride above 4 is
// stored with a vector's elements at that distance; an element of planar data is copied by vectors; one of few channels
// that lie last is gathered by itself. They are rough numbers of which no measurement is kept. They only matter where
// two algorithms are estimated about equal.
constexpr double kStrideStoreCycles = 0.4;
constexpr double kPlanarCopyCycles = 0.2;
constexpr double kGatherCycles = 1.0;

// Returns whether several tiles of channels store in the same cache lines, while the outputs of a block do not fit the
// second-level cache. Then the lines are loaded again for each tile.
bool RevisitsOutputs(const PhasedLayout& layout) {
  const Geometry& geometry = layout.geometry;
  auto bytes = static_cast<double>(geometry.out_channels) * static_cast<double>(layout.compute_bytes);
  for (const BlockAxis& axis : layout.axes) {
    bytes *= static_cast<double>(axis.block_cells) * static_cast<double>(axis.axis.stride);
  }
  return geometry.out_channels > layout.tile.rows && bytes > static_cast<double>(layout.tile.caches.second_level);
}

}  // namespace

bool OutputsStay(const Geometry& geometry) {
  const auto elements = static_cast<double>(geometry.output_strides.batch);
  return elements * static_cast<double>(ElementBytes(geometry.type)) < kBytesThatLeaveCaches;
}

double StoreCycles(const Geometry& geometry, int64_t task_groups, int64_t stride, const Costs& costs) {
  // Planar outputs are interleaved by vectors. Outputs with channels last are stored by four channels at a time; up to
  // three channels are gathered first. Then elements of 8 and 16 bits are narrowed. For planar outputs with strides up
  // to 4, the interleaving narrows them, too.
  const size_t bytes = ElementBytes(geometry.type);
  const double narrowed = bytes < 4 ? costs.narrowed_output : 0;
  if (geometry.output_strides.position != 1) {
    if (geometry.groups == 1) return costs.channels_last_output + narrowed;
    const bool apart = task_groups == 1 && !OutputsStay(geometry);
    return costs.scattered_output * (apart ? kCostOfGroupsApart : 1);
  }
  if (stride > 4) return kStrideStoreCycles + narrowed;
  if (bytes == 2) return costs.interleaved_half;
  return costs.interleaved_output + (bytes == 1 ? costs.interleaved_byte : 0);
}

double CopyCycles(const Geometry& geometry, const Costs& costs) {
  if (geometry.data_strides.position == 1) return kPlanarCopyCycles;
  const bool by_vectors = ElementBytes(geometry.type) <= 4 && geometry.in_channels >= 4;
  return by_vectors ? costs.transposed_read : kGatherCycles;
}

double PaddedCycles(const PhasedLayout& layout, const NarrowTiles& narrow) {
  const Geometry& geometry = layout.geometry;
  const auto groups = static_cast<double>(geometry.groups);
  double read = groups * static_cast<double>(geometry.in_channels);
  double written = groups * static_cast<double>(geometry.out_channels);
  double rows = 0;
  for (const BlockAxis& axis : layout.axes) {
    // `rows` is set before its axis is multiplied. So after the loop it counts the rows along x that are copied or
    // stored, each of which costs some cycles at its ends. Paired outputs have no such rows: the tile stores them.
    rows = read + written * (1 - layout.paired_share);
    read *= static_cast<double>(axis.blocks * axis.padded);
    written *= static_cast<double>(axis.axis.output);
  }
  const Costs& costs = *layout.tile.costs;
  double store = StoreCycles(geometry, layout.task_groups, layout.axes[2].axis.stride, costs);
  const double gain = ElementBytes(geometry.type) == 1 ? kGainOfPairedBytes : 1;
  store += layout.paired_share * gain * (costs.paired_output - store);
  if (geometry.type == DECONV_F32 && geometry.groups == 1 && geometry.output_strides.position != 1) {
    if (RevisitsOutputs(layout)) store += costs.revisited_output;
    // `store` is the mean of all channels. Outputs of small tiles cost single_output instead, and each small tile costs
    // single_position at each position.
    const auto all = static_cast<double>(geometry.out_channels);
    store += (narrow.channels * (costs.single_output - store) + narrow.tiles * costs.single_position) / all;
  }
  return costs.row * rows + read * CopyCycles(geometry, costs) + written * store;
}

double VectorsOfPhases(const PhasedLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  double vectors = static_cast<double>(layout.geometry.groups) * static_cast<double>(z.phases.cells);
  if (layout.joined_rows) {
    vectors *= static_cast<double>(y.phases.cells) * static_cast<double>(layout.row_pitch) /
               static_cast<double>(layout.tile.lanes);
  } else {
    vectors *= static_cast<double>(y.phases.cells) * static_cast<double>(x.blocks) *
               static_cast<double>(DivideUp(x.block_cells, layout.tile.lanes));
  }
  return vectors;
}

double PhasedCycles(const PhasedLayout& layout) {
  const Geometry& geometry = layout.geometry;
  const double vectors = VectorsOfPhases(layout);
  // With few rows (channels) in a tile, the load of a vector of data takes longer than its products.
  double cycles = 0;  // cycles of a vector of cells, a tap and an input channel
  double tiles = 0;
  NarrowTiles narrow;
  const auto add = [&](int64_t count, int64_t height) {
    cycles += static_cast<double>(count) *
              std::max(layout.tile.product_cycles * static_cast<double>(height), layout.tile.load_cycles);
    tiles += static_cast<double>(count);
    narrow.Add(count, height, geometry.out_channels);
  };
  // All full tiles are counted at once. To count a huge number of them one by one would take forever.
  const int64_t full = layout.tile.rows;
  add(geometry.out_channels / full, full);
  for (int64_t rest = geometry.out_channels % full; rest > 0;) {
    const int64_t height = TileRows(0, rest, full);
    add(1, height);
    rest -= height;
  }
  // One call of the register tile computes tile.vectors vectors. Each row of cells needs at least one call.
  double rows_of_cells = layout.joined_rows ? 1 : static_cast<double>(layout.axes[1].phases.cells);
  rows_of_cells *= static_cast<double>(layout.axes[0].phases.cells * geometry.groups);
  double calls = tiles * std::max(vectors / static_cast<double>(layout.tile.vectors), rows_of_cells);
  for (const BlockAxis& axis : layout.axes) calls *= static_cast<double>(axis.phases.phases.size());
  return PaddedCycles(layout, narrow) + layout.tile.costs->tile_call * calls +
         cycles * vectors * static_cast<double>(geometry.taps) * static_cast<double>(geometry.in_channels);
}

}  // namespace deconv
