// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a target, that is an instruction set such as "AVX2", by its name. The targets are those that the kernel was
// compiled for and that this machine runs. Each is a bit in a mask of Highway, the library for vector instructions.
#ifndef DECONV_KERNEL_PLAN_TARGETS_H_
#define DECONV_KERNEL_PLAN_TARGETS_H_

#include <cstdint>

#include "kernel/base/status.h"

namespace deconv {

// Sets `target` to the bit of a target. `name` is exactly as deconv_target returns it, or null for the best target.
// Fails for an unknown name.
Status FindTarget(const char* name, int64_t& target);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_TARGETS_H_
