// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the suite names and restores each part of its own state (rounding mode, signal mask, locale, ...) that a
// call of a backend left changed, and that it names nothing without a change.

#include "conformance/interface/caller_state.h"

#include <cfenv>
#include <clocale>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace conformance {
namespace {

using testing::HasSubstr;

/// Makes the change and returns what Restore() says of it. A second Restore() must find nothing.
template <class Change>
std::string After(const Change& change) {
  const CallerState caller_state;
  change();
  std::string changed = caller_state.Restore();
  EXPECT_EQ(caller_state.Restore(), "");
  return changed;
}

TEST(CallerState, WithoutAChangeNothingIsNamed) {
  EXPECT_EQ(After([] {}), "");
  // A raised exception is no changed state.
  EXPECT_EQ(After([] { std::feraiseexcept(FE_INEXACT | FE_UNDERFLOW); }), "");
}

TEST(CallerState, ARoundingModeIsNamed) {
  EXPECT_THAT(After([] { std::fesetround(FE_TOWARDZERO); }), HasSubstr("rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(CallerState, ASignalMaskIsNamed) {
  EXPECT_EQ(After([] {
              sigset_t one;
              sigemptyset(&one);
              sigaddset(&one, SIGUSR1);
              pthread_sigmask(SIG_BLOCK, &one, nullptr);
            }),
            "the signal mask");
}

TEST(CallerState, ALocaleIsNamed) {
  EXPECT_EQ(After([] { ASSERT_NE(std::setlocale(LC_NUMERIC, "C.UTF-8"), nullptr); }), "the locale");
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
}

#if defined(__x86_64__)

TEST(CallerState, EachPartOfTheControlRegisterIsNamed) {
  // Bits of MXCSR: 15 flush to zero, 6 denormals are zero, 12 mask of inexact results, 13 round down.
  EXPECT_EQ(After([] { _mm_setcsr(_mm_getcsr() | 0x8000); }), "flush to zero (MXCSR)");
  EXPECT_EQ(After([] { _mm_setcsr(_mm_getcsr() | 0x0040); }), "denormals are zero (MXCSR)");
  EXPECT_EQ(After([] { _mm_setcsr(_mm_getcsr() & ~0x1000U); }), "the exception masks (MXCSR)");
  EXPECT_EQ(After([] { _mm_setcsr(_mm_getcsr() | 0x2000); }), "the rounding mode (MXCSR)");
}

TEST(CallerState, StateOfTheX87IsNamed) {
  EXPECT_EQ(After([] {
              const std::uint16_t single = 0x007F;  // all exceptions masked, results of 24 bits
              __asm__ volatile("fldcw %0" : : "m"(single));
            }),
            "the x87 control word");
  EXPECT_EQ(After([] { __asm__ volatile("fld1"); }), "the x87 registers (MMX code without emms)");
}

#endif

}  // namespace
}  // namespace conformance
