// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a backend keeps its sums in fewer bits than it declares. Judges wrong outputs again with narrower
// accumulators (the types in which sums are kept), and names the first one that makes all of them right.

#include "conformance/verdict/accumulator.h"

#include <cstdint>

#include "conformance/verdict/bound.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// Whether sums in this accumulator make every output right. An output is skipped if its bound is 2^11 or more, which
/// is half of the smallest large term (2^12): even an output with a misplaced large term would be right there. At least
/// one output with products must remain.
bool Explains(Expected& expected, std::span<const std::byte> output, const Arithmetic& arithmetic) {
  constexpr double kHalfOfLarge = 0x1p11;  // the large terms of `swamping` are at least 2^12
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t bytes = oracle::ElementBytes(geometry.type);
  const auto sums = expected.Sums<oracle::FloatSum>({0, geometry.OutputCount()});
  bool compared_products = false;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Bound bound = BoundOf(sums[i], arithmetic);
    if (bound.anything || bound.accumulated >= kHalfOfLarge) continue;
    const std::uint64_t bits = ElementBits(output, static_cast<std::int64_t>(i), bytes);
    if (JudgeOutput(sums[i], bits, arithmetic).verdict != OutputVerdict::kRight) return false;
    compared_products = compared_products || sums[i].taps != 0;
  }
  return compared_products;
}

}  // namespace

std::optional<ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                               const Capabilities& declared) {
  constexpr std::int64_t kMostOutputs = 1 << 16;  // the suite's cases of `swamping` have some thousand
  const oracle::Geometry& geometry = expected.geometry();
  if (geometry.OutputCount() > kMostOutputs) return std::nullopt;
  const int bits = oracle::FormatOf(AccumulatorOf(declared, geometry.type)).precision;
  for (const ElementType narrower : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    if (oracle::FormatOf(narrower).precision >= bits) continue;
    if (Explains(expected, output, ArithmeticWith(narrower, declared, geometry.type))) return narrower;
  }
  return std::nullopt;
}

}  // namespace conformance
