// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The elements of the faultable implementation: its own reading and writing of the interface's element types, so that
// it shares no mistake with the oracle.

#ifndef DECONV_CONFORMANCE_MUTANTS_FAULTABLE_NUMBER_H_
#define DECONV_CONFORMANCE_MUTANTS_FAULTABLE_NUMBER_H_

#include <cstddef>
#include <cstdint>

#include "conformance/interface/deconv_backend.h"

namespace conformance::faults {

bool IsNumber(std::int32_t type);
bool IsFloating(std::int32_t type);
bool IsSignedInteger(std::int32_t type);
std::size_t BytesOf(std::int32_t type);

/// Floating types as float (not f64) and as double; integers as their value modulo 2^64.
float LoadFloat(std::int32_t type, const unsigned char* at);
double LoadDouble(std::int32_t type, const unsigned char* at);
std::uint64_t LoadInteger(std::int32_t type, const unsigned char* at);

/// Rounded once to nearest, ties to even; integers modulo 2^bits. A float is not stored as f64.
void StoreFloat(std::int32_t type, float value, unsigned char* at);
void StoreDouble(std::int32_t type, double value, unsigned char* at);
void StoreInteger(std::int32_t type, std::uint64_t value, unsigned char* at);

/// The value after a trip through the type, which is not f64.
float RoundTo(std::int32_t type, float value);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_FAULTABLE_NUMBER_H_
