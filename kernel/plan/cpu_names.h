// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds a class of CPUs by the name that callers use, such as "zen4". A class holds the costs by which a plan chooses
// an algorithm (base/cpu_class.h).
#ifndef DECONV_KERNEL_PLAN_CPU_NAMES_H_
#define DECONV_KERNEL_PLAN_CPU_NAMES_H_

#include "kernel/base/cpu_class.h"
#include "kernel/base/status.h"

namespace deconv {

// Sets `cpu` to a class. `name` is exactly as deconv_cpu_class returns it, or null for the class of this machine. Fails
// for an unknown name.
Status FindCpu(const char* name, const CpuClass*& cpu);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_CPU_NAMES_H_
