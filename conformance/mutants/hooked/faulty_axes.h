// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolves one axis for the hooked implementation: its output size and pads_begin, the number of positions that are
// cropped at the beginning.

#ifndef DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_AXES_H_
#define DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_AXES_H_

#include <cstdint>
#include <limits>
#include <optional>

#include "conformance/mutants/hooked/attributes.h"
#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {

#ifdef __SIZEOF_INT128__
__extension__ using Wide = __int128;
#else  // 32-bit machines, for which only clang has integers of 128 bits
using Wide = _BitInt(128);
#endif

/// Whether the value fits 64 bits.
constexpr bool Small(Wide value) {
  return value <= std::numeric_limits<std::int64_t>::max() && value >= std::numeric_limits<std::int64_t>::min();
}

/// Computes output size and pads_begin of each axis of `geometry`, whose other members must be set. `pads_begin` and
/// `pads_end` are the attributes. Returns the first broken rule, or nothing.
std::optional<Broken> ResolveAllAxes(const Attributes& attributes, const List& pads_begin, const List& pads_end,
                                     FaultyGeometry& geometry);

}  // namespace conformance::faults

#endif  // DECONV_CONFORMANCE_MUTANTS_HOOKED_FAULTY_AXES_H_
