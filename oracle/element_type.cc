// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the table of element types (name, bytes, family) and answers the questions of element_type.h from it.

#include "oracle/element_type.h"

#include <cassert>

namespace oracle {
namespace {

enum class Family { kFloat, kSigned, kUnsigned, kNotNumeric };

struct TypeRow {
  ElementType type;
  std::string_view name;
  std::size_t bytes;  ///< of one element
  Family family;
};

// Columns: type, name, bytes, family.
constexpr std::array kRows = {
    TypeRow{ElementType::kF64, "f64", 8, Family::kFloat},
    TypeRow{ElementType::kF32, "f32", 4, Family::kFloat},
    TypeRow{ElementType::kF16, "f16", 2, Family::kFloat},
    TypeRow{ElementType::kBf16, "bf16", 2, Family::kFloat},
    TypeRow{ElementType::kI8, "i8", 1, Family::kSigned},
    TypeRow{ElementType::kI16, "i16", 2, Family::kSigned},
    TypeRow{ElementType::kI32, "i32", 4, Family::kSigned},
    TypeRow{ElementType::kI64, "i64", 8, Family::kSigned},
    TypeRow{ElementType::kU8, "u8", 1, Family::kUnsigned},
    TypeRow{ElementType::kU16, "u16", 2, Family::kUnsigned},
    TypeRow{ElementType::kU32, "u32", 4, Family::kUnsigned},
    TypeRow{ElementType::kU64, "u64", 8, Family::kUnsigned},
    TypeRow{ElementType::kBoolean, "boolean", 1, Family::kNotNumeric},
    TypeRow{ElementType::kString, "string", 0, Family::kNotNumeric},
};

/// The rows have the order of the enumeration.
const TypeRow& Row(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  assert(index < kRows.size() && kRows[index].type == type);
  return kRows[index];
}

}  // namespace

std::string_view ElementTypeName(ElementType type) { return Row(type).name; }

std::optional<ElementType> ParseElementType(std::string_view name) {
  for (const TypeRow& row : kRows) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

bool IsNumeric(ElementType type) { return Row(type).family != Family::kNotNumeric; }
bool IsFloat(ElementType type) { return Row(type).family == Family::kFloat; }
bool IsSigned(ElementType type) { return Row(type).family == Family::kSigned || IsFloat(type); }
bool IsInteger(ElementType type) { return IsNumeric(type) && !IsFloat(type); }

std::size_t ElementBytes(ElementType type) { return Row(type).bytes; }

bool HoldsInteger(ElementType type, std::int64_t bits) { return LowBits(type, bits) == bits; }

std::int64_t LowBits(ElementType type, std::int64_t bits) {
  if (!IsInteger(type) || ElementBytes(type) == 8) return bits;
  const std::uint64_t modulus = std::uint64_t{1} << (8 * ElementBytes(type));
  const std::uint64_t low = static_cast<std::uint64_t>(bits) % modulus;
  const bool negative = IsSigned(type) && low >= modulus / 2;
  return static_cast<std::int64_t>(negative ? low - modulus : low);
}

std::string IntegerText(ElementType type, std::int64_t bits) {
  return type == ElementType::kU64 ? std::to_string(static_cast<std::uint64_t>(bits)) : std::to_string(bits);
}

}  // namespace oracle
