// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the floating-point control word of x86 (MXCSR) and Arm (FPCR, FPSCR). Other processors use <cfenv>.
// On POWER, one more bit decides whether vectors flush subnormals.
#include "kernel/base/fp_environment.h"

#if defined(__SSE2_MATH__)
#include <xmmintrin.h>
#elif defined(__ALTIVEC__)
#include <altivec.h>
#undef bool
#undef pixel
#undef vector
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace deconv {

#if DECONV_HAS_FP_CONTROL
namespace {

#if defined(__SSE2_MATH__)
// Bit 6 is denormals-are-zero, 7 to 12 mask exceptions, 13 and 14 round, 15 is flush-to-zero, and 0 to 5 are flags.
constexpr uint64_t kControlBits = 0xffc0;
constexpr uint64_t kDefaultControl = 0x1f80;  // all exceptions masked, so none traps
uint64_t ReadControl() { return _mm_getcsr(); }
void WriteControl(uint64_t word) { _mm_setcsr(static_cast<uint32_t>(word)); }
#elif defined(__aarch64__)
// All bits of FPCR are controls; the flags have another register.
constexpr uint64_t kControlBits = ~uint64_t{0};
constexpr uint64_t kDefaultControl = 0;
uint64_t ReadControl() {
  uint64_t word = 0;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
void WriteControl(uint64_t word) { asm volatile("msr fpcr, %0" : : "r"(word) : "memory"); }
#else
// Bits 8 to 12 and 15 enable traps; 16 to 18, 20 and 21 set lengths and strides of vectors; 22 and 23 round. FZ16, FZ,
// DN and AHP, the bits 19 and 24 to 26, decide how subnormals, NaN and f16 are treated. The others are flags.
constexpr uint64_t kControlBits = 0x07ff9f00;
constexpr uint64_t kDefaultControl = 0;
uint64_t ReadControl() {
  uint32_t word = 0;
  asm volatile("vmrs %0, fpscr" : "=r"(word));
  return word;
}
void WriteControl(uint64_t word) {
  asm volatile("vmsr fpscr, %0" : : "r"(static_cast<uint32_t>(word)) : "memory", "cc");
}
#endif

// Returns whether a control word has other settings than the default; flags do not count.
bool Differs(uint64_t word) { return (word & kControlBits) != kDefaultControl; }

}  // namespace

FloatEnvironment::FloatEnvironment() : caller_(ReadControl()) {
  if (Differs(caller_)) WriteControl((caller_ & ~kControlBits) | kDefaultControl);
}

FloatEnvironment::~FloatEnvironment() {
  if (Differs(caller_)) WriteControl(caller_);
}

#else                                        // DECONV_HAS_FP_CONTROL
namespace {

// Returns whether the thread rounds to nearest and, as far as the library tells, traps nothing.
bool IsDefault() {
#if defined(__GLIBC__) && !defined(__riscv)  // other libraries hide the traps, or have none
  if (fegetexcept() != 0) return false;
#endif
  return std::fegetround() == FE_TONEAREST;
}

#if defined(__ALTIVEC__)
// The bit NJ ("non-Java") of the register VSCR decides whether vectors of f32 flush subnormals. It is bit 16 of the
// lowest of four words.
constexpr uint32_t kNonJava = 0x10000;
constexpr size_t kWord = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 3;

// Sets whether vectors flush subnormals. Returns whether they did before.
bool ExchangeFlushing(bool on) {
  auto vscr = vec_mfvscr();
  std::array<uint32_t, 4> words;
  static_assert(sizeof(words) == sizeof(vscr));
  std::memcpy(words.data(), &vscr, sizeof(vscr));
  const bool was_on = (words[kWord] & kNonJava) != 0;
  if (was_on == on) return was_on;
  words[kWord] ^= kNonJava;
  std::memcpy(&vscr, words.data(), sizeof(vscr));
  vec_mtvscr(vscr);
  return was_on;
}
#else
// Other processors have no such bit.
bool ExchangeFlushing(bool /*on*/) { return false; }
#endif

}  // namespace

FloatEnvironment::FloatEnvironment() : differs_(!IsDefault()), flushes_(ExchangeFlushing(false)) {
  if (!differs_) return;
  std::fegetenv(&caller_);
  std::fesetenv(FE_DFL_ENV);
}

FloatEnvironment::~FloatEnvironment() {
  if (differs_) std::fesetenv(&caller_);
  if (flushes_) ExchangeFlushing(true);
}
#endif

}  // namespace deconv
