// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives the fuzzing engine (libFuzzer) feedback about cases. A feature is a property of a case, such as a pair of
// attribute classes. Features are reported like code coverage, so that the engine keeps cases with new features. It can
// then explore a backend whose code is not instrumented.

#ifndef DECONV_FUZZ_CASES_CASE_FEATURES_H_
#define DECONV_FUZZ_CASES_CASE_FEATURES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/case/case.h"

namespace fuzz {

/// The number of counters. A hash assigns each feature to a counter.
inline constexpr std::size_t kFeatures = 1 << 15;

/// Marks the features of a valid case in the table that libFuzzer reads as extra counters. They are pairs of attribute
/// classes (conformance/case/property/property.h), tap regimes of each axis (tap_regimes.h), classes of channel counts
/// and sizes, and combinations with type, data set and dialect. The feature of an invalid case is the clause that
/// refuses it.
void MarkFeatures(const conformance::Case& test_case);

/// The table after MarkFeatures(): the counter of each feature of the case is not 0.
const std::array<std::uint8_t, kFeatures>& MarkedFeatures();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_FEATURES_H_
