// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of the layout of the algorithm "channels" that share the work of a sample among tasks. They cut axes into
// more blocks of data, and the blocks of output channels into ranges. So 2, 4 and 8 threads finish at about the same
// time. A layout for many workers differs only in its ranges. Other blocks would change bits: tiles of few sums add
// products in another order, and the blocks decide which cells lie in such tiles.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_

#include <cstdint>

#include "kernel/channels/channels_layout.h"

namespace deconv {

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

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_
