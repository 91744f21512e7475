// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of the
// conversion of a sum to the element type. The sum is right, but it is rounded to a wrong neighbour, or a limit of the
// type (overflow, smallest normal) is wrong.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

constexpr std::int32_t kF32 = DECONV_ID_F32;
constexpr std::int32_t kF16 = DECONV_ID_F16;
constexpr std::int32_t kBf16 = DECONV_ID_BF16;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Significand bits, and the exponents of the smallest normal number and of the first power of two that is too large.
int Precision(std::int32_t type) { return type == kF16 ? 11 : type == kBf16 ? 8 : 24; }
int LeastExponent(std::int32_t type) { return type == kF16 ? -14 : -126; }
int MostExponent(std::int32_t type) { return type == kF16 ? 16 : 128; }

double Largest(std::int32_t type) { return std::ldexp(1 - std::ldexp(1.0, -Precision(type)), MostExponent(type)); }

// The unit in the last place of `value` in the type, subnormal numbers included.
double UnitOf(std::int32_t type, double value) {
  const int exponent = std::max(std::ilogb(value), LeastExponent(type));
  return std::ldexp(1.0, exponent + 1 - Precision(type));
}

bool IsOrdinary(double value) { return std::isfinite(value) && value != 0; }

// Rounds the sum to the farther neighbour in the type, if the error stays below |sum| * 2^-precision: a test with that
// tolerance would miss the fault. Example: bf16 has 8 bits, so numbers near 1021 are 4 apart, and 1020 is the nearest.
// The farther one, 1024, has an error of 3, which is below 1021 / 256 = 3.99. So 1024 is stored.
template <std::int32_t kType>
double StoreFarther(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsOrdinary(sum) || std::fabs(sum) > Largest(type)) return sum;
  const double unit = UnitOf(type, sum);
  const double nearest = std::rint(sum / unit) * unit;
  if (nearest == sum) return sum;
  const double farther = nearest + std::copysign(unit, sum - nearest);
  const bool unseen = std::fabs(farther - sum) <= std::ldexp(std::fabs(sum), -Precision(type));
  return unseen ? farther : sum;
}

// Rounds to nearest, but ties away from zero.
template <std::int32_t kType>
double StoreHalfAway(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsOrdinary(sum)) return sum;
  const double unit = UnitOf(type, sum);
  return std::round(sum / unit) * unit;
}

// Rounds to nearest, but ties towards plus infinity.
template <std::int32_t kType>
double StoreHalfUp(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsOrdinary(sum)) return sum;
  const double unit = UnitOf(type, sum);
  return std::floor(sum / unit + 0.5) * unit;
}

// Rounds towards zero.
template <std::int32_t kType>
double StoreCutOff(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsOrdinary(sum)) return sum;
  const double unit = UnitOf(type, sum);
  return std::clamp(std::trunc(sum / unit) * unit, -Largest(type), Largest(type));
}

double RoundThroughF32(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == kF16 || type == kBf16 ? static_cast<float>(sum) : sum;
}

// Cuts sums off below the smallest normal number; larger sums are rounded correctly.
template <std::int32_t kType>
double CutOffSubnormals(std::int32_t type, double sum, std::int64_t products) {
  const bool subnormal = std::fabs(sum) < std::ldexp(1.0, LeastExponent(type));
  return subnormal ? StoreCutOff<kType>(type, sum, products) : sum;
}

// Rounds every sum beyond the largest number to infinity, also those that are nearer to the largest number.
template <std::int32_t kType>
double OverflowEarly(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == kType && std::fabs(sum) > Largest(type) ? std::copysign(kInfinite, sum) : sum;
}

template <std::int32_t kType>
double OverflowOneNumberEarly(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == kType && std::fabs(sum) >= Largest(type) ? std::copysign(kInfinite, sum) : sum;
}

template <std::int32_t kType>
double Clamp(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == kType && std::isfinite(sum) ? std::clamp(sum, -Largest(type), Largest(type)) : sum;
}

