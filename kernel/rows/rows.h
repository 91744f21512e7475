// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "rows", for few output channels. A vector holds neighbouring cells of a row. The register tile sums
// several phases of these cells (the outputs with the same remainder modulo the stride). So a vector of data is loaded
// once and multiplied by the taps of all these phases and of several output channels. Example along one axis with 2
// taps, stride 2 and no pads: both outputs of cell i multiply data element i, by one tap each. For f32, f16, bf16, and
// 8-bit integers with few products.
#ifndef DECONV_KERNEL_ROWS_ROWS_H_
#define DECONV_KERNEL_ROWS_ROWS_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Creates the algorithm for one operator. Returns null for other types, for groups of more than 64 output channels, and
// where the algorithm "phased" does not fit.
std::unique_ptr<Algorithm> CreateRows(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_ROWS_ROWS_H_
