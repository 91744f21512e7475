// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a backend keeps its sums in fewer bits than it declares. The terms of the data set `swamping` are
// large pairs that cancel and small numbers, which a narrow accumulator loses. Outputs of this data set that are wrong
// by the declared accumulator are judged again with narrower accumulators.

#ifndef DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
#define DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_

#include <cstddef>
#include <optional>
#include <span>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"

namespace conformance {

/// Returns the widest accumulator narrower than the declared one for which every output is right, or nothing.
/// `expected` must have a floating type and the data set `swamping`. An output is skipped where the narrow
/// accumulator's bound is nearly as large as a large term: even an output with a wrong index would be right there.
std::optional<oracle::ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                                       const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
