// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads single elements of a tensor, for comparisons and their messages: their bits, their text and their coordinates.

#ifndef DECONV_CONFORMANCE_VERDICT_ELEMENT_H_
#define DECONV_CONFORMANCE_VERDICT_ELEMENT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "oracle/element_type.h"
#include "oracle/operator.h"

namespace conformance {

/// The coordinate of the element with the flat index `flat` in a dense tensor.
oracle::Dims CoordinateOf(std::int64_t flat, const oracle::Dims& dims);

/// An element as text, with enough digits to tell neighbours apart; "nan" for every NaN.
std::string ElementText(std::uint64_t bits, oracle::ElementType type);

/// One element's bits, in the low bytes.
std::uint64_t ElementBits(std::span<const std::byte> tensor, std::int64_t index, std::size_t element_bytes);

/// The value of a signed integer with these low bits.
std::int64_t SignExtended(std::uint64_t bits, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ELEMENT_H_
