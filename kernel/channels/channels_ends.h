// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends of a task of the algorithm "channels". One function copies a block of data. The other one stores the
// sums of a panel (the outputs that are summed together). They are compiled for each target, element type and number of
// input channels in a unit (the 32 bits that a lane multiplies at once). The tasks call them by pointers, so they are
// not compiled again for each register tile.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_

#include <cstdint>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_panel.h"

namespace deconv {

struct ChannelsEnds {
  // Copies the data of a block as units with channels last, with zeros as padding outside of the data.
  void (*copy)(const ChannelsLayout& layout, const RunBuffers& buffers, const TaskPosition& position,
               char* to) = nullptr;
  // Converts the sums of a panel from scratch to the output.
  void (*store)(const ChannelsLayout& layout, const ChannelsTaskWork& work, const ChannelsPanel& panel,
                const PanelChannels& channels, const PanelSums& sums, char* output) = nullptr;
};

// Returns the functions for an element type and a target. `sums_in_f32`: the sums are f32, with one channel in a unit.
// Otherwise a unit has `depth` channels.
const ChannelsEnds* ChooseChannelsEnds(deconv_type type, bool sums_in_f32, int64_t depth, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_
