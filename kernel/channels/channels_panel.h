// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of "channels" at a moment: the place of a task, a panel of its cells, the block of output channels that the
// panel sums, and the addresses of the sums. Each is a value that a function makes from the layout and the value
// before.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernel/base/blocks.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_weights.h"

namespace deconv {

// The share of a task.
struct ChannelsPlace {
  BlockPlace block;                   // sample, first group, and first cell of the block of data
  std::array<int64_t, 3> cells = {};  // cells of the block per axis
  TaskBlocks channels;
};
ChannelsPlace PlaceOfTask(const ChannelsLayout& layout, int64_t task);

// Cells of one phase in z, and of one phase in y or all of them: rows of one plane by columns. Cells are counted from
// the first cell of the block.
struct ChannelsPanel {
  std::array<size_t, 2> phase = {};  // z, first in y
  std::array<int64_t, 3> begin = {};
  std::array<int64_t, 3> end = {};
  bool is_last = false;  // the last panel of its phase in z and y, or of its phase in z if it has all phases in y

  int64_t Rows() const { return end[1] - begin[1]; }
  int64_t Columns() const { return end[2] - begin[2]; }
};

// The output channels that a panel sums before it goes on to the next ones: one block.
struct PanelChannels {
  int64_t index = 0;  // index of the block, counted through the groups of the task
  int64_t group = 0;  // counted from the first group of the task
  int64_t vectors = 0;
  int64_t first = 0;       // channel of the group
  int64_t count = 0;       // channels
  int64_t last_lanes = 0;  // lanes of the last vector that are stored with the sums
};
PanelChannels ChannelsOfBlock(const ChannelsLayout& layout, int64_t index);

// The place of a panel's sums: the output, or scratch as [row][phase in y][cell][phase in x][channel]. Steps are in
// bytes.
struct PanelSums {
  char* first = nullptr;  // sums of the first cell of the panel
  int64_t row_step = 0;
  int64_t row_phase_step = 0;
  int64_t cell_step = 0;
  int64_t phase_step = 0;
};
PanelSums SumsInOutput(const ChannelsLayout& layout, const ChannelsPlace& place, const ChannelsPanel& panel,
                       const PanelChannels& channels, char* output);
PanelSums SumsInScratch(const ChannelsLayout& layout, const ChannelsPanel& panel, const PanelChannels& channels,
                        char* scratch);

// The element of the output where the first cell of the panel begins, for the first of the channels.
int64_t OutputElement(const ChannelsLayout& layout, const ChannelsPlace& place, const ChannelsPanel& panel,
                      const PanelChannels& channels);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_PANEL_H_
