// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the class of the CPU that runs the program. CPUs of a class share the costs by which plans choose algorithms.
// - x86: vendor, family and model come from the instruction CPUID.
// - Arm: implementer and part come from the register MIDR_EL1, which Linux lets programs read.
// - RISC-V: vendor and architecture come from a system call of Linux.
// - Apple: the class is known when the library is compiled.
// All other CPUs, and models that a hypervisor hides, have the class "default".
//
// No library is used. Debian 12 has libcpuinfo (2022) and libcpu-features (0.7.0). The newest AMD class of both is Zen
// 3. Programs that link the kernel would need a second library instead of two small tables.
#ifndef DECONV_KERNEL_BASE_CPU_DETECT_H_
#define DECONV_KERNEL_BASE_CPU_DETECT_H_

#include <cstdint>
#include <string_view>

#include "kernel/base/cpu_class.h"

namespace deconv {

// Returns the class of this machine. It is found in the first call.
const CpuClass& ThisCpuClass();

// Returns the name of the class of an x86 CPU. `vendor` is the text of CPUID leaf 0, such as "AuthenticAMD". Family and
// model are those of leaf 1 with their extensions added.
const char* ClassOfX86(std::string_view vendor, uint32_t family, uint32_t model);

// Returns the name of the class of an Arm CPU with this value of the register MIDR_EL1.
const char* ClassOfMidr(uint64_t midr);

// Returns the name of the class of a RISC-V CPU with these values of the registers mvendorid and marchid.
const char* ClassOfRiscv(uint64_t vendor, uint64_t architecture);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CPU_DETECT_H_
