// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The larger steps with which MakeChannelsLayout (channels_layout.cc) makes the layout of the algorithm "channels". It
// calls them in this order: ChooseCopies, ChooseChannelsBlocks, BalanceBlocks, PlaceData, OffsetsFit, ChooseTasks.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_STEPS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_STEPS_H_

#include <cstdint>

#include "kernel/channels/channels_layout.h"

namespace deconv {

// Steps that concern the data (channels_data.cc). They decide whether the data are copied or read in place, and cut
// them into blocks (the work of one task). They place the copy in scratch.

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

// Functions that channels_tasks.cc uses, too.
int64_t BlockCells(const ChannelsLayout& layout);  // cells of a block
// Returns the least number of cells of a block. A block with fewer cells than a panel would read the whole filter for
// too few products. A depthwise filter is small, so its blocks may be smaller.
int64_t LeastBlockCells(const ChannelsLayout& layout);
// Cuts an axis into even blocks of at most `most_cells` cells.
void CutAxis(BlockAxis& axis, int64_t most_cells);

// Steps that share the work of a sample among tasks (channels_tasks.cc). They cut axes into more blocks of data, and
// the blocks of output channels into ranges. So 2, 4 and 8 threads finish at about the same time. A layout for many
// workers differs only in its ranges. Other blocks would change bits: tiles of few sums add products in another order,
// and the blocks decide which cells lie in such tiles.

// Returns the share of the time in which threads are busy, from 0 to 1. It is a weighted mean for 2, 4 and 8 threads,
// or for 8 and 16 if there are many workers. Each thread takes the next task as soon as it is free. `items` items are
// cut into tasks of `items_of_task` items; the last task may have fewer. This row of tasks is repeated `repeats` times.
// Example: 3 items in tasks of 1 keep two threads busy for 3 of 2 * 2 time steps: 0.75.
double ShareOfBusyThreads(int64_t items, int64_t items_of_task, int64_t repeats, bool many_workers = false);

// Cuts the outermost axis with several cells into more blocks if few or uneven tasks would leave threads idle. The
// layout must have its blocks and tap runs.
void BalanceBlocks(ChannelsLayout& layout);

// Chooses the ranges of channel blocks. If a plan is for several samples, each sample has fewer ranges, so that its
// data are copied less often. Estimates count the ranges of one sample and of few workers, because the packed filter
// may not depend on the batch or the workers. The layout must have its blocks.
void ChooseTasks(ChannelsLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_STEPS_H_
