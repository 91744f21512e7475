// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "direct": one sum for each output, with taps found by arithmetic. It fits every rank and every geometry
// and needs no scratch. It computes what the fast algorithms do not fit. Compiled once, so that all targets are the
// same for it.
#ifndef DECONV_KERNEL_DIRECT_DIRECT_H_
#define DECONV_KERNEL_DIRECT_DIRECT_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

std::unique_ptr<Algorithm> CreateDirect(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_DIRECT_DIRECT_H_
