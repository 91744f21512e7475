// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ends of "channels": the copy of a block of data, and the store of a panel's sums. A target compiles them once
// for each element type and depth of units, and the tasks of all register tiles call them by pointers.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_

#include <cstdint>

#include "kernel/base/algorithm.h"
#include "kernel/base/blocks.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_panel.h"

namespace deconv {

struct ChannelsEnds {
  // Copies the data of a block as units with channels last, with zeros where a tap reaches outside of the data.
  void (*copy)(const ChannelsLayout& layout, const RunBuffers& buffers, const BlockPlace& place, char* to) = nullptr;
  // Converts the sums of a panel from scratch to the output.
  void (*store)(const ChannelsLayout& layout, const ChannelsPlace& place, const ChannelsPanel& panel,
                const PanelChannels& channels, const PanelSums& sums, char* output) = nullptr;
};

// `floats`: the sums are f32, of one channel a unit. Otherwise `depth` channels are a unit.
const ChannelsEnds* ChooseChannelsEnds(deconv_type type, bool floats, int64_t depth, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_ENDS_H_
