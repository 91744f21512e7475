// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the class of the CPU that runs the program. x86 tells vendor, family and model by the instruction CPUID. Arm
// tells implementer and part by the register MIDR_EL1, which Linux lets programs read. Linux tells vendor and
// architecture of RISC-V cores by a system call. Apple is known when the library is compiled. Everything else, and a
// model that a hypervisor hides, is the class "default".
//
// No library is used. Debian 12 has libcpuinfo (2022) and libcpu-features (0.7.0). The newest AMD class of both is
// Zen 3. Programs that link the kernel would need a second library for what are two small tables here.
#ifndef DECONV_KERNEL_BASE_CPU_DETECT_H_
#define DECONV_KERNEL_BASE_CPU_DETECT_H_

#include <cstdint>
#include <string_view>

#include "kernel/base/cpu_class.h"

namespace deconv {

// The class of this machine, found once.
const CpuClass& ThisCpuClass();

// Name of the class of an x86 CPU. `vendor` is what CPUID leaf 0 says, such as "AuthenticAMD"; family and model are
// those of leaf 1 with their extensions added.
const char* ClassOfX86(std::string_view vendor, uint32_t family, uint32_t model);

// Name of the class of an Arm CPU by its register MIDR_EL1.
const char* ClassOfMidr(uint64_t midr);

// Name of the class of a RISC-V CPU by its registers mvendorid and marchid.
const char* ClassOfRiscv(uint64_t vendor, uint64_t architecture);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_CPU_DETECT_H_
