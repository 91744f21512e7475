// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of numbers: the right products, but sums, roundings or ranges that are not what the backend declares.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "conformance/faults/fault.h"
#include "conformance/faults/number.h"

namespace conformance::faults {
namespace {

float RoundF16(std::int32_t type, float sum) { return type == DECONV_ID_F16 ? RoundTo(type, sum) : sum; }
float RoundBf16(std::int32_t type, float sum) { return type == DECONV_ID_BF16 ? RoundTo(type, sum) : sum; }

// Rounds, and goes back if that went away from zero. Not by a mask: g++ 12 takes one between two bit_casts for nothing.
float TruncateBf16(std::int32_t type, float sum) {
  if (type != DECONV_ID_BF16 || std::isnan(sum)) return sum;
  const float rounded = RoundTo(type, sum);
  if (std::fabs(rounded) <= std::fabs(sum)) return rounded;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) - 0x10000U);
}

float ClampToFinite(std::int32_t type, float sum) {
  constexpr float kLargestHalf = 65504.0F;
  return type == DECONV_ID_F16 && !std::isnan(sum) ? std::clamp(sum, -kLargestHalf, kLargestHalf) : sum;
}

float FlushSubnormals(std::int32_t type, float sum) {
  const int exponent = type == DECONV_ID_F16 ? -14 : -126;
  return std::fabs(sum) < std::ldexp(1.0F, exponent) ? 0.0F : sum;
}

// For types below 64 bits, whose sums are not wrapped yet.
std::uint64_t Saturate(std::int32_t type, std::uint64_t sum) {
  const auto bits = static_cast<int>(8 * BytesOf(type));
  if (bits == 64) return sum;
  const bool is_signed = IsSignedInteger(type);
  const std::int64_t largest = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t smallest = is_signed ? -largest - 1 : 0;
  return static_cast<std::uint64_t>(std::clamp(static_cast<std::int64_t>(sum), smallest, largest));
}

constexpr std::array kFaults = {
    Fault{.name = "f16_sums_in_f16",
          .mutant_class = "E1",
          .sentence = "declares f32 accumulation and rounds every partial sum of f16 to f16",
          .link = "https://github.com/pytorch/pytorch/issues/153700",
          .hooks = {.rounds = RoundF16}},
    Fault{.name = "bf16_sums_in_bf16",
          .mutant_class = "E1",
          .sentence = "declares f32 accumulation and rounds every partial sum of bf16 to bf16",
          .link = "",
          .hooks = {.rounds = RoundBf16}},
    Fault{.name = "bf16_truncated",
          .mutant_class = "E1",
          .sentence = "cuts sums off to bf16 instead of rounding them to nearest",
          .link = "",
          .hooks = {.stores = TruncateBf16}},
    Fault{.name = "f16_overflow_clamped",
          .mutant_class = "E1",
          .sentence = "stores the largest finite f16 where a sum is infinite or beyond it",
          .link = "https://github.com/microsoft/DirectML/issues/101",
          .hooks = {.stores = ClampToFinite}},
    Fault{.name = "subnormals_flushed",
          .mutant_class = "E1",
          .sentence = "declares that subnormal numbers are kept and stores zeros for them",
          .link = "",
          .hooks = {.stores = FlushSubnormals}},
    Fault{.name = "structural_zeros_multiply",
          .mutant_class = "A39",
          .sentence = "inserts zeros between the data and multiplies them, so that 0 * Inf makes NaN of finite outputs",
          .link = "",
          .hooks = {.multiplies_gaps = true}},
    Fault{.name = "integers_saturate",
          .mutant_class = "I1",
          .sentence = "declares that integers wrap and saturates them",
          .link = "",
          .hooks = {.stores_integer = Saturate}},
    Fault{.name = "integers_in_f32",
          .mutant_class = "E1",
          .sentence = "computes integers in f32, so that bits above the 24th are lost",
          .link = "",
          .hooks = {.integers_as_floats = true}},
    Fault{.name = "adds_to_output",
          .mutant_class = "R2",
          .sentence = "adds to what the output held before instead of starting at zero",
          .link = "https://github.com/uxlfoundation/oneDNN/issues/803",
          .hooks = {.starts_from_output = true}},
};

}  // namespace

std::span<const Fault> ArithmeticFaults() { return kFaults; }

}  // namespace conformance::faults
