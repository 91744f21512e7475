// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Gives the fuzzing engine (libFuzzer) feedback about cases. A feature is a property of a case, such as "stride 2 and
// dilation 1". Features are reported as if they were covered code, so the engine keeps cases with new features and
// changes them further. It can then explore a backend whose own code reports no coverage.

#ifndef DECONV_FUZZ_CASES_CASE_FEATURES_H_
#define DECONV_FUZZ_CASES_CASE_FEATURES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/case/case.h"

namespace fuzz {

/// The number of counters. A hash assigns each feature to a counter, so two features may share one.
inline constexpr std::size_t kFeatures = 1 << 15;

/// Marks the features of a case in the table that libFuzzer reads as extra counters. A valid case has these features:
///   - pairs of classes of attributes, such as "stride 2" (conformance/case/property/property.h),
///   - tap regimes of each axis: whether none, one, several or all of the filter elements ("taps") that belong to an
///     output meet data (tap_regimes.h),
///   - classes of channel counts and sizes, and combinations with element type, rule for the values and dialect.
/// An invalid case has one feature: the clause (numbered rule of the specification) that refuses it.
void MarkFeatures(const conformance::Case& test_case);

/// The table after MarkFeatures(): the counter of each feature of the case is not 0.
const std::array<std::uint8_t, kFeatures>& MarkedFeatures();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_FEATURES_H_
