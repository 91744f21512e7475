// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the estimates of the algorithm "channels". An estimate adds the cycles of products, register tiles, copies
// and stores. The constants below and the struct Costs of a CPU were fitted to the measured times of layers (the
// operators of kernel/bench/layers.txt).
//
// Example: 16 input and 32 output channels, data of 8 x 8, a filter of 2 x 2, strides 2 x 2, no pads, in f32 with
// channels last. There are four phases of one tap, and 16 x 16 outputs. With 16 lanes, the output channels are 2
// vectors, and a register tile of 2 vectors has 12 cells. Data and outputs need no copy. On Zen 5:
//     products   256 outputs * 1 tap * 16 units * 2 vectors = 8192   * channels_product 0.545  =  4465 cycles
//     cells      256 outputs                                =  256   * channels_cell 6.57      =  1682
//     tiles      256 outputs / 12                           =   21.3 * channels_tile 51.6      =  1101
//     taps       256 outputs * 1 tap / 12                   =   21.3 * channels_tap 4.71       =   100
//     stores     256 outputs * 2 vectors                    =  512   * kDirectStoreCycles 2    =  1024
// The estimate is 8372 cycles.
#include "kernel/channels/channels_cost.h"

#include <algorithm>

#include "kernel/base/checked.h"
#include "kernel/base/cpu_class.h"

namespace deconv {
namespace {

// Cycles for a cell of a depthwise layer, beside its products.
constexpr double kDepthwiseCellCycles = 20;
// Cycles to store a vector of sums without a conversion.
constexpr double kDirectStoreCycles = 2;
// Cycles to copy a unit if the units of a cell are copied by whole vectors.
constexpr double kCopiedUnitCycles = 0.2;

// Returns the number of output positions of a sample.
double Outputs(const ChannelsLayout& layout) {
  double outputs = 1;
  for (const BlockAxis& axis : layout.axes) outputs *= static_cast<double>(axis.axis.output);
  return outputs;
}

// Returns the cycles to begin and end the sums of one group: everything but products, copies and stores.
double TileCycles(const ChannelsLayout& layout, double outputs, double products) {
  const auto blocks = static_cast<double>(layout.channels.blocks);
  if (layout.IsRegrouped())
    return outputs * static_cast<double>(layout.channels.vectors) * layout.tile.costs->regrouped_sums;
  if (layout.depthwise) return blocks * outputs * kDepthwiseCellCycles;
  const auto tile_cells = static_cast<double>(layout.TileCells(layout.Block(0).vectors));  // cells of a tile
  const Costs& costs = *layout.tile.costs;
  return blocks *
         (outputs * costs.channels_cell + (outputs * costs.channels_tile + products * costs.channels_tap) / tile_cells);
}

// Returns the cycles of the stores of one group. Planar outputs are stored by four channels at a time.
double StoreCyclesOfGroup(const ChannelsLayout& layout, double outputs) {
  if (!layout.geometry.channels_last) {
    const Costs& costs = *layout.tile.costs;
    const double rows = outputs / static_cast<double>(std::max<int64_t>(1, layout.axes[2].axis.output));
    return (outputs * (ElementBytes(layout.geometry.type) < 4 ? costs.quad_narrow_output : costs.quad_output) +
            rows * costs.quad_row) *
           static_cast<double>(RoundUp(layout.geometry.out_channels, 4));
  }
  return outputs * (static_cast<double>(layout.channels.vectors) *
                    (layout.store.is_direct ? kDirectStoreCycles : layout.tile.costs->converted_store));
}

}  // namespace

double ProductsOfUnit(const ChannelsLayout& layout) {
  double products = 1;
  for (const auto& runs_of_phases : layout.runs) {
    double valid = 0;
    for (const std::vector<TapRun>& runs : runs_of_phases) {
      for (const TapRun& run : runs) {
        valid += static_cast<double>(run.end - run.begin) * static_cast<double>(run.end_tap - run.first_tap);
      }
    }
    products *= valid;
  }
  return products;
}

double ProductCycles(const ChannelsLayout& layout) {
  return layout.IsRegrouped() ? layout.tile.costs->regrouped_product : layout.tile.product_cycles;
}

double ReadsOfWeight(const ChannelsLayout& layout) {
  const auto& [z, y, x] = layout.axes;
  const int64_t panels =
      z.phases.cells * DivideUp(y.phases.cells, layout.panels.rows) * DivideUp(x.phases.cells, layout.panels.cells);
  return ProductsOfUnit(layout) / static_cast<double>(layout.geometry.taps * std::max<int64_t>(1, panels));
}

bool IsBoundByFilter(const ChannelsLayout& layout) {
  const int64_t bytes = layout.WeightsBefore(layout.geometry.groups, 0) * layout.tile.weight_bytes;
  return !layout.depthwise && bytes >= kLargeFilterBytes && ReadsOfWeight(layout) <= kMostReadsOfLargeFilter;
}

double ChannelsCopyCycles(const ChannelsLayout& layout) {
  if (layout.data.in_place) return 0;
  double positions = 1;
  for (const BlockAxis& axis : layout.axes) positions *= static_cast<double>(axis.blocks * axis.padded);
  const auto units = static_cast<double>(layout.data.cell_units);
  if (layout.IsRegrouped()) return positions * units * layout.tile.costs->regrouped_unit;
  return positions * (layout.geometry.channels_last
                          ? kCopiedUnitCycles * units
                          : layout.tile.costs->quad_unit * static_cast<double>(RoundUp(layout.data.cell_units, 4)));
}

double ChannelsCycles(const ChannelsLayout& layout) {
  const double products = ProductsOfUnit(layout);
  const double outputs = Outputs(layout);
  const double multiplied = ProductCycles(layout) * products * static_cast<double>(layout.channels.units) *
                            static_cast<double>(layout.channels.vectors);
  const double copies = static_cast<double>(layout.tasks.sample_ranges) * ChannelsCopyCycles(layout) /
                        static_cast<double>(layout.tasks.groups);
  return static_cast<double>(layout.geometry.groups) *
         (multiplied + TileCycles(layout, outputs, products) + copies + StoreCyclesOfGroup(layout, outputs));
}

}  // namespace deconv
