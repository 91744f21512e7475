// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "col2im": one matrix multiplication computes the products of a row of data with every tap, summed over
// the input channels. The products stay in scratch until all output rows that need them are summed. It serves operators
// with few output channels or large filters, for which the other algorithms wait for loads. For one or two spatial axes
// of f32, f16, bf16, and 8-bit integers with few products.
#ifndef DECONV_KERNEL_COL2IM_COL2IM_H_
#define DECONV_KERNEL_COL2IM_COL2IM_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Creates the algorithm for one operator. Returns null for other types, for three or more spatial axes, and for sizes
// beyond the limits of col2im_layout.cc.
std::unique_ptr<Algorithm> CreateCol2im(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_COL2IM_COL2IM_H_
