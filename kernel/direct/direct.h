// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "direct": one sum per output, taps found by arithmetic. Fits every rank and every geometry, needs no
// scratch; for what the fast algorithms leave over. Compiled once, so that every target is the same to it.
#ifndef DECONV_KERNEL_DIRECT_DIRECT_H_
#define DECONV_KERNEL_DIRECT_DIRECT_H_

#include <cstdint>
#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

std::unique_ptr<Algorithm> CreateDirect(const Geometry& geometry, int64_t target);

}  // namespace deconv

#endif  // DECONV_KERNEL_DIRECT_DIRECT_H_
