// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The packed filter of "channels", pass by pass. A pass multiplies the cells of a panel by the weights of one kc block
// of one phase for one block of channels. This says where these weights lie and which pass follows.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/channels/channels_layout.h"

namespace deconv {

struct WeightsPass {
  std::array<size_t, 3> phase = {};  // z, y, x
  int64_t block = 0;                 // block of channels, counted through the groups of a task
  int64_t unit = 0;                  // the kc block's first
};

// The blocks of channels of a task: [first_block, last_block), counted from its first group on.
struct TaskBlocks {
  int64_t group = 0;
  int64_t first_block = 0;
  int64_t last_block = 0;
};

// A range of bytes of the packed filter.
struct WeightsRange {
  int64_t begin = 0;
  int64_t bytes = 0;
};

int64_t PassTaps(const ChannelsLayout& layout, const WeightsPass& pass);
int64_t PassUnits(const ChannelsLayout& layout, const WeightsPass& pass);
WeightsRange PassWeights(const ChannelsLayout& layout, const TaskBlocks& task, const WeightsPass& pass);

// The pass with taps that follows one with taps in a task's order: kc blocks, phases in x, phases in y that share a
// panel, blocks, then all of these for the next panel, or behind the last panel for the next phase in y and z. The last
// cells of the output may lack a phase. Then its pass is left out, and its weights were prefetched in vain.
std::optional<WeightsPass> NextPass(const ChannelsLayout& layout, const TaskBlocks& task, WeightsPass pass,
                                    bool is_last_panel);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_
