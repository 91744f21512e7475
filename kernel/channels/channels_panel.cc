// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes from the layout of the algorithm "channels" which data a task has, which output channels a block has, and
// where the sums of a panel lie. A panel is the cells that are summed together.
#include "kernel/channels/channels_panel.h"

#include <algorithm>

#include "kernel/channels/channels_units.h"

namespace deconv {

ChannelsTaskWork WorkOfTask(const ChannelsLayout& layout, int64_t task) {
  ChannelsTaskWork work;
  // Blocks of data vary fastest: tasks that follow one another in time use the same weights.
  task = SplitTask(layout.axes, task, work.block, work.cells);
  TaskBlocks& channels = work.channels;
  channels.first_block = task % layout.tasks.block_ranges * layout.tasks.block_range;
  channels.last_block =
      std::min(channels.first_block + layout.tasks.block_range, layout.tasks.groups * layout.channels.blocks);
  task /= layout.tasks.block_ranges;
  const int64_t group_ranges = layout.geometry.groups / layout.tasks.groups;
  work.block.group = channels.group = task % group_ranges * layout.tasks.groups;
  work.block.batch = task / group_ranges;
  return work;
}

PanelChannels ChannelsOfBlock(const ChannelsLayout& layout, int64_t index) {
  const int64_t lanes = layout.tile.lanes;
  const ChannelBlock block = layout.Block(index % layout.channels.blocks);
  PanelChannels channels;
  channels.index = index;
  channels.group = index / layout.channels.blocks;
  channels.vectors = block.vectors;
  channels.first = block.first_vector * lanes;
  channels.count = std::min(block.vectors * lanes, layout.geometry.out_channels - channels.first);
  // Scratch has room for whole vectors.
  channels.last_lanes = layout.store.is_direct ? channels.count - (block.vectors - 1) * lanes : lanes;
  return channels;
}

int64_t OutputElement(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                      const PanelChannels& channels) {
  const auto& [z, y, x] = layout.axes;
  const TaskPosition& block = work.block;
  const TensorStrides& strides = layout.geometry.output_strides;
  const int64_t channel = (block.group + channels.group) * layout.geometry.out_channels + channels.first;
  const int64_t plane = (block.begin[0] + panel.begin[0]) * z.axis.stride + static_cast<int64_t>(panel.phase[0]);
  const int64_t output_row =
      plane * y.axis.output + (block.begin[1] + panel.begin[1]) * y.axis.stride + static_cast<int64_t>(panel.phase[1]);
  const int64_t position = output_row * x.axis.output + (block.begin[2] + panel.begin[2]) * x.axis.stride;
  return block.batch * strides.batch + channel * strides.channel + position * strides.position;
}

PanelSums SumsInOutput(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                       const PanelChannels& channels, char* output) {
  const auto& [z, y, x] = layout.axes;
  const auto element = static_cast<int64_t>(ElementBytes(layout.geometry.type));
  PanelSums sums;
  sums.first = output + OutputElement(layout, work, panel, channels) * element;
  sums.phase_step = layout.geometry.output_strides.position * element;
  sums.cell_step = x.axis.stride * sums.phase_step;
  sums.step_of_phase_y = x.axis.output * sums.phase_step;
  sums.row_step = y.axis.stride * sums.step_of_phase_y;
  return sums;
}

PanelSums SumsInScratch(const ChannelsLayout& layout, const ChannelsPanel& panel, const PanelChannels& channels,
                        char* scratch) {
  PanelSums sums;
  sums.first = scratch;
  sums.phase_step = channels.vectors * layout.tile.lanes * kUnitBytes;
  sums.cell_step = layout.PhasesOfX() * sums.phase_step;
  sums.step_of_phase_y = panel.Columns() * sums.cell_step;
  sums.row_step = layout.panels.row_phases * sums.step_of_phase_y;
  return sums;
}

}  // namespace deconv
