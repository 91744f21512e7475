// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates the time of the algorithm "channels" in cycles and in products. A unit is the one, two or four input
// channels that a lane multiplies at once. A panel is the cells (groups of neighbouring outputs) that are summed
// together. A plan compares ChannelsCycles with the same estimate of the other algorithms. The layout uses the other
// functions to choose tasks and to decide whether weights are prefetched.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_

#include "kernel/channels/channels_layout.h"

namespace deconv {

// Returns the cycles of one sample on one core. The layout must be complete.
double ChannelsCycles(const ChannelsLayout& layout);

// Returns the products of one unit for one output channel. There is one for each pair of a cell and a valid tap (a tap
// inside the data). Needs the runs of the layout.
double ProductsOfUnit(const ChannelsLayout& layout);

// Returns the cycles to multiply a vector of units of data by a vector of weights.
double ProductCycles(const ChannelsLayout& layout);

// Returns how often a weight is multiplied each time that it is read. Each panel reads it once. Needs runs and panels.
double ReadsOfWeight(const ChannelsLayout& layout);

// Returns whether it takes longer to read the packed filter than to multiply by it. Then the filter is large, and each
// weight that is read has few products. Needs runs and panels.
bool IsBoundByFilter(const ChannelsLayout& layout);

// Returns the cycles to copy every block of data once; 0 if the data are read in place. Data with channels last are
// copied by vectors, planar data by squares of 4 cells and 4 units, and regrouped data unit by unit. Needs the blocks.
double ChannelsCopyCycles(const ChannelsLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_
