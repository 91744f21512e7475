// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of special
// numbers: NaN, Inf, subnormal numbers and overflow. Structural zeros are padding and the gaps of stride and dilation.
// They are no products: if a backend inserts a zero there and multiplies it, 0 * Inf makes NaN.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "conformance/mutants/faults/fault.h"

namespace conformance::faults {
namespace {

double SmallestNormal(std::int32_t type) {
  if (type == DECONV_ID_F64) return std::ldexp(1.0, -1022);
  return std::ldexp(1.0, type == DECONV_ID_F16 ? -14 : -126);
}

double FlushOperand(std::int32_t type, double operand) {
  return std::fabs(operand) < SmallestNormal(type) ? 0.0 : operand;
}

double FlushStored(std::int32_t type, double sum, std::int64_t /*products*/) { return FlushOperand(type, sum); }

template <std::int32_t kType>
double FlushOperandOf(std::int32_t type, double operand) {
  return type == kType ? FlushOperand(type, operand) : operand;
}

// Flushes products below 2^-126, the smallest normal number of f32.
double FlushProduct(double data, double filter) {
  const double product = data * filter;
  return std::fabs(product) < std::ldexp(1.0, -126) ? 0.0 : product;
}

double ClampHalf(std::int32_t type, double sum, std::int64_t /*products*/) {
  constexpr double kLargestHalf = 65504;
  return type == DECONV_ID_F16 && !std::isnan(sum) ? std::clamp(sum, -kLargestHalf, kLargestHalf) : sum;
}

// Leaves finite sums and NaN as they are.
double ClampInfinity(std::int32_t type, double sum, std::int64_t /*products*/) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  return type == DECONV_ID_F32 && std::isinf(sum) ? std::copysign(kLargest, sum) : sum;
}

// Clamps with a minimum and a maximum that return their second operand if the first one is NaN.
double ClampSpecial(std::int32_t type, double sum, std::int64_t products) {
  if (type == DECONV_ID_F32 && std::isnan(sum)) return std::numeric_limits<float>::max();
  return ClampInfinity(type, sum, products);
}

double OverflowToNan(std::int32_t type, double sum, std::int64_t /*products*/) {
  constexpr double kBeyondHalf = 65520;  // half way between 65504 and 2^16: from here on, sums round to infinity
  return type == DECONV_ID_F16 && std::fabs(sum) >= kBeyondHalf ? std::numeric_limits<double>::quiet_NaN() : sum;
}

double NanToZero(std::int32_t /*type*/, double operand) { return std::isnan(operand) ? 0.0 : operand; }

double StoreNanAsZero(std::int32_t /*type*/, double sum, std::int64_t /*products*/) {
  return std::isnan(sum) ? 0.0 : sum;
}

// Rounds a NaN to bf16 like a number. The carry changes its exponent.
double StoreNanAsInfinity(std::int32_t type, double sum, std::int64_t /*products*/) {
  return type == DECONV_ID_BF16 && std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
}

// Converts f16 with shifts that treat the exponent 31 of infinity and NaN like any other.
double HalfWithoutInfinity(std::int32_t type, double operand) {
  constexpr double kTwoTo16 = 65536;
  if (type != DECONV_ID_F16 || std::isfinite(operand)) return operand;
  return std::isnan(operand) ? 1.5 * kTwoTo16 : std::copysign(kTwoTo16, operand);
}

double CancelInfinities(std::int32_t /*type*/, double sum, double product, std::int64_t /*nth*/) {
  return std::isinf(sum) && product == -sum ? 0.0 : sum + product;
}

double IgnoreNanProducts(std::int32_t /*type*/, double sum, double product, std::int64_t /*nth*/) {
  return std::isnan(product) ? sum : sum + product;
}

// A gap is an output that no tap reaches. The exponents are those of the smallest subnormal numbers.
double StoreSmallestInGaps(std::int32_t type, double sum, std::int64_t products) {
  if (products != 0) return sum;
  if (type == DECONV_ID_F64) return std::numeric_limits<double>::denorm_min();
  return std::ldexp(1.0, type == DECONV_ID_F16 ? -24 : type == DECONV_ID_BF16 ? -133 : -149);
}

double SkipZeroData(double data, double filter) { return data == 0 ? 0.0 : data * filter; }
double SkipZeroFilter(double data, double filter) { return filter == 0 ? 0.0 : data * filter; }

// Multiplies zeros between the data elements, but none outside of them.
void FillStrideGaps(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = position + axis.pads_begin - axis.dilation * k;
    if (from < 0) break;
    if (from % axis.stride != 0 && from / axis.stride < axis.data) {
      taps.push_back({.tap = k, .data = from / axis.stride, .zero_data = true});
    }
  }
}

