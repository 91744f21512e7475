// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of the layout of "channels" that concern the data: copied or read in place, cut into blocks, and placed in
// scratch. The layout calls them in the order in which they stand here.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_

#include <cstdint>

#include "kernel/channels/channels_layout.h"

namespace deconv {

// A panel of 96 cells reads less than a byte of weights a cycle, which any cache delivers. Its sums should not push the
// weights out.
inline constexpr int64_t kMostPanelCells = 128;
// Tasks of a sample, so that there are enough to share among threads.
inline constexpr int64_t kWantedChannelsTasks = 16;

// Decides whether the data are read and the sums are written without a copy.
void ChooseCopies(ChannelsLayout& layout);
// Cuts the axes into blocks. False if the smallest block is too large to be copied.
bool ChooseChannelsBlocks(ChannelsLayout& layout);
// Sets the pitches and the size of the copy.
void PlaceData(ChannelsLayout& layout);
// True if no offset of a tap in bytes leaves 64 bits, wherever it begins. In place, distances have no other bound.
bool OffsetsFit(const ChannelsLayout& layout);

// Functions that channels_tasks.h uses, too.
int64_t BlockCells(const ChannelsLayout& layout);
// The least cells of a block. One of fewer cells than a panel would stream the weights for too few products. Depthwise
// there are few weights.
int64_t LeastBlockCells(const ChannelsLayout& layout);
// Cuts an axis into even blocks of at most `most_cells` cells.
void CutAxis(BlockAxis& axis, int64_t most_cells);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_
