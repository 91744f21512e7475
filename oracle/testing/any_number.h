// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Random numbers for property tests. They have the full spread from the first run on, while RapidCheck's own generators
// start small.

#ifndef DECONV_ORACLE_TESTING_ANY_NUMBER_H_
#define DECONV_ORACLE_TESTING_ANY_NUMBER_H_

#include <cstdint>

#include <rapidcheck.h>

namespace oracle {

inline std::int64_t AnyInteger() { return *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::int64_t>()); }

/// Draws a number from [least, end).
inline int AnyIn(int least, int end) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, end)); }

}  // namespace oracle

#endif  // DECONV_ORACLE_TESTING_ANY_NUMBER_H_
