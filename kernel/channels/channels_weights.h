// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the weights of a pass of the algorithm "channels" lie in the packed filter, and which pass follows. A pass
// multiplies a panel (cells that are summed together) by some weights: those of one phase, one kc block (some units of
// input channels) and one block of output channels. Tiles prefetch the weights of the next pass.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernel/channels/channels_layout.h"

namespace deconv {

// Names the weights of one pass.
struct PassPosition {
  std::array<size_t, 3> phase = {};  // z, y, x
  int64_t block = 0;                 // block of channels, counted through the groups of a task
  int64_t unit = 0;                  // first unit of the kc block
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

// Return the taps and the units of a pass, and the bytes of its weights in the packed filter.
int64_t TapsOfPass(const ChannelsLayout& layout, const PassPosition& pass);
int64_t UnitsOfPass(const ChannelsLayout& layout, const PassPosition& pass);
WeightsRange WeightsOfPass(const ChannelsLayout& layout, const TaskBlocks& task, const PassPosition& pass);

// Returns the next pass of a task that has taps; none behind the last pass, or if `pass` itself has no taps. The order
// of the passes, innermost first: kc blocks, phases in x, phases in y if a panel sums all of them, blocks of channels,
// panels, phases in y and z. The last cells of the output may lack a phase. Then the pass is left out, and its weights
// were prefetched for nothing.
std::optional<PassPosition> NextPass(const ChannelsLayout& layout, const TaskBlocks& task, PassPosition pass,
                                     bool is_last_panel);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_WEIGHTS_H_
