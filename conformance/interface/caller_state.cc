// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and restores state that a call of a backend (the library under test) must not change: the floating-point
// control of the CPU, the signal mask and the locale. Uses CPU instructions where the standard library has no function.

#include "conformance/interface/caller_state.h"

#include <array>
#include <clocale>
#include <string_view>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace conformance {
namespace {

void Append(std::string& list, std::string_view what) {
  if (!list.empty()) list += ", ";
  list += what;
}

#if defined(__x86_64__) || defined(__i386__)

// Bits of MXCSR, the control register of SSE and AVX.
constexpr std::uint32_t kFlags = 0x3F;  // exceptions that were raised, which any sum may raise
constexpr std::uint32_t kDenormalsAreZero = 0x40;
constexpr std::uint32_t kMasks = 0x1F80;  // exceptions that do not trap
constexpr std::uint32_t kRounding = 0x6000;
constexpr std::uint32_t kFlushToZero = 0x8000;

std::uint32_t VectorControl() { return _mm_getcsr() & ~kFlags; }

std::uint32_t X87Control() {
  std::uint16_t word = 0;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}

/// Whether registers of the x87 stack are occupied: MMX code ended without the instruction `emms`. The next x87 result
/// would then be NaN.
bool X87IsOccupied() {
  std::array<std::uint32_t, 7> environment{};
  // fnstenv stores the environment, of which word 2 is the tag word, and masks all exceptions. So fldenv loads it
  // again.
  __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
  constexpr std::uint32_t kAllEmpty = 0xFFFF;  // two bits for each of the eight registers
  return (environment[2] & kAllEmpty) != kAllEmpty;
}

/// Empties the x87 registers, which fesetenv() does not do.
void EmptyX87() { __asm__ volatile("emms"); }

void CompareVectorControl(std::uint32_t before, std::string& changed) {
  const std::uint32_t differs = before ^ VectorControl();
  if ((differs & kRounding) != 0) Append(changed, "the rounding mode (MXCSR)");
  if ((differs & kFlushToZero) != 0) Append(changed, "flush to zero (MXCSR)");
  if ((differs & kDenormalsAreZero) != 0) Append(changed, "denormals are zero (MXCSR)");
  if ((differs & kMasks) != 0) Append(changed, "the exception masks (MXCSR)");
}

#elif defined(__aarch64__)

std::uint32_t VectorControl() {
  std::uint64_t word = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  return static_cast<std::uint32_t>(word);
}
std::uint32_t X87Control() { return 0; }
bool X87IsOccupied() { return false; }
void EmptyX87() {}

void CompareVectorControl(std::uint32_t before, std::string& changed) {
  if (before != VectorControl()) Append(changed, "the floating-point control (FPCR)");
}

#else

std::uint32_t VectorControl() { return static_cast<std::uint32_t>(std::fegetround()); }
std::uint32_t X87Control() { return 0; }
bool X87IsOccupied() { return false; }
void EmptyX87() {}

void CompareVectorControl(std::uint32_t before, std::string& changed) {
  if (before != VectorControl()) Append(changed, "the rounding mode");
}

#endif

std::string Locale() {
  const char* name = std::setlocale(LC_ALL, nullptr);
  return name == nullptr ? "" : name;
}

bool SameSignals(const sigset_t& one, const sigset_t& other) {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&one, signal) != sigismember(&other, signal)) return false;
  }
  return true;
}

}  // namespace

CallerState::CallerState()
    : vector_control_(VectorControl()), x87_control_(X87Control()), x87_occupied_(X87IsOccupied()), locale_(Locale()) {
  std::fegetenv(&environment_);
  pthread_sigmask(SIG_SETMASK, nullptr, &signals_);
}

std::string CallerState::Restore() const {
  std::string changed;
  CompareVectorControl(vector_control_, changed);
  if (x87_control_ != X87Control()) Append(changed, "the x87 control word");
  if (!x87_occupied_ && X87IsOccupied()) Append(changed, "the x87 registers (MMX code without emms)");
  sigset_t signals;
  pthread_sigmask(SIG_SETMASK, nullptr, &signals);
  if (!SameSignals(signals_, signals)) Append(changed, "the signal mask");
  if (locale_ != Locale()) Append(changed, "the locale");
  if (changed.empty()) return changed;
  std::fesetenv(&environment_);  // first: a pending exception of the x87 would trap in emms
  EmptyX87();
  pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  std::setlocale(LC_ALL, locale_.c_str());
  return changed;
}

void NoteChangedState(const CallerState& caller_state, RunAnswer& answer) {
  const std::string changed = caller_state.Restore();
  if (changed.empty()) return;
  answer.answer = kContractBroken;
  answer.message =
      "the call changed " + changed + " and did not restore it; a backend must leave its caller's state as it was";
}

}  // namespace conformance
