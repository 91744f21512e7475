// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of CPUs by the names that callers use.
#ifndef DECONV_KERNEL_PLAN_CPU_NAMES_H_
#define DECONV_KERNEL_PLAN_CPU_NAMES_H_

#include "kernel/base/cpu_class.h"
#include "kernel/base/status.h"

namespace deconv {

// Finds a class by the name that deconv_cpu_class returns, whole and in its case. Null is the class of this machine.
Status FindCpu(const char* name, const CpuClass*& cpu);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_CPU_NAMES_H_
