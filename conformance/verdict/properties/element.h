// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts numbers to elements and back. Laws use only numbers that their type represents exactly.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/element_type.h"

namespace conformance::properties {

/// Each value is 0 or one that the type represents exactly as a normal number.
void Encode(oracle::ElementType type, std::span<const double> values, std::span<std::byte> elements);

/// Decodes outputs, which may hold anything: NaN and infinities come as such, 64-bit integers beyond 2^53 rounded.
std::vector<double> Decode(oracle::ElementType type, std::span<const std::byte> elements);

/// Sums of integers whose magnitudes add up to no more are exact in the type, in any order.
double LargestExactSum(oracle::ElementType type);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_
