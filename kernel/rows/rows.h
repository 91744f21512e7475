// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "rows": vectors along the row, for few output channels. The register tile holds the phases of a cell
// side by side, so that a vector of data is loaded once and serves every phase and channel that it contributes to. For
// f32, f16, bf16, and 8-bit integers with few products.
#ifndef DECONV_KERNEL_ROWS_ROWS_H_
#define DECONV_KERNEL_ROWS_ROWS_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Null for other types and where phased does not fit.
std::unique_ptr<Algorithm> CreateRows(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_ROWS_ROWS_H_
