// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of a running task of the algorithm "channels", as small values. They are the task's block of data, the
// current panel of its cells, the current block of output channels, and the addresses of the sums. A function computes
// each value from the layout and the value before it.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel/base/blocks.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_weights.h"

namespace deconv {

// The work of one task: a block of data and a range of output channels.
struct ChannelsTaskWork {
  TaskPosition block;                 // sample, first group, and first cell of the block of data
  std::array<int64_t, 3> cells = {};  // cells of the block per axis
  TaskBlocks channels;
};
// Returns what task number `task` computes.
ChannelsTaskWork WorkOfTask(const ChannelsLayout& layout, int64_t task);

// A panel: the cells that are summed for one block of output channels before the next block begins. It has rows of one
// plane by columns, of one phase in z and of one or all phases in y. `begin` and `end` are (plane, row, column),
// counted in cells from the first cell of the block.
struct ChannelsPanel {
  std::array<size_t, 2> phase = {};  // the phase in z, the first phase in y
  std::array<int64_t, 3> begin = {};
  std::array<int64_t, 3> end = {};
  bool is_last = false;  // the last panel with this `phase`

  int64_t Rows() const { return end[1] - begin[1]; }
  int64_t Columns() const { return end[2] - begin[2]; }
};

// The block of output channels that is summed for a panel before the next block begins.
struct PanelChannels {
  int64_t index = 0;  // index of the block, counted through the groups of the task
  int64_t group = 0;  // counted from the first group of the task
  int64_t vectors = 0;
  int64_t first = 0;       // first channel of the block, counted in its group
  int64_t count = 0;       // channels
  int64_t last_lanes = 0;  // lanes of the last vector that are stored with the sums
};
// Returns the channels of block number `index` of a task.
PanelChannels ChannelsOfBlock(const ChannelsLayout& layout, int64_t index);

// The addresses of a panel's sums in the output, or in scratch as [row][phase in y][cell][phase in x][channel]. Steps
// are in bytes.
struct PanelSums {
  char* first = nullptr;  // sums of the first cell of the panel
  int64_t row_step = 0;
  int64_t step_of_phase_y = 0;
  int64_t cell_step = 0;
  int64_t phase_step = 0;
};
// Return where a panel's sums lie in the output, and where in scratch. `output` and `scratch` are the first addresses.
PanelSums SumsInOutput(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                       const PanelChannels& channels, char* output);
PanelSums SumsInScratch(const ChannelsLayout& layout, const ChannelsPanel& panel, const PanelChannels& channels,
                        char* scratch);

// Returns the index of an output element: that of the panel's first cell, for the first channel of the block.
int64_t OutputElement(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                      const PanelChannels& channels);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_
