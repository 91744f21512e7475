// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See accumulator.h.

#include "conformance/accumulator.h"

#include "conformance/bound.h"

namespace conformance {

std::optional<oracle::ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                                       const Capabilities& declared) {
  using oracle::ElementType;
  const ElementType type = expected.geometry().type;
  const int bits = oracle::FormatOf(AccumulatorOf(declared, type)).precision;
  for (const ElementType narrower : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    if (oracle::FormatOf(narrower).precision >= bits) continue;
    if (Compare(expected, output, ArithmeticWith(narrower, declared, type)).ok()) return narrower;
  }
  return std::nullopt;
}

}  // namespace conformance
