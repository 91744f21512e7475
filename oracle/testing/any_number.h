// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws random numbers for property tests with RapidCheck, which calls a test many times with growing sizes. Its own
// generators draw only small numbers at first. These here draw from the whole range at once.

#ifndef DECONV_ORACLE_TESTING_ANY_NUMBER_H_
#define DECONV_ORACLE_TESTING_ANY_NUMBER_H_

#include <cstdint>

#include <rapidcheck.h>

namespace oracle {

/// Draws any 64-bit integer.
inline std::int64_t AnyInteger() { return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::int64_t>()); }

/// Draws a number from [least, end).
inline int AnyIn(int least, int end) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end)); }

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_ANY_NUMBER_H_
