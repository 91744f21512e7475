// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets floating-point environments by <cfenv>, and flushing by the processor's own register. It shares no code with the
// kernel's class FloatEnvironment, which tests check by it.
#include "kernel/testing/caller_environment.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace deconv::testing {
namespace {

// Control() returns the bits that decide rounding, flushing and traps, without the flags of exceptions. In MXCSR of
// x86, bits 0 to 5 are these flags. FTZ (flush-to-zero) is bit 15, and DAZ (denormals-are-zero) is bit 6. In FPCR of
// Arm, bit 24 is FZ, which does both.
#if defined(__x86_64__)
constexpr bool kCanFlush = true;
uint64_t Control() { return _mm_getcsr() & 0xffc0u; }
void FlushSubnormals() { _mm_setcsr(_mm_getcsr() | 0x8040u); }
#elif defined(__aarch64__)
constexpr bool kCanFlush = true;
uint64_t Control() {
  uint64_t word = 0;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void FlushSubnormals() { asm volatile("msr fpcr, %0" : : "r"(Control() | uint64_t{1} << 24) : "memory"); }
#else
constexpr bool kCanFlush = false;
uint64_t Control() {
  auto control = static_cast<uint64_t>(std::fegetround());
#if defined(__GLIBC__) && !defined(__riscv)
  control |= static_cast<uint64_t>(fegetexcept()) << 32;
#endif
  return control;
}
void FlushSubnormals() {}
#endif

// Turns all traps on. Returns false where nothing can be trapped, as on most Arm CPUs.
bool TrapExceptions() {
#if defined(__GLIBC__) && !defined(__riscv)
  std::feclearexcept(FE_ALL_EXCEPT);
  return feenableexcept(FE_ALL_EXCEPT) != -1 && fegetexcept() == FE_ALL_EXCEPT;
#else
  return false;
#endif
}

bool CanTrap() {
  std::fenv_t outer;
  std::fegetenv(&outer);
  const bool can_trap = TrapExceptions();
  std::fesetenv(&outer);
  return can_trap;
}

}  // namespace

std::vector<CallerEnvironment> CallerEnvironments() {
  // Columns: name, rounding, whether subnormals are flushed, whether exceptions are trapped.
  std::vector<CallerEnvironment> all = {{"upwards", FE_UPWARD, false, false},
                                        {"downwards", FE_DOWNWARD, false, false},
                                        {"towards zero", FE_TOWARDZERO, false, false}};
  if (kCanFlush) {
    all.push_back({"to nearest, flushing subnormals", FE_TONEAREST, true, false});
    all.push_back({"upwards, flushing subnormals", FE_UPWARD, true, false});
  }
  if (CanTrap()) {
    all.push_back({"to nearest, trapping exceptions", FE_TONEAREST, false, true});
    all.push_back({"downwards, trapping exceptions", FE_DOWNWARD, false, true});
  }
  return all;
}

InEnvironment::InEnvironment(const CallerEnvironment& environment) {
  std::fegetenv(&outer_);
  std::fesetround(environment.rounding);
  if (environment.flushes_subnormals) FlushSubnormals();
  if (environment.traps_exceptions) TrapExceptions();
  control_ = Control();
}

InEnvironment::~InEnvironment() { std::fesetenv(&outer_); }

bool InEnvironment::IsUnchanged() const { return Control() == control_; }

}  // namespace deconv::testing
