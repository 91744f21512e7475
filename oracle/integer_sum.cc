// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts an exact integer sum to the type of the output, in two ways: by wrapping and by saturating. Libraries do one
// or the other. Example: 300 in u8 wraps to 44 and saturates to 255.

#include "oracle/integer_sum.h"

namespace oracle {
namespace {

bool Less(const I192& a, const I192& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

}  // namespace

void WrapAndSaturate(const I192& sum, std::int64_t taps, ElementType type, IntegerSum& result) {
  const int bits = 8 * static_cast<int>(ElementBytes(type));
  // The low `bits` bits. Shifting by 64 bits is undefined.
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t highest = IsSigned(type) ? mask >> 1 : mask;
  const I192 maximum = {.low = highest, .high = 0};
  // Two's complement of -2^(bits-1) for the signed types, 0 for the others.
  const U128 least = IsSigned(type) ? U128{0} - (U128{highest} + 1) : U128{0};
  const I192 minimum = {.low = least, .high = IsSigned(type) ? -1 : 0};
  result.taps = taps;
  result.wrapped = static_cast<std::uint64_t>(sum.low) & mask;
  if (Less(maximum, sum)) {
    result.saturated = highest;
  } else if (Less(sum, minimum)) {
    result.saturated = static_cast<std::uint64_t>(least) & mask;
  } else {
    result.saturated = result.wrapped;
  }
}

}  // namespace oracle
