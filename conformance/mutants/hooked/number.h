// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes tensor elements for the hooked implementation, the plain loop in which faults are planted. The code
// is independent of the oracle's, so that both cannot have the same mistake. `type` is a deconv_element_type_id.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_NUMBER_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_NUMBER_H_

#include <cstddef>
#include <cstdint>

#include "conformance/interface/deconv_backend.h"

namespace conformance::faults {

bool IsNumber(std::int32_t type);
bool IsFloating(std::int32_t type);
bool IsSignedInteger(std::int32_t type);
std::size_t BytesOf(std::int32_t type);

/// Read the element at `at`. LoadFloat reads floating types other than f64, LoadDouble all of them. LoadInteger returns
/// the value modulo 2^64.
float LoadFloat(std::int32_t type, const unsigned char* at);
double LoadDouble(std::int32_t type, const unsigned char* at);
std::uint64_t LoadInteger(std::int32_t type, const unsigned char* at);

/// Write an element to `at`. Floating-point values are rounded once to nearest, ties to even; integers are reduced
/// modulo 2^bits. StoreFloat does not write f64.
void StoreFloat(std::int32_t type, float value, unsigned char* at);
void StoreDouble(std::int32_t type, double value, unsigned char* at);
void StoreInteger(std::int32_t type, std::uint64_t value, unsigned char* at);

/// The value rounded to the type, which is a floating type other than f64.
float RoundTo(std::int32_t type, float value);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_NUMBER_H_
