// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "direct": plain loops that sum one output after the other. The taps of an output are found by
// arithmetic. It fits every rank and every geometry and needs no scratch, so it computes the operators that no fast
// algorithm fits. It is compiled once, so all targets run the same code.
#ifndef DECONV_KERNEL_DIRECT_DIRECT_H_
#define DECONV_KERNEL_DIRECT_DIRECT_H_

#include <memory>

#include "kernel/base/algorithm.h"

namespace deconv {

struct Machine;

// Creates the algorithm for one operator; never returns null.
std::unique_ptr<Algorithm> CreateDirect(const Geometry& geometry, const Machine& machine);

}  // namespace deconv

#endif  // DECONV_KERNEL_DIRECT_DIRECT_H_
