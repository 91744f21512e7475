// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "channels": each lane of a vector sums one output channel. One data element is copied to all lanes and
// multiplied by a vector of weights. A register tile (sums that stay in registers) has a few cells by a few vectors of
// output channels. Short rows and single pixels leave no lane idle, products with padding are left out, and data with
// channels last need no transposition. For f32, f16, bf16 and integers of 8 and 16 bits.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Creates the algorithm for one operator. Returns null for other types, and for filters that are too large for the
// tables of taps. Also returns null for more than three spatial axes that are not trivial (IsTrivial of base/blocks.h).
std::unique_ptr<Algorithm> CreateChannels(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_H_
