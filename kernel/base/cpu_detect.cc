// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the identity of the CPU (CPUID, MIDR_EL1, or a system call on RISC-V), and finds its class in a table. Ranges
// of models are those of the Linux kernel (arch/x86/include/asm/intel-family.h, arch/x86/kernel/cpu/amd.c,
// arch/arm64/include/asm/cputype.h).
#include "kernel/base/cpu_detect.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__riscv) && defined(__linux__) && __has_include(<sys/hwprobe.h>)  // since glibc 2.40
#include <sys/hwprobe.h>
#define DECONV_ASKS_RISCV 1
#endif

namespace deconv {
namespace {

constexpr const char* kDefault = "default";

const char* ClassOfAmd(uint32_t family, uint32_t model) {
  switch (family) {
    case 0x17:  // below 0x30 are Zen and Zen+, whose vectors of 256 bits are two operations
      return model >= 0x30 ? "zen2" : kDefault;
    case 0x19:  // Zen 3, and Zen 4 in these ranges of models
      return (model >= 0x10 && model <= 0x1f) || (model >= 0x60 && model <= 0x7f) || (model >= 0xa0 && model <= 0xaf)
                 ? "zen4"
                 : "zen3";
    case 0x1a:  // Strix Point and Krackan Point split vectors of 512 bits
      return (model >= 0x20 && model <= 0x2f) || (model >= 0x60 && model <= 0x6f) ? "zen5-mobile" : "zen5";
    default:
      return kDefault;
  }
}

const char* ClassOfIntel(uint32_t family, uint32_t model) {
  if (family != 6) return kDefault;
  switch (model) {
    case 0x55:  // Skylake-SP, Cascade Lake, Cooper Lake
      return "skylake-sp";
    case 0x6a:
    case 0x6c:
      return "ice-lake-sp";
    case 0x8f:  // Sapphire Rapids
    case 0xcf:  // Emerald Rapids
    case 0xad:  // Granite Rapids
    case 0xae:
      return "sapphire-rapids";
    case 0x3c:  // Haswell
    case 0x3f:
    case 0x45:
    case 0x46:
    case 0x3d:  // Broadwell
    case 0x47:
    case 0x4f:
    case 0x56:
    case 0x4e:  // Skylake
    case 0x5e:
    case 0x8e:  // Kaby Lake, Coffee Lake
    case 0x9e:
    case 0xa5:  // Comet Lake
    case 0xa6:
    case 0x97:  // Alder Lake
    case 0x9a:
    case 0xb7:  // Raptor Lake
    case 0xba:
    case 0xbf:
    case 0xaa:  // Meteor Lake
    case 0xac:
    case 0xb5:  // Arrow Lake
    case 0xc5:
    case 0xc6:
    case 0xbd:  // Lunar Lake
      return "intel-client";
    case 0x7d:  // Ice Lake
    case 0x7e:
    case 0x8c:  // Tiger Lake
    case 0x8d:
    case 0xa7:  // Rocket Lake
      return "intel-client-avx512";
    default:
      return kDefault;
  }
}

// DetectedName() returns the name of this machine's class. Each kind of processor and system has its own version.
#if defined(__x86_64__) || defined(__i386__)
const char* DetectedName() {
  std::array<uint32_t, 4> leaf = {};
  if (__get_cpuid(0, &leaf[0], &leaf[1], &leaf[2], &leaf[3]) == 0) return kDefault;
  std::array<char, 12> vendor = {};  // CPUID returns the text in the registers EBX, EDX and ECX
  std::memcpy(vendor.data(), &leaf[1], 4);
  std::memcpy(vendor.data() + 4, &leaf[3], 4);
  std::memcpy(vendor.data() + 8, &leaf[2], 4);
  if (__get_cpuid(1, &leaf[0], &leaf[1], &leaf[2], &leaf[3]) == 0) return kDefault;
  // Bits 20 to 27 extend the family if it is 15. Bits 16 to 19 extend the model in the families 6 and 15.
  const uint32_t base = leaf[0] >> 8 & 0xf;
  const uint32_t family = base == 0xf ? base + (leaf[0] >> 20 & 0xff) : base;
  const uint32_t model = (leaf[0] >> 4 & 0xf) | (base == 0xf || base == 6 ? leaf[0] >> 12 & 0xf0 : 0);
  return ClassOfX86({vendor.data(), vendor.size()}, family, model);
}
#elif defined(__aarch64__) && defined(__APPLE__)
const char* DetectedName() { return "apple"; }
#elif defined(__aarch64__) && defined(__linux__)
const char* DetectedName() {
  constexpr unsigned long kCanReadIdRegisters = 1ul << 11;  // HWCAP_CPUID
  if ((getauxval(AT_HWCAP) & kCanReadIdRegisters) == 0) return kDefault;
  uint64_t midr = 0;
  asm("mrs %0, MIDR_EL1" : "=r"(midr));
  return ClassOfMidr(midr);
}
#elif defined(DECONV_ASKS_RISCV)
const char* DetectedName() {
  // Linux gives one value for all online cores. If the cores differ, that value belongs to no class.
  std::array<riscv_hwprobe, 2> pairs = {{{RISCV_HWPROBE_KEY_MVENDORID, 0}, {RISCV_HWPROBE_KEY_MARCHID, 0}}};
  if (__riscv_hwprobe(pairs.data(), pairs.size(), 0, nullptr, 0) != 0) return kDefault;
  return ClassOfRiscv(pairs[0].value, pairs[1].value);
}
#else
const char* DetectedName() { return kDefault; }
#endif

}  // namespace

const char* ClassOfX86(std::string_view vendor, uint32_t family, uint32_t model) {
  if (vendor == "AuthenticAMD") return ClassOfAmd(family, model);
  if (vendor == "GenuineIntel") return ClassOfIntel(family, model);
  return kDefault;
}

const char* ClassOfMidr(uint64_t midr) {
  constexpr uint64_t kArm = 0x41;
  constexpr uint64_t kApple = 0x61;
  const uint64_t implementer = midr >> 24 & 0xff;
  if (implementer == kApple) return "apple";
  if (implementer != kArm) return kDefault;
  switch (midr >> 4 & 0xfff) {
    case 0xd0c:
      return "neoverse-n1";
    case 0xd49:
      return "neoverse-n2";
    case 0xd40:
      return "neoverse-v1";
    case 0xd4f:
      return "neoverse-v2";
    default:
      return kDefault;
  }
}

const char* ClassOfRiscv(uint64_t vendor, uint64_t architecture) {
  constexpr uint64_t kSpacemit = 0x710;
  constexpr uint64_t kX60 = 0x8000000058000001;
  return vendor == kSpacemit && architecture == kX60 ? "spacemit-x60" : kDefault;
}

const CpuClass& ThisCpuClass() {
  // Not null: the table has every name that this file returns.
  static const CpuClass& found = *FindCpuClass(DetectedName());
  return found;
}

}  // namespace deconv
