// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of planted faults (backends that are wrong on purpose, to test whether the suite finds them) of integers:
// sums that saturate instead of wrapping, and operands or sums in too few bits. No fault misreads a sign, because that
// changes no sum that wraps.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "conformance/mutants/faults/fault.h"
#include "conformance/mutants/hooked/number.h"

namespace conformance::faults {
namespace {

std::int64_t Signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// The number of type T that is nearest to the value.
template <typename T>
std::uint64_t Clamped(std::uint64_t value) {
  constexpr std::int64_t kLeast{std::numeric_limits<T>::min()};
  constexpr std::int64_t kMost{std::numeric_limits<T>::max()};
  return static_cast<std::uint64_t>(std::clamp(Signed(value), kLeast, kMost));
}

// Saturates sums of types below 64 bits. The 64-bit sum has not wrapped yet, so it still shows the overflow.
std::uint64_t Saturate(std::int32_t type, std::uint64_t sum) {
  const auto bits = static_cast<int>(8 * BytesOf(type));
  if (bits == 64) return sum;
  const bool is_signed = IsSignedInteger(type);
  const std::int64_t largest = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  const std::int64_t smallest = is_signed ? -largest - 1 : 0;
  return static_cast<std::uint64_t>(std::clamp(Signed(sum), smallest, largest));
}

// Saturates only sums of one type.
template <std::int32_t kType>
std::uint64_t SaturateOf(std::int32_t type, std::uint64_t sum) {
  return type == kType ? Saturate(type, sum) : sum;
}

// Clamps each partial sum to the range of another type.
template <std::int32_t kType, typename T>
std::uint64_t AddClamped(std::int32_t type, std::uint64_t sum, std::uint64_t product) {
  return type == kType ? Clamped<T>(sum + product) : sum + product;
}

// Clamps each product to the range of another type.
template <std::int32_t kType, typename T>
std::uint64_t ClampProduct(std::int32_t type, std::uint64_t sum, std::uint64_t product) {
  return sum + (type == kType ? Clamped<T>(product) : product);
}

// Wraps each partial sum to another type.
template <std::int32_t kType, typename T>
std::uint64_t AddWrapped(std::int32_t type, std::uint64_t sum, std::uint64_t product) {
  return type == kType ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<T>(sum + product)))
                       : sum + product;
}

// Wraps each operand to another type.
template <std::int32_t kType, typename T>
std::uint64_t LoadAs(std::int32_t type, std::uint64_t operand) {
  return type == kType ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<T>(operand))) : operand;
}

// Columns: name, class of defect (diagnosis/class_title.cc has the titles), what the backend does wrong, and the hook
// that changes a step of a correct loop (fault_hooks.h).
constexpr std::array kIntegerFaults = {
    Planted("integers_saturate", "I2", "declares that integers wrap and saturates them",
            {.numbers = {.stores_integer = Saturate}}),
    Planted("i8_saturates", "I2", "declares that integers wrap and saturates i8",
            {.numbers = {.stores_integer = SaturateOf<DECONV_ID_I8>}}),
    Planted("u8_saturates", "I2", "declares that integers wrap and saturates u8",
            {.numbers = {.stores_integer = SaturateOf<DECONV_ID_U8>}}),
    Planted("i8_sums_saturate_in_i8", "E1", "saturates every partial sum of i8",
            {.numbers = {.adds_integer = AddClamped<DECONV_ID_I8, std::int8_t>}}),
    Planted("i8_sums_saturate_in_i16", "E1", "saturates partial sums of i8 at the ends of i16",
            {.numbers = {.adds_integer = AddClamped<DECONV_ID_I8, std::int16_t>}}),
    Planted("u8_sums_saturate_in_i16", "E1", "saturates partial sums of u8 at the ends of i16",
            {.numbers = {.adds_integer = AddClamped<DECONV_ID_U8, std::int16_t>}}),
    Planted("u8_products_saturate_in_i16", "E1", "saturates products of u8 at the ends of i16",
            {.numbers = {.adds_integer = ClampProduct<DECONV_ID_U8, std::int16_t>}}),
    Planted("i16_sums_saturate_in_i32", "E1", "saturates partial sums of i16 at the ends of i32",
            {.numbers = {.adds_integer = AddClamped<DECONV_ID_I16, std::int32_t>}}),
    Planted("u16_products_saturate_in_i32", "E1", "saturates products of u16 at the ends of i32",
            {.numbers = {.adds_integer = ClampProduct<DECONV_ID_U16, std::int32_t>}}),
    Planted("i32_sums_saturate_in_i32", "E1", "saturates every partial sum of i32",
            {.numbers = {.adds_integer = AddClamped<DECONV_ID_I32, std::int32_t>}}),
    Planted("i16_sums_in_i8", "E1", "keeps the low eight bits of partial sums of i16",
            {.numbers = {.adds_integer = AddWrapped<DECONV_ID_I16, std::int8_t>}}),
    Planted("i32_sums_in_i16", "E1", "keeps the low 16 bits of partial sums of i32",
            {.numbers = {.adds_integer = AddWrapped<DECONV_ID_I32, std::int16_t>}}),
    Planted("i64_sums_in_i32", "E1", "keeps the low 32 bits of partial sums of i64",
            {.numbers = {.adds_integer = AddWrapped<DECONV_ID_I64, std::int32_t>}}),
    Planted("u64_operands_in_u32", "E1", "reads the low 32 bits of u64",
            {.numbers = {.loads_integer = LoadAs<DECONV_ID_U64, std::uint32_t>}}),
    Planted("u32_operands_in_u16", "E1", "reads the low 16 bits of u32",
            {.numbers = {.loads_integer = LoadAs<DECONV_ID_U32, std::uint16_t>}}),
    Planted("integers_in_f32", "E1", "computes integers in f32, so that bits above the 24th are lost",
            {.numbers = {.integers = Integers::kFloat}}),
    Planted("integers_in_f64", "E1", "computes integers in f64, so that bits above the 53rd are lost",
            {.numbers = {.integers = Integers::kDouble}}),
};

}  // namespace

std::span<const Fault> IntegerFaults() { return kIntegerFaults; }

}  // namespace conformance::faults
