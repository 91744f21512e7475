// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "col2im": one multiplication of matrices gives the products of every tap with a row of data. The
// products wait in scratch until the output rows that they belong to are summed. For one or two dimensions of f32, f16,
// bf16, and 8-bit integers with few products, where few output channels or large filters would leave the other
// algorithms waiting for loads.
#ifndef DECONV_KERNEL_COL2IM_COL2IM_H_
#define DECONV_KERNEL_COL2IM_COL2IM_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Null where the geometry does not fit.
std::unique_ptr<Algorithm> CreateCol2im(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_COL2IM_COL2IM_H_
