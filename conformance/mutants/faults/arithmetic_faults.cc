// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of
// accumulators. The products are right, but sums or operands are rounded in a way that the backend does not declare.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

constexpr std::int32_t kF64 = DECONV_ID_F64;
constexpr std::int32_t kF32 = DECONV_ID_F32;
constexpr std::int32_t kF16 = DECONV_ID_F16;
constexpr std::int32_t kBf16 = DECONV_ID_BF16;

// Rounds `value` to kThrough, through f32, if the operator's type is kType.
template <std::int32_t kType, std::int32_t kThrough>
double RoundThrough(std::int32_t type, double value) {
  return type == kType ? static_cast<double>(RoundTo(kThrough, static_cast<float>(value))) : value;
}

// Rounds the sum in the same way before it is stored.
template <std::int32_t kType, std::int32_t kThrough>
double StoreThrough(std::int32_t type, double sum, std::int64_t /*products*/) {
  return RoundThrough<kType, kThrough>(type, sum);
}

// Rounds the sum to kThrough after every kEvery products.
template <std::int32_t kType, std::int32_t kThrough, std::int64_t kEvery>
double AddThrough(std::int32_t type, double sum, double product, std::int64_t nth) {
  const double next = sum + product;
  return nth % kEvery == 0 ? RoundThrough<kType, kThrough>(type, next) : next;
}

// Significand bits of f16 or bf16. No fault of this file needs those of other types.
int NarrowPrecision(std::int32_t type) { return type == kF16 ? 11 : 8; }

// The unit of the last place of a number of f16 or bf16, subnormal numbers included. The number is finite and not 0.
double NarrowUnitOf(std::int32_t type, double value) {
  const int least = type == kF16 ? -24 : -133;  // the exponent of the smallest subnormal number
  return std::ldexp(1.0, std::max(std::ilogb(value) + 1 - NarrowPrecision(type), least));
}

bool IsFiniteNumber(double value) { return std::isfinite(value) && value != 0; }

// Rounds the sum towards zero instead of to nearest.
template <std::int32_t kType>
double CutOff(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsFiniteNumber(sum)) return sum;
  const double unit = NarrowUnitOf(type, sum);
  return std::trunc(sum / unit) * unit;
}

// Rounds twice: first to kBits bits more than the type has, and then to the type.
template <std::int32_t kType, int kBits>
double RoundTwice(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsFiniteNumber(sum)) return sum;
  const double unit = std::ldexp(NarrowUnitOf(type, sum), -kBits);
  return std::rint(sum / unit) * unit;
}

// Rounds f32 to TF32, as tensor units of GPUs do: to ten bits of fraction.
double LoadTf32(std::int32_t type, double operand) {
  if (type != kF32 || !IsFiniteNumber(operand)) return operand;
  const double unit = std::ldexp(1.0, std::ilogb(operand) - 10);
  return std::rint(operand / unit) * unit;
}

// Clamps each partial sum of f16 to the range of f16.
double AddInHalfRange(std::int32_t type, double sum, double product, std::int64_t /*nth*/) {
  constexpr double kLargestHalf = 65504;
  const double next = sum + product;
  return type == kF16 && !std::isnan(next) ? std::clamp(next, -kLargestHalf, kLargestHalf) : next;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kArithmeticFaults = {
    Planted("f16_sums_in_f16", "E1", "declares f32 accumulation and rounds every partial sum of f16 to f16",
            {.numbers = {.adds = AddThrough<kF16, kF16, 1>}}, "https://github.com/pytorch/pytorch/issues/153700"),
    Planted("bf16_sums_in_bf16", "E1", "declares f32 accumulation and rounds every partial sum of bf16 to bf16",
            {.numbers = {.adds = AddThrough<kBf16, kBf16, 1>}}),
    Planted("f64_sums_in_f32", "E1", "declares f64 accumulation and rounds every partial sum of f64 to f32",
            {.numbers = {.adds = AddThrough<kF64, kF32, 1>}}),
    Planted("f32_sums_in_bf16", "E1", "rounds every partial sum of f32 to bf16",
            {.numbers = {.adds = AddThrough<kF32, kBf16, 1>}}),
    Planted("f32_sums_in_f16", "E1", "rounds every partial sum of f32 to f16",
            {.numbers = {.adds = AddThrough<kF32, kF16, 1>}}, "https://github.com/PaddlePaddle/Paddle/issues/24695"),
    Planted("f16_sums_stored_every_8", "E1", "stores partial sums to f16 after every eight products",
            {.numbers = {.adds = AddThrough<kF16, kF16, 8>}}),
    Planted("bf16_sums_stored_every_16", "E1", "stores partial sums to bf16 after every 16 products",
            {.numbers = {.adds = AddThrough<kBf16, kBf16, 16>}}),
    Planted("f16_sums_clamped", "E1", "clamps partial sums of f16 to the largest finite f16",
            {.numbers = {.adds = AddInHalfRange}}),
    Planted("f32_operands_in_tf32", "E1", "rounds operands of f32 to ten bits of fraction",
            {.numbers = {.loads = LoadTf32}}),
    Planted("f32_operands_in_bf16", "E1", "rounds operands of f32 to bf16",
            {.numbers = {.loads = RoundThrough<kF32, kBf16>}}),
    Planted("f32_operands_in_f16", "E1", "rounds operands of f32 to f16",
            {.numbers = {.loads = RoundThrough<kF32, kF16>}}),
    Planted("f64_operands_in_f32", "E1", "rounds operands of f64 to f32",
            {.numbers = {.loads = RoundThrough<kF64, kF32>}}),
    Planted("f16_operands_in_bf16", "E1", "rounds operands of f16 to bf16",
            {.numbers = {.loads = RoundThrough<kF16, kBf16>}}),
    Planted("bf16_operands_in_f16", "E1", "rounds operands of bf16 to f16, which has no such range",
            {.numbers = {.loads = RoundThrough<kBf16, kF16>}}),
    Planted("f64_stored_through_f32", "E1", "rounds sums of f64 to f32 before they are stored",
            {.numbers = {.stores = StoreThrough<kF64, kF32>}}),
    Planted("f16_stored_through_bf16", "E1", "rounds sums of f16 to bf16 before they are stored",
            {.numbers = {.stores = StoreThrough<kF16, kBf16>}}),
    Planted("bf16_stored_through_f16", "E1", "rounds sums of bf16 to f16 before they are stored",
            {.numbers = {.stores = StoreThrough<kBf16, kF16>}}),
    Planted("bf16_truncated", "E1", "cuts sums off to bf16 instead of rounding them to nearest",
            {.numbers = {.stores = CutOff<kBf16>}}),
    Planted("f16_truncated", "E1", "cuts sums off to f16 instead of rounding them to nearest",
            {.numbers = {.stores = CutOff<kF16>}}),
    Planted("bf16_rounded_twice", "N1", "rounds sums to two bits more than bf16 has and then to bf16",
            {.numbers = {.stores = RoundTwice<kBf16, 2>}}),
    Planted("f16_rounded_twice", "N1", "rounds sums to two bits more than f16 has and then to f16",
            {.numbers = {.stores = RoundTwice<kF16, 2>}}),
    Planted("adds_to_output", "R2", "adds to what the output held before instead of starting at zero",
            {.starts_from_output = true}, "https://github.com/uxlfoundation/oneDNN/issues/803"),
};

}  // namespace

std::span<const Fault> ArithmeticFaults() { return kArithmeticFaults; }

}  // namespace conformance::faults
