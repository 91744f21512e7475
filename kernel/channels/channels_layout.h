// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything about a plan of the algorithm "channels" that is the same for every run: blocks of data and of output
// channels, strips of cells, tasks, and where everything lies in scratch.
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

// What streamed stores should fill, and what is fetched at once.
inline constexpr int64_t kLineBytes = 64;

// The register tile of a target: at most `vectors` of output channels, and that many cells by the vectors in use.
inline constexpr int64_t kMaxChannelVectors = 4;
struct ChannelsTile {
  const char* target = nullptr;
  int64_t depth = 1;       // input channels of a unit
  bool depthwise = false;  // there are products of vectors of data, too, each lane a unit of one channel
  int64_t lanes = 0;
  double product_cycles = 1;  // of a vector of units multiplied and added, measured on whole layers
  int64_t vectors = 0;
  std::array<int64_t, kMaxChannelVectors + 1> cells = {};
};

struct ChannelsLayout;

// What a target compiles for one element type; no `run` where that has nothing for it.
struct ChannelsKernels {
  ChannelsTile tile;
  void (*run)(const ChannelsLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

// Output channels that one register tile, or depthwise one cell after the other, sums: whole vectors, the last one
// maybe padded.
struct ChannelBlock {
  int64_t first_vector = 0;
  int64_t vectors = 0;
};

struct ChannelsLayout {
  // Depthwise with channels last, and groups of few channels likewise: the output channels of all groups are those of
  // one group, and a product takes a vector of data, each lane what its own group multiplies, instead of an element
  // that is broadcast. Such a cell has a unit of each output channel for each input channel of a group.
  bool depthwise = false;
  int64_t group_channels = 1;  // output channels of a group of the operator
  Geometry geometry;
  ChannelsTile tile;
  BlockAxes axes;
  // Per axis and phase the runs of cells with the same valid taps.
  std::array<std::vector<std::vector<TapRun>>, 3> runs;

  int64_t depth = 1;            // input channels of a unit; depthwise 1
  int64_t units = 0;            // of the input channels of a group
  int64_t channel_vectors = 0;  // of a group
  int64_t channel_blocks = 0;   // of a group
  // Groups that share tasks: where channels lie last, whole units each, and few enough to copy a block of all, so that
  // cells are read and written whole.
  int64_t task_groups = 1;
  int64_t block_range = 1;  // channel blocks of a task, counted through those groups
  int64_t block_ranges = 1;
  bool groups_in_tile = false;  // they take turns at each register tile, not at each strip; each is one block
  // Units whose weights stay in the second-level cache for all tiles of a strip. They lie together in the packed
  // filter: nothing that its id leaves out may decide how many.
  int64_t chunk = 1;
  bool fetches_weights = false;  // while tiles are summed, those of the next pass

  // The block of data: in place where it lies as the tile reads it and no tap that is summed leaves it, else a padded
  // copy in scratch (z, y, x, unit). Pitches are in units.
  bool in_place = false;
  int64_t cell_channels = 0;
  int64_t cell_units = 0;
  int64_t cell_pitch = 0;
  int64_t row_pitch = 0;
  int64_t plane_pitch = 0;
  int64_t copied_units = 0;
  int64_t widened_at = 0;  // in the copy, the channels of a position as units, before they are regrouped

  // Cells that are summed by one block of channels before the next: rows of a plane by columns. Their sums go to the
  // output, or, where that has another type or order, to scratch (row, output column, channel of the block).
  bool direct_store = false;
  bool stream = false;  // depthwise f32: around the caches, where cells of the output begin at cache lines
  int64_t strip_rows = 1;
  int64_t strip_cells = 1;

  size_t sums_offset = 0;  // bytes
  size_t scratch_bytes = 0;

  // Depthwise, but units do not lie in memory as lanes read them: groups have several.
  bool IsRegrouped() const { return depthwise && (units > 1 || group_channels > 1); }
  ChannelBlock Block(int64_t index) const {
    const int64_t least = channel_vectors / channel_blocks;
    const int64_t more = channel_vectors % channel_blocks;
    return {index * least + (index < more ? index : more), least + (index < more ? 1 : 0)};
  }
  // Units of the packed filter before a block of channels.
  int64_t PackedBefore(int64_t group, int64_t first_vector) const {
    return (group * channel_vectors + first_vector) * tile.lanes * units * geometry.taps;
  }
};

// False where the algorithm does not fit.
bool MakeChannelsLayout(const Geometry& geometry, const ChannelsTile& tile, ChannelsLayout& layout);

// Estimated cycles of a sample.
double ChannelsCycles(const ChannelsLayout& layout);

ChannelsKernels ChooseChannelsF32(deconv_type type, int64_t target);
ChannelsKernels ChooseChannelsBF16(int64_t target);
ChannelsKernels ChooseChannelsI16(deconv_type type, int64_t target);
ChannelsKernels ChooseChannelsI8(int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_LAYOUT_H_
