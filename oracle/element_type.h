// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the element types of tensors, and answers questions about their names, widths and bit formats. The oracle and
// the suite use these types for data, filters and shape inputs.

#ifndef DECONV_ORACLE_ELEMENT_TYPE_H_
#define DECONV_ORACLE_ELEMENT_TYPE_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oracle {

/// The twelve numeric types that operators are defined on, then two types that every operator refuses. The last two
/// exist so that a test can describe an invalid operator.
enum class ElementType { kF64, kF32, kF16, kBf16, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kBoolean, kString };

inline constexpr std::array kNumericTypes = {
    ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16, ElementType::kI8,  ElementType::kI16,
    ElementType::kI32, ElementType::kI64, ElementType::kU8,  ElementType::kU16,  ElementType::kU32, ElementType::kU64};

/// "f32", "bf16", "u8", "boolean", ...: OpenVINO's lower-case names.
std::string_view ElementTypeName(ElementType type);
/// The type with this name, or nullopt.
std::optional<ElementType> ParseElementType(std::string_view name);

bool IsNumeric(ElementType type);
bool IsFloat(ElementType type);
bool IsInteger(ElementType type);
/// True for the floating types, too.
bool IsSigned(ElementType type);

/// Bytes of one element in a buffer: 1 for a boolean, 0 for a string, which has no buffer.
std::size_t ElementBytes(ElementType type);

/// Whether an integer `type` can represent the number in `bits`. u64 reads the bits as unsigned, so it represents every
/// number. Other types read them as signed. Returns true for types that are no integers. Example: u8 holds 255, not
/// 300.
bool HoldsInteger(ElementType type, std::int64_t bits);
/// Keeps the low bits of `bits` that an element of the integer `type` has: 300 becomes 44 in u8, 200 becomes -56 in i8.
std::int64_t LowBits(ElementType type, std::int64_t bits);
/// The number in decimal: unsigned for u64, signed for all other types.
std::string IntegerText(ElementType type, std::int64_t bits);

/// A binary floating-point format: value = significand * 2^exponent with `precision` significand bits.
struct FloatFormat {
  int precision;     ///< significand bits, the hidden one included: f64 53, f32 24, f16 11, bf16 8
  int max_exponent;  ///< finite values are below 2^max_exponent: 1024, 128, 16, 128
  int min_exponent;  ///< smallest normal is 2^min_exponent: -1022, -126, -14, -126
};

/// `type` must be one of the four floating types.
constexpr FloatFormat FormatOf(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return {.precision = 53, .max_exponent = 1024, .min_exponent = -1022};
    case ElementType::kF16:
      return {.precision = 11, .max_exponent = 16, .min_exponent = -14};
    case ElementType::kBf16:
      return {.precision = 8, .max_exponent = 128, .min_exponent = -126};
    default:
      assert(type == ElementType::kF32);
      return {.precision = 24, .max_exponent = 128, .min_exponent = -126};
  }
}

}  // namespace oracle

#endif  // DECONV_ORACLE_ELEMENT_TYPE_H_
