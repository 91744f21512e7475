// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The instruction sets that the kernel was compiled for and this machine runs, by name. A target is a bit of Highway's.
#ifndef DECONV_KERNEL_PLAN_TARGETS_H_
#define DECONV_KERNEL_PLAN_TARGETS_H_

#include <cstdint>

#include "kernel/base/status.h"

namespace deconv {

// Finds a target by the name that deconv_target returns, whole and in its case. Null is the best target.
Status FindTarget(const char* name, int64_t& target);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_TARGETS_H_
