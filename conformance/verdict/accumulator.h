// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a backend keeps its sums in the width that it declares. Outputs of the data set `swamping` that are
// wrong by the declared accumulator are judged again with narrower ones.

#ifndef DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
#define DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_

#include <cstddef>
#include <optional>
#include <span>

#include "conformance/interface/backend.h"
#include "conformance/verdict/compare.h"

namespace conformance {

/// The widest accumulator, narrower than the declared one, by which every output is right; none if there is none.
/// `expected` is of a floating type and of data set `swamping`. Outputs where its bound comes near the large terms
/// say nothing of an accumulator: a wrong index would pass there.
std::optional<oracle::ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                                       const Capabilities& declared);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ACCUMULATOR_H_
