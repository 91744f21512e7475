// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the estimates of the algorithm "phased". An estimate is a sum of counts, each multiplied by a cost. The
// struct Costs of a CPU (cpu_class.h) has the costs, fitted to measured layers (the operators of
// kernel/bench/layers.txt). The terms are:
// - products: vectors of one phase * input channels * taps of all phases * output channels. A phase is the outputs of
//   one remainder modulo the stride, and each tap belongs to one phase. All phases have about the same vectors.
// - calls of the register tile, for each phase.
// - copies of the elements of data, and stores of the outputs.
// - rows of data that are copied and rows of outputs that are stored: each costs some cycles at its ends.
//
// Example: 2 input and 8 output channels, data of 4 x 32, a filter of 3 x 3, strides 3 x 3, no pads, in f32. Each
// channel is an image of its own (planar). There are 9 phases of one tap, and outputs of 12 x 96. A phase has 4 x 32
// cells, which are 8 vectors of 16 lanes. With a register tile of 8 channels by 3 vectors, on Zen 5:
//     products     8 vectors * 2 * 9 taps * 8 channels = 1152    * phased_product 0.565      =   651 cycles
//     tile calls   8 vectors / 3 * 9 phases            =   24    * tile_call 42.5            =  1020
//     copies       2 * 4 * 32 elements                 =  256    * kPlanarCopyCycles 0.2     =    51
//     stores       8 * 12 * 96 outputs                 = 9216    * interleaved_output 0.698  =  6433
//     rows         2 * 4 + 8 * 12                      =  104    * row 28.1                  =  2922
// The estimate is 11077 cycles. `deconv-bench --all-algorithms --json` prints these counts for any layer.
#include "kernel/phased/phased_cost.h"

#include <algorithm>

#include "kernel/base/blocks.h"
#include "kernel/base/checked.h"

namespace deconv {
namespace {

// The outputs of a sample stay in the caches if they have fewer bytes. The limit is that of a block's padded copy,
// which should stay in the second-level cache, too.
constexpr double kBytesThatLeaveCaches = kBlockBytes;
// With channels last, several groups store in one cache line. If each group is a task of its own and the output is
// large, the line leaves the caches between two groups. An output then costs about three times as much. This was fitted
// on Zen 5; the layers are not recorded. spec_group3d_64 shows the effect: with 4 groups in a task it takes 0.62 of the
// time of a task for each group (f32, phased_layout.cc).
constexpr double kCostOfGroupsApart = 3;
// A pair is two phases whose outputs are stored from registers, side by side. Outputs of 8 bits gain about half as much
// by it as f32, because they are first converted from f32 and joined. The half is the mean of two layers in "rows" on
// Zen 4. An output of f32 gains interleaved_output - paired_output = 0.48 cycles there. An output of 8 bits gains 0.16
// cycles in spec_ex1, a third of that, and 0.34 cycles in dw_bilinear_x2, seven tenths.
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
  const auto& [z, y, x] = layout.axes;
  const auto copied = [](const BlockAxis& axis) { return static_cast<double>(axis.blocks * axis.padded); };
  const auto groups = static_cast<double>(geometry.groups);
  const double rows_read = groups * static_cast<double>(geometry.in_channels) * copied(z) * copied(y);
  const double rows_written = groups * static_cast<double>(geometry.out_channels) * static_cast<double>(z.axis.output) *
                              static_cast<double>(y.axis.output);
  // The tile stores paired outputs, so they have no rows of their own.
  const double rows = rows_read + rows_written * (1 - layout.paired_share);
  const double read = rows_read * copied(x);
  const double written = rows_written * static_cast<double>(x.axis.output);

  const Costs& costs = *layout.tile.costs;
  // The mean cycles to store an output. First they are the same for all outputs.
  double store = StoreCycles(geometry, layout.task_groups, x.axis.stride, costs);
  // A paired output costs paired_output instead. Outputs of 8 bits get a part of this gain.
  const double gain = ElementBytes(geometry.type) == 1 ? kGainOfPairedBytes : 1;
  store += layout.paired_share * gain * (costs.paired_output - store);
  // The costs of outputs with channels last that follow were fitted in f32, to layers of one group. Outputs of several
  // groups have a cost of their own, scattered_output.
  if (geometry.type == DECONV_F32 && geometry.groups == 1 && geometry.output_strides.position != 1) {
    if (RevisitsOutputs(layout)) store += costs.revisited_output;
    // Outputs of small tiles cost single_output instead, and each small tile costs single_position at each position.
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
  const PhasedTile& tile = layout.tile;
  double cycles_of_vector = 0;  // to multiply a vector by a tap's weights of one input channel and all output channels
  double tiles = 0;             // register tiles that share the output channels
  NarrowTiles narrow;
  const auto add = [&](int64_t count, int64_t height) {
    // With few rows (channels) in a tile, the load of a vector of data takes longer than its products.
    const double products = tile.product_cycles * static_cast<double>(height);
    cycles_of_vector += static_cast<double>(count) * std::max(products, tile.load_cycles);
    tiles += static_cast<double>(count);
    narrow.Add(count, height, geometry.out_channels);
  };
  // All full tiles are counted at once. To count a huge number of them one by one would take forever.
  const int64_t full = tile.rows;
  add(geometry.out_channels / full, full);
  for (int64_t rest = geometry.out_channels % full; rest > 0;) {
    const int64_t height = TileRows(0, rest, full);
    add(1, height);
    rest -= height;
  }
  const auto& [z, y, x] = layout.axes;
  const double vectors = VectorsOfPhases(layout);
  // One call of the register tile sums tile.vectors vectors of one phase. Each row of cells needs at least one call,
  // unless rows are joined: then each plane does.
  double least_calls = layout.joined_rows ? 1 : static_cast<double>(y.phases.cells);
  least_calls *= static_cast<double>(z.phases.cells * geometry.groups);
  double calls = tiles * std::max(vectors / static_cast<double>(tile.vectors), least_calls);
  for (const BlockAxis* axis : {&z, &y, &x}) calls *= static_cast<double>(axis->phases.phases.size());
  return PaddedCycles(layout, narrow) + tile.costs->tile_call * calls +
         cycles_of_vector * vectors * static_cast<double>(geometry.taps) * static_cast<double>(geometry.in_channels);
}

}  // namespace deconv
