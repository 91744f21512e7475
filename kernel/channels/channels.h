// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "channels": output channels in the lanes of vectors, data elements broadcast, a register tile of cells
// by vectors of channels. It wastes no column on short rows or single pixels, leaves out products with padding, and
// needs no transposition if channels lie last. For f32, f16, bf16 and integers of 8 and 16 bits.
#ifndef DECONV_KERNEL_CHANNELS_CHANNELS_H_
#define DECONV_KERNEL_CHANNELS_CHANNELS_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Null for other types, for more than three spatial axes that are not trivial, and for sizes beyond tables.
std::unique_ptr<Algorithm> CreateChannels(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_H_