// Multiplies zeros around the data, as far as the filter reaches.
void FillBorder(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  const std::int64_t last = axis.stride * (axis.data - 1);
  for (std::int64_t k = 0; k < axis.kernel; ++k) {
    const std::int64_t from = position + axis.pads_begin - axis.dilation * k;
    if (from < 0 || from > last) taps.push_back({.tap = k, .zero_data = true});
  }
}

// Multiplies zeros between the taps of a dilated filter.
void FillDilationGaps(const FaultyAxis& axis, std::int64_t position, std::vector<Tap>& taps) {
  for (std::int64_t reach = 0; reach < axis.dilation * (axis.kernel - 1); ++reach) {
    const std::int64_t from = position + axis.pads_begin - reach;
    if (from < 0) break;
    if (reach % axis.dilation == 0 || from % axis.stride != 0 || from / axis.stride >= axis.data) continue;
    taps.push_back({.tap = reach / axis.dilation, .data = from / axis.stride, .zero_filter = true});
  }
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, hooks that
// change steps of a correct loop (fault_hooks.h), and a real bug of this kind.
constexpr std::array kSpecialFaults = {
    Planted("f16_overflow_clamped", "E1", "stores the largest finite f16 where a sum is infinite or beyond it",
            {.numbers = {.stores = ClampHalf}}, "https://github.com/microsoft/DirectML/issues/101"),
    Planted("f16_overflow_to_nan", "N2", "stores NaN where a sum is beyond the largest finite f16",
            {.numbers = {.stores = OverflowToNan}}),
    Planted("f32_infinity_clamped", "N2", "stores the largest finite f32 where a sum is infinite",
            {.numbers = {.stores = ClampInfinity}}),
    Planted("f32_special_clamped", "N2", "stores the largest finite f32 where a sum is infinite or NaN",
            {.numbers = {.stores = ClampSpecial}}),
    Planted("subnormals_flushed", "N3", "declares that subnormal numbers are kept and stores zeros for them",
            {.numbers = {.stores = FlushStored}}),
    Planted("subnormal_operands_flushed", "N3", "declares that subnormal numbers are kept and reads zeros for them",
            {.numbers = {.loads = FlushOperand}}),
    Planted("f16_subnormal_operands_flushed", "N3", "reads zeros for subnormal f16, which are normal numbers of f32",
            {.numbers = {.loads = FlushOperandOf<DECONV_ID_F16>}}),
    Planted("subnormal_products_flushed", "N3",
            "declares that subnormal numbers are kept and adds zeros for products that are subnormal in f32",
            {.numbers = {.multiplies = FlushProduct}}),
    Planted("nan_operands_read_as_zero", "N2", "reads zeros for NaN", {.numbers = {.loads = NanToZero}}),
    Planted("nan_stored_as_zero", "N2", "stores zeros for NaN", {.numbers = {.stores = StoreNanAsZero}}),
    Planted("nan_products_ignored", "N2", "leaves products that are NaN out of the sums",
            {.numbers = {.adds = IgnoreNanProducts}}),
    Planted("bf16_nan_stored_as_infinity", "N2", "stores Inf for NaN of bf16",
            {.numbers = {.stores = StoreNanAsInfinity}}),
    Planted("f16_infinity_read_as_finite", "N2", "reads Inf and NaN of f16 as if they were finite numbers",
            {.numbers = {.loads = HalfWithoutInfinity}}),
    Planted("infinities_cancel", "N2", "computes 0 for Inf - Inf", {.numbers = {.adds = CancelInfinities}}),
    Planted("zero_data_skipped", "N2", "skips data elements of 0, so that 0 * Inf and 0 * NaN are lost",
            {.numbers = {.multiplies = SkipZeroData}}),
    Planted("zero_taps_skipped", "N2", "skips taps of 0, so that Inf * 0 and NaN * 0 are lost",
            {.numbers = {.multiplies = SkipZeroFilter}}),
    Planted("structural_zeros_multiply", "A39",
            "inserts zeros between the data and multiplies them, so that 0 * Inf makes NaN of finite outputs",
            {.taps = FillStrideGaps}),
    Planted("border_zeros_multiply", "A39", "puts zeros around the data and multiplies them", {.taps = FillBorder}),
    Planted("dilation_zeros_multiply", "A39", "inserts zeros between the taps of a dilated filter and multiplies them",
            {.taps = FillDilationGaps}),
    Planted("gaps_smallest_number", "N2", "stores the smallest subnormal number where no tap reaches",
            {.numbers = {.stores = StoreSmallestInGaps}}),
};

}  // namespace

std::span<const Fault> SpecialFaults() { return kSpecialFaults; }

}  // namespace conformance::faults
