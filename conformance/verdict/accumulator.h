// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a backend keeps its sums in fewer bits than it declares. The terms of the data set `swamping` are
// large pairs that cancel, such as 2^12 and -2^12, and small numbers between them, which a narrow accumulator loses. If
// outputs of this data set are wrong by the declared accumulator, they are judged again with narrower accumulators.

#ifndef DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
#define DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_

#include <cstddef>
#include <optional>
#include <span>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"

namespace conformance {

/// Returns the widest accumulator narrower than the declared one for which every output is right; nullopt if there is
/// none. `expected` must have a floating type and the data set `swamping`. An output is skipped if the narrow
/// accumulator's bound is nearly as large as a large term, because even an output with a wrong index would be right
/// there.
std::optional<oracle::ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                                       const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
