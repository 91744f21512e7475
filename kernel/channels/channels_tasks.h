// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of the layout of "channels" that share the work of a sample among tasks: axes are cut into more blocks, and
// the channel blocks of a block of data into ranges, so that 2, 4 and 8 threads are busy to the end. A layout for
// many workers differs only in its ranges. Other blocks would change bits: tiles of few sums add products in another
// order, and the blocks decide which cells lie in such tiles.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_

#include <cstdint>

#include "kernel/channels/channels_layout.h"

namespace deconv {

// The share of the time in which threads are busy: a weighted mean for 2, 4 and 8 threads, or for 8 and 16 if there are
// many workers. Each thread takes the next task as soon as it is free. `items` are cut into tasks of `items_of_task`
// items; the last task may have fewer. There are `repeats` such rows of tasks.
double Evenness(int64_t items, int64_t items_of_task, int64_t repeats, bool many_workers = false);

// Cuts the outermost axis that has several cells into more blocks, where few or uneven tasks would leave threads idle.
// Needs blocks and runs.
void BalanceBlocks(ChannelsLayout& layout);

// Chooses the ranges of channel blocks. If a plan is for several samples, each sample has fewer ranges, so that its
// data are copied less often. Estimates count the ranges of one sample and of few workers: the packed filter may not
// depend on the batch or the workers.
// Needs the blocks.
void ChooseTasks(ChannelsLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TASKS_H_