// Flushes to 0 the sums that round to the smallest subnormal number.
template <std::int32_t kType>
double FlushSmallest(std::int32_t type, double sum, std::int64_t /*products*/) {
  if (type != kType || !IsOrdinary(sum)) return sum;
  const double unit = std::ldexp(1.0, LeastExponent(type) + 1 - Precision(type));
  return std::rint(std::fabs(sum) / unit) == 1 ? std::copysign(0.0, sum) : sum;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and hooks that
// change steps of a correct loop (fault_hooks.h).
constexpr std::array kRoundingFaults = {
    Planted("bf16_farther_neighbour", "N1",
            "stores the farther neighbour of a sum of bf16 where it is less than one rounding away",
            {.numbers = {.stores = StoreFarther<kBf16>}}),
    Planted("f16_farther_neighbour", "N1",
            "stores the farther neighbour of a sum of f16 where it is less than one rounding away",
            {.numbers = {.stores = StoreFarther<kF16>}}),
    Planted("bf16_ties_away", "N1", "rounds sums half way between two numbers of bf16 away from zero",
            {.numbers = {.stores = StoreHalfAway<kBf16>}}),
    Planted("f16_ties_away", "N1", "rounds sums half way between two numbers of f16 away from zero",
            {.numbers = {.stores = StoreHalfAway<kF16>}}),
    Planted("bf16_ties_up", "N1", "rounds sums half way between two numbers of bf16 toward plus infinity",
            {.numbers = {.stores = StoreHalfUp<kBf16>}}),
    Planted("f16_subnormals_cut_off", "N3", "cuts sums off to subnormal f16 instead of rounding them to nearest",
            {.numbers = {.stores = CutOffSubnormals<kF16>}}),
    Planted("bf16_subnormals_cut_off", "N3", "cuts sums off to subnormal bf16 instead of rounding them to nearest",
            {.numbers = {.stores = CutOffSubnormals<kBf16>}}),
    Planted("f16_overflow_early", "N2", "stores infinity for sums between 65504 and 65520, which round to 65504",
            {.numbers = {.stores = OverflowEarly<kF16>}}),
    Planted("bf16_overflow_early", "N2", "stores infinity for sums beyond the largest bf16 that round to it",
            {.numbers = {.stores = OverflowEarly<kBf16>}}),
    Planted("f16_largest_is_infinite", "N2", "stores infinity for 65504, the largest f16",
            {.numbers = {.stores = OverflowOneNumberEarly<kF16>}}),
    Planted("f32_largest_is_infinite", "N2", "stores infinity for the largest f32",
            {.numbers = {.stores = OverflowOneNumberEarly<kF32>}}),
    Planted("bf16_overflow_clamped", "N2", "stores the largest bf16 where a finite sum rounds to infinity",
            {.numbers = {.stores = Clamp<kBf16>}}),
    Planted("f16_finite_overflow_clamped", "N2", "stores 65504 where a finite sum rounds to infinity",
            {.numbers = {.stores = Clamp<kF16>}}),
    Planted("f16_smallest_flushed", "N3", "stores zero for the smallest subnormal f16, and keeps the others",
            {.numbers = {.stores = FlushSmallest<kF16>}}),
    Planted("bf16_smallest_flushed", "N3", "stores zero for the smallest subnormal bf16, and keeps the others",
            {.numbers = {.stores = FlushSmallest<kBf16>}}),
    Planted("f32_from_f64_truncated", "N1",
            "declares sums in f64 and cuts them off to f32 instead of rounding them to nearest",
            {.numbers = {.stores = StoreCutOff<kF32>, .accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Planted("f32_from_f64_ties_away", "N1",
            "declares sums in f64 and rounds those half way between two f32 away from zero",
            {.numbers = {.stores = StoreHalfAway<kF32>, .accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Planted("f32_from_f64_overflow_early", "N2",
            "declares sums in f64 and stores infinity for those beyond the largest f32 that round to it",
            {.numbers = {.stores = OverflowEarly<kF32>, .accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Planted("f32_from_f64_clamped", "N2",
            "declares sums in f64 and stores the largest f32 where they round to infinity",
            {.numbers = {.stores = Clamp<kF32>, .accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Planted("f32_from_f64_smallest_flushed", "N3",
            "declares sums in f64 and stores zero for the smallest subnormal f32",
            {.numbers = {.stores = FlushSmallest<kF32>, .accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32}}),
    Planted("f16_from_f64_rounded_through_f32", "N1",
            "declares sums in f64 that are rounded once, and rounds them to f32 and then to f16 or bf16",
            {.numbers = {.stores = RoundThroughF32, .accumulator = DECONV_ACCUMULATOR_F64}}),
};

}  // namespace

std::span<const Fault> RoundingFaults() { return kRoundingFaults; }

}  // namespace conformance::faults
