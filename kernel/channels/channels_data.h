// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of the layout of the algorithm "channels" that concern the data. They decide whether the data are copied or
// read in place, and cut them into blocks (the work of one task). They place the copy in scratch. MakeChannelsLayout
// calls them in the order of this file.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_

#include <cstdint>

#include "kernel/channels/channels_layout.h"

namespace deconv {

// The most cells of a panel: the cells that are summed for one block of output channels before the next block begins. A
// cell is neighbouring outputs, one of each phase. A panel of 96 cells already reads less than a byte of weights a
// cycle, which any cache delivers. The sums of a larger panel could push the weights out of the cache.
inline constexpr int64_t kMostPanelCells = 128;
// The number of tasks that a sample should have, so that threads can share them.
inline constexpr int64_t kWantedChannelsTasks = 16;

// Decides whether the data are read and the sums are written without a copy.
void ChooseCopies(ChannelsLayout& layout);
// Cuts the axes into blocks. Returns false if the smallest block is too large to be copied.
bool ChooseChannelsBlocks(ChannelsLayout& layout);
// Sets the pitches and the size of the copy.
void PlaceData(ChannelsLayout& layout);
// Returns true if the byte offset of each tap from each cell fits 64 bits. In place, nothing else bounds distances.
bool OffsetsFit(const ChannelsLayout& layout);

// Functions that channels_tasks.h uses, too.
int64_t BlockCells(const ChannelsLayout& layout);  // cells of a block
// Returns the least number of cells of a block. A block with fewer cells than a panel would read the whole filter for
// too few products. A depthwise filter is small, so its blocks may be smaller.
int64_t LeastBlockCells(const ChannelsLayout& layout);
// Cuts an axis into even blocks of at most `most_cells` cells.
void CutAxis(BlockAxis& axis, int64_t most_cells);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_DATA_H_
