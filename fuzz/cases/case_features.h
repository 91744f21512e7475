// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tells the engine what is new about a case as if it were coverage. An engine that cannot instrument the backend
// explores the cases instead.

#ifndef DECONV_FUZZ_CASES_CASE_FEATURES_H_
#define DECONV_FUZZ_CASES_CASE_FEATURES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/case/case.h"

namespace fuzz {

/// Features share this many counters, by their hash.
inline constexpr std::size_t kFeatures = 1 << 15;

/// Counts the case's features in the table that libFuzzer reads as extra counters: pairs of classes of its attributes
/// (conformance/case/property/property.h), tap regimes of each axis, sizes of channels beside vector widths,
/// and type, data set and dialect with these; of an invalid one the clause that refuses it.
void MarkFeatures(const conformance::Case& test_case);

/// The table after MarkFeatures(): not 0 for each feature of the case.
const std::array<std::uint8_t, kFeatures>& MarkedFeatures();

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_FEATURES_H_
