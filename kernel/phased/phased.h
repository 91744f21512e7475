// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "phased": computes each phase of the stride (the outputs with the same remainder modulo the stride) as
// a convolution of stride 1. A block of data is copied to scratch, widened to the compute type and padded with zeros. A
// register tile sums a few output channels by a few vectors of neighbouring cells of a row. Then all phases of the row
// are stored together.
#ifndef DECONV_KERNEL_PHASED_PHASED_H_
#define DECONV_KERNEL_PHASED_PHASED_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Creates the algorithm for one operator. Returns null for more than three spatial axes that are not trivial (IsTrivial
// of base/blocks.h). Also returns null if far taps or many channels would make a padded block too large.
std::unique_ptr<Algorithm> CreatePhased(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_H_
