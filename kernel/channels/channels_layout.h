// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "channels": everything that is the same for every run. It says how channels are
// counted, where a block of data lies, which cells form a panel, what a task computes, and how scratch memory is
// divided.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_LAYOUT_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_LAYOUT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/base/geometry.h"

namespace deconv {

struct Costs;

// The register tile of a target: at most `vectors` vectors of output channels by cells[vectors in use] cells.
inline constexpr int64_t kMaxChannelVectors = 4;
struct ChannelsTile {
  const char* target = nullptr;
  int64_t depth = 1;          // input channels of a unit
  bool depthwise = false;     // the target can multiply vectors of data, each lane a unit of one channel
  bool widens = false;        // depthwise, elements of fewer than 32 bits are read in place
  bool floats = false;        // each lane multiplies one channel as f32
  bool groups = false;        // the target can put several groups into one vector
  bool stores_bytes = false;  // the tile can store sums as elements of 8 bits
  bool streams = false;       // the target can store around the caches
  bool half = false;          // vectors are half as wide as the target's, for groups of few output channels
  bool many_workers = false;  // Machine::many_workers
  int64_t weight_bytes = 4;   // bytes of a lane in the packed filter
  int64_t lanes = 0;
  int64_t store_lanes = 4;       // lanes of the widest vectors by which rows of a planar output are stored
  const Costs* costs = nullptr;  // the CPU's costs
  double product_cycles = 1;     // cycles to multiply and add a vector of units
  int64_t vectors = 0;
  std::array<int64_t, kMaxChannelVectors + 1> cells = {};
};

// A filter that the second-level cache does not hold, and the most products for each weight that is read where reading
// it takes longer than multiplying it.
inline constexpr int64_t kLargeFilterBytes = 1024 * 1024;
inline constexpr double kMostReadsOfLargeFilter = 48;

struct ChannelsEnds;
struct ChannelsLayout;

// The code that a target compiles for one way to multiply. `run` is null if the target has none for that type.
struct ChannelsKernels {
  ChannelsTile tile;
  const ChannelsEnds* ends = nullptr;
  void (*run)(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// A block of output channels: the whole vectors that one register tile sums, or, depthwise, that one cell sums before
// the next cell. Lanes of the last vector may have no channel.
struct ChannelBlock {
  int64_t first_vector = 0;
  int64_t vectors = 0;
};

// The channels of one group, counted in units of input channels and in vectors of output channels.
struct ChannelCounts {
  int64_t depth = 1;  // input channels of a unit; 1 if depthwise
  int64_t units = 0;
  int64_t vectors = 0;
  int64_t blocks = 0;
};

// A block of data. The tile reads it in place if it lies in memory as the tile wants it and few cells meet padding:
// tiles of their own sum those cells without the taps that leave the data. Otherwise a padded copy in scratch (z, y, x,
// unit) is read. Pitches are in units. In place and depthwise, a unit has the bytes of an element, and the tile widens
// it.
struct ChannelsData {
  bool in_place = false;
  int64_t unit_bytes = 0;
  int64_t cell_channels = 0;
  int64_t cell_units = 0;
  int64_t cell_pitch = 0;
  int64_t row_pitch = 0;
  int64_t plane_pitch = 0;
  int64_t copied_units = 0;  // units of the copy, with all room that it needs
  int64_t widened_at = 0;    // offset in the copy of one position's channels as units, before they are regrouped
};

// A panel: the cells that one block of channels sums before the next block does, `rows` rows of a plane by `cells`
// columns, of one phase in y or of all of them. A kc block is the number of units whose weights stay in the
// second-level cache for all tiles of a panel. The weights of a kc block lie together in the packed filter: the kc
// block may depend only on what the packing id covers.
struct ChannelsPanels {
  int64_t rows = 1;
  int64_t cells = 1;
  int64_t row_phases = 1;  // phases in y that a panel sums
  int64_t kc = 1;
  bool fetches_weights = false;  // tiles prefetch the weights of the next pass while they are summed
};

// The share of one task. Groups share a task if channels lie last, their units are whole, and they are few enough that
// a copied block holds all of them: then cells are read and written whole. Blocks of channels are counted through the
// groups of a task.
struct ChannelsTasks {
  int64_t groups = 1;
  int64_t block_range = 1;      // channel blocks of a task
  int64_t block_ranges = 1;     // tasks that share a block of data
  int64_t sample_ranges = 1;    // block_ranges of one sample with few workers, for estimates, which neither may change
  bool groups_in_tile = false;  // groups take turns at each register tile, not at each panel; each has one block
};

// The place of a panel's sums: the output, or scratch (row, phase in y, output column, channel of the block). They go
// to scratch if the output has another order, or a type that the tile cannot store.
struct ChannelsStore {
  bool direct = false;
  bool whole_rows = false;  // planar: the rows of a panel follow one another in the output, and are stored together
  bool streams = false;  // f32: around the caches, where cells of the output begin at cache lines and are stored once
};

// Scratch memory in bytes: the copy of the data, then the sums.
struct ChannelsScratch {
  size_t sums_offset = 0;
  size_t bytes = 0;
};

struct ChannelsLayout {
  // Depthwise with channels last, or groups of few channels: the output channels of all groups count as those of one
  // group. A product takes a vector of data, in which each lane is the element that the lane's own group multiplies,
  // instead of one broadcast element. Such a cell has a unit of each output channel for each input channel of a group.
  bool depthwise = false;
  int64_t group_channels = 1;  // output channels of a group of the operator
  // Groups of few channels that share a vector count as one group. Each lane multiplies a unit of its own group, which
  // begins at the unit `lane_units[lane]`.
  int64_t lane_groups = 1;
  std::vector<int32_t> lane_units;
  Geometry geometry;  // the operator's; depthwise with one group, and with groups of lane_groups
  ChannelsTile tile;
  const ChannelsEnds* ends = nullptr;  // the target's functions
  BlockAxes axes;
  // Per axis and phase, the runs of cells with the same valid taps.
  std::array<std::vector<std::vector<TapRun>>, 3> runs;

  ChannelCounts channels;
  ChannelsData data;
  ChannelsPanels panels;
  ChannelsTasks tasks;
  ChannelsStore store;
  ChannelsScratch scratch;

  // Depthwise, but units do not lie in memory as lanes read them: groups have several channels.
  bool IsRegrouped() const { return depthwise && (channels.units > 1 || group_channels > 1); }
  // Block `index` of a group; blocks have even shares of the vectors.
  ChannelBlock Block(int64_t index) const {
    const int64_t least = channels.vectors / channels.blocks;
    const int64_t more = channels.vectors % channels.blocks;
    return {index * least + (index < more ? index : more), least + (index < more ? 1 : 0)};
  }
  // Cells of the register tile that sums this many vectors of channels.
  int64_t TileCells(int64_t vectors) const { return tile.cells[static_cast<size_t>(vectors)]; }
  // Units of data of a group.
  int64_t GroupUnits() const { return channels.units * lane_groups; }
  int64_t PhasesOfX() const { return static_cast<int64_t>(axes[2].phases.phases.size()); }
  // Units from a position of the data to the next one along each axis.
  std::array<int64_t, 3> Pitches() const { return {data.plane_pitch, data.row_pitch, data.cell_pitch}; }
  // Weights of the packed filter before a block of channels; each has tile.weight_bytes.
  int64_t PackedBefore(int64_t group, int64_t first_vector) const {
    return (group * channels.vectors + first_vector) * tile.lanes * channels.units * geometry.taps;
  }
};

// Returns false if the algorithm does not fit the geometry. If tile.groups, it fits only groups that can share a
// vector.
bool MakeChannelsLayout(const Geometry& geometry, const ChannelsTile& tile, ChannelsLayout& layout);

ChannelsKernels ChooseChannelsF32(deconv_type type, int64_t target);
ChannelsKernels ChooseHalfChannelsF32(deconv_type type, int64_t target);
ChannelsKernels ChooseGroupChannelsF32(deconv_type type, int64_t target);
ChannelsKernels ChooseGroupChannelsI8(int64_t target);
ChannelsKernels ChooseNarrowChannelsF32(deconv_type type, int64_t target);
ChannelsKernels ChooseChannelsBF16(int64_t target);
ChannelsKernels ChooseChannelsI16(deconv_type type, int64_t target);
ChannelsKernels ChooseChannelsI8(int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_LAYOUT_H_
