// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts numbers to tensor elements and back. Laws (relations between the outputs of related operators) use only
// numbers that their type represents exactly.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_

#include <cstddef>
#include <span>
#include <vector>

#include "oracle/element_type.h"

namespace conformance::properties {

/// Writes numbers as elements of the type. Each value must be 0 or a normal number of the type.
void Encode(oracle::ElementType type, std::span<const double> values, std::span<std::byte> elements);

/// Reads elements, which may hold any bits. NaN and infinities are kept. Integers beyond 2^53 are rounded to double.
std::vector<double> Decode(oracle::ElementType type, std::span<const std::byte> elements);

/// The largest M such that a sum of integers is exact in the type, in any order, if their magnitudes add up to at most
/// M.
double LargestExactSum(oracle::ElementType type);

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_ELEMENT_H_
