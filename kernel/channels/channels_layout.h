// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The layout of a plan of the algorithm "channels": every decision that is the same for all runs of the plan. The
// layout says how channels are counted, where a block of data lies, and which cells form a panel (are summed together).
// It also says what a task computes, and how scratch memory is divided. A cell is neighbouring outputs, one of each
// phase (remainder modulo the stride). A register tile is a block of sums that stay in registers.

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

// Example: f32 with 8 lanes (AVX2), 20 input channels and 40 output channels. A unit is what one lane multiplies at
// once: one channel of f32. So there are 20 units, and 5 vectors of output channels. A tile of AVX2 has at most 2
// vectors, so the 5 vectors form 3 blocks of 2, 2 and 1 vectors. The tile of 2 vectors sums 6 cells at a time.

// The register tile of a target: at most `vectors` vectors of output channels. A tile of v vectors sums cells[v] cells.
inline constexpr int64_t kMaxChannelVectors = 4;
struct ChannelsTile {
  const char* target = nullptr;
  int64_t depth = 1;                // input channels of a unit
  bool supports_depthwise = false;  // the target can multiply a vector of data, whose lanes are units of one channel
  bool widens_in_place = false;     // a depthwise tile can read elements of fewer than 32 bits in place
  bool sums_f32 = false;            // each lane multiplies one channel as f32
  bool shares_vectors = false;      // several groups share a vector
  bool stores_bytes = false;        // the tile can store sums as elements of 8 bits
  bool streams = false;             // the target has stores that bypass the caches
  bool has_half_vectors = false;    // vectors are half as wide as the target's, for groups of few output channels
  bool many_workers = false;        // Machine::many_workers
  int64_t weight_bytes = 4;         // bytes of one lane's weight in the packed filter
  int64_t lanes = 0;                // lanes of a vector of sums
  int64_t store_lanes = 4;          // lanes of the widest vectors by which rows of a planar output are stored
  const Costs* costs = nullptr;     // the CPU's costs
  double product_cycles = 1;        // cycles to multiply and add a vector of units
  int64_t vectors = 0;              // most vectors of output channels of a tile
  std::array<int64_t, kMaxChannelVectors + 1> cells = {};
};

// A filter of at least kLargeFilterBytes does not fit the second-level cache. If each weight that is read has at most
// kMostReadsOfLargeFilter products, reading such a filter takes longer than multiplying by it.
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

// A block of output channels: the vectors that one register tile sums. In a depthwise layout, the vectors of one cell
// that are summed before the next cell. Lanes of the last vector may have no channel.
struct ChannelBlock {
  int64_t first_vector = 0;
  int64_t vectors = 0;
};

// The channels of one group, counted in units of input channels and in vectors of output channels.
struct ChannelCounts {
  int64_t depth = 1;    // input channels of a unit; 1 if depthwise
  int64_t units = 0;    // of all input channels
  int64_t vectors = 0;  // of all output channels
  int64_t blocks = 0;   // ChannelBlocks that share these vectors
};

// Where a block of data lies. The tile reads the data in place if channels lie last, need no conversion, and few cells
// sum taps that leave the data. Separate tiles then sum those cells without these taps. Otherwise the tile reads a
// padded copy in scratch, in the order z, y, x, unit. Pitches are in units. If depthwise data are read in place, a unit
// has the bytes of an element, and the tile widens it to 32 bits.
struct ChannelsData {
  bool in_place = false;
  int64_t unit_bytes = 0;
  int64_t cell_channels = 0;  // input channels of a position, of all groups of a task
  int64_t cell_units = 0;     // units of these channels
  int64_t cell_pitch = 0;
  int64_t row_pitch = 0;
  int64_t plane_pitch = 0;
  int64_t copied_units = 0;  // units of the copy, with the space that is read behind its last cell
  // Offset in the copy where the channels of one position stand as units until they are regrouped.
  int64_t widened_at = 0;
};

// A panel: the cells that are summed for one block of output channels before the next block begins. It has `rows` rows
// of a plane by `cells` columns, of one phase in y or of all of them. A kc block is some units, so few that their
// weights stay in the second-level cache while all tiles of a panel are summed. The weights of a kc block lie together
// in the packed filter. Plans with the same packing_id (plan/plan.h) share packed filters, so `kc` may depend only on
// values that this number covers.
struct ChannelsPanels {
  int64_t rows = 1;
  int64_t cells = 1;
  int64_t row_phases = 1;        // phases in y that a panel sums
  int64_t kc = 1;                // units of a kc block
  bool fetches_weights = false;  // tiles prefetch the weights of the next pass while they are summed
};

