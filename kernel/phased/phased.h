// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "phased": the phases of the stride are stride-1 convolutions over a block of data. The block is copied,
// widened and padded in scratch. A register tile sums output channels by columns, and all phases of a row are written
// together.
#ifndef DECONV_KERNEL_PHASED_PHASED_H_
#define DECONV_KERNEL_PHASED_PHASED_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Null for more than three spatial axes that are not trivial, and for shifts so large that padding would dominate.
std::unique_ptr<Algorithm> CreatePhased(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_H_
