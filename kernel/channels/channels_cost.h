// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The estimates of the algorithm "channels" in cycles and products. The plan compares ChannelsCycles with the estimates
// of the other algorithms; the layout uses the others to choose tasks and to decide whether weights are prefetched.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_

#include "kernel/channels/channels_layout.h"

namespace deconv {

// Cycles of one sample on one core. Needs a whole layout.
double ChannelsCycles(const ChannelsLayout& layout);

// Products of one unit with one output channel: pairs of a cell and a valid tap. Needs the runs of the layout.
double ProductsOfUnit(const ChannelsLayout& layout);

// Cycles to multiply a vector of units of data by one of weights.
double ProductCycles(const ChannelsLayout& layout);

// Products with a weight for each time that the weight is read, which is once a panel. Needs runs and panels.
double ReadsOfWeight(const ChannelsLayout& layout);

// Whether reading the packed filter takes longer than multiplying it: the filter is large, and each weight that is read
// meets few products. Needs runs and panels.
bool IsBoundByFilter(const ChannelsLayout& layout);

// Cycles to copy every block of data once: by vectors of a cell's units, by quads of cells and units, or, regrouped,
// unit by unit. 0 if the data are read in place. Needs the blocks of the layout.
double ChannelsCopyCycles(const ChannelsLayout& layout);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_COST_H_