// The work of one task. All groups share a task if channels lie last, no unit holds channels of two groups, and a
// copied block has space for all groups. Then whole cells are read and written. The blocks of channels are counted
// through all groups of a task. With 3 blocks in a group, block 4 is the second one of the second group.
struct ChannelsTasks {
  int64_t groups = 1;        // groups of a task
  int64_t block_range = 1;   // channel blocks of a task
  int64_t block_ranges = 1;  // tasks that share a block of data
  // block_ranges for a batch of 1 and few workers; estimates use it, because they may depend on neither.
  int64_t sample_ranges = 1;
  // All groups are summed at a register tile before the next tile, not at a panel. Each group then has one block.
  bool sums_groups_by_tile = false;
};

// Where the tiles store the sums of a panel: in the output or in scratch. Order in scratch: row, phase in y, output
// column, channel of the block. The sums go to scratch if the tile cannot store the order or type of the output.
struct ChannelsStore {
  bool is_direct = false;   // the tiles store in the output
  bool whole_rows = false;  // planar: the rows of a panel follow one another in the output, and are stored together
  // For f32: stores bypass the caches, because each cell of the output is whole cache lines and is stored once.
  bool streams = false;
};

// Scratch memory in bytes: the copy of the data, then the sums.
struct ChannelsScratch {
  size_t sums_offset = 0;
  size_t bytes = 0;
};

struct ChannelsLayout {
  // True for depthwise operators with channels last, and for some operators with few channels in each group. The output
  // channels of all groups then count as those of one group. A product multiplies a vector of data instead of one
  // broadcast element: each lane holds an element of its own group. A cell of the data has one unit of each output
  // channel, for each input channel of a group.
  bool depthwise = false;
  int64_t group_channels = 1;  // output channels of a group of the operator
  // Groups of few channels may share a vector: `lane_groups` groups then count as one. Each lane multiplies the units
  // of its own group, which begin at the unit `lane_units[lane]`. Example: two groups of 2 units and 4 output channels,
  // with 8 lanes: lane_units = {0, 0, 0, 0, 2, 2, 2, 2}.
  int64_t lane_groups = 1;
  std::vector<int32_t> lane_units;
  Geometry geometry;  // the operator's; if depthwise, with one group; else groups that share a vector are one group
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

  // True if the layout is depthwise and groups have several channels. The copy of the data must then reorder the units,
  // because they do not lie in memory in the order of the lanes.
  bool IsRegrouped() const { return depthwise && (channels.units > 1 || group_channels > 1); }
  // Returns block `index` of a group. The vectors are shared evenly: 5 vectors in 3 blocks are 2, 2 and 1.
  ChannelBlock Block(int64_t index) const {
    const int64_t least_vectors = channels.vectors / channels.blocks;
    const int64_t wider_blocks = channels.vectors % channels.blocks;
    return {index * least_vectors + (index < wider_blocks ? index : wider_blocks),
            least_vectors + (index < wider_blocks ? 1 : 0)};
  }
  // Returns how many cells a register tile of `vectors` vectors sums.
  int64_t TileCells(int64_t vectors) const { return tile.cells[static_cast<size_t>(vectors)]; }
  // Units of data of a group.
  int64_t GroupUnits() const { return channels.units * lane_groups; }
  int64_t PhasesOfX() const { return static_cast<int64_t>(axes[2].phases.phases.size()); }
  // Units from a position of the data to the next one along each axis.
  std::array<int64_t, 3> Pitches() const { return {data.plane_pitch, data.row_pitch, data.cell_pitch}; }
  // Returns the number of weights in the packed filter before a block of channels. A weight has tile.weight_bytes.
  int64_t WeightsBefore(int64_t group, int64_t first_vector) const {
    return (group * channels.vectors + first_vector) * tile.lanes * channels.units * geometry.taps;
  }
};

// Makes the layout of a geometry for a tile. Returns false if the algorithm does not fit the geometry: sizes beyond the
// tables of taps, or no channels. If tile.shares_vectors is set, also if no two groups can share a vector.
bool MakeChannelsLayout(const Geometry& geometry, const ChannelsTile& tile, ChannelsLayout& layout);

// Each function returns the code of a target (a bit of Highway's target mask) for one way to multiply. `run` is null if
// the target has none. In f32: whole vectors, half vectors, groups that share a vector, and weights of 16 bits
// (Narrow). By dot products: pairs of bf16, pairs of 16-bit integers, and quads of 8-bit integers.
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
