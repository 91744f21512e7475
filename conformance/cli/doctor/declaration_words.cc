// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes declarations of a backend in three styles: as statements of C, as arguments of Python, and as keys of the
// process protocol's JSON.

#include "conformance/cli/doctor/declaration_words.h"

#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/process_interface.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/unsupported.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// "f64-through-f32" with the prefix "DECONV_ACCUMULATOR_" is DECONV_ACCUMULATOR_F64_THROUGH_F32 in the header.
std::string HeaderName(std::string_view prefix, std::string_view name) {
  std::string text(prefix);
  for (const char c : name) {
    text += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return text;
}

// The names in the process protocol, in the order of the enumerators in deconv_backend.h.
constexpr std::array<std::string_view, 4> kAccumulatorNames = {"f32", "f64", "storage", "f64-through-f32"};
constexpr std::array<std::string_view, 4> kRoundingNames = {"nearest", "faithful", "faithful-sums", "fused-sums"};
constexpr std::array<std::string_view, 3> kSubnormalsNames = {"kept", "flushed", "flushed-in-bf16"};
constexpr std::array<std::string_view, 2> kOverflowNames = {"wraps", "saturates"};

/// A declaration whose value is a word: rounding="faithful" or "rounding":"faithful".
std::string TextWord(std::string_view key, std::string_view value, DeclarationStyle style) {
  return style == DeclarationStyle::kPython ? fmt::format("{}=\"{}\"", key, value)
                                            : fmt::format("\"{}\":\"{}\"", key, value);
}

/// A declaration whose value is a list: types_in_f32=["f64"] or "types_in_f32":["f64"].
std::string ListWord(std::string_view key, const std::vector<std::string>& entries, DeclarationStyle style) {
  return style == DeclarationStyle::kPython ? fmt::format("{}=[{}]", key, fmt::join(entries, ", "))
                                            : fmt::format("\"{}\":[{}]", key, fmt::join(entries, ","));
}

std::vector<std::string> Quoted(const std::vector<std::string_view>& names) {
  std::vector<std::string> quoted;
  for (const std::string_view name : names) quoted.push_back(fmt::format("\"{}\"", name));
  return quoted;
}

/// The names of known deviations. `bits`: of deconv_deviation_bit.
std::vector<std::string_view> DeviationNames(std::uint32_t bits) {
  std::vector<std::string_view> names;
  if ((bits & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) names.emplace_back("structural-nan");
  if ((bits & DECONV_DEVIATION_CLAMPED_INFINITY) != 0) names.emplace_back("clamped-infinity");
  return names;
}

/// One row of `arithmetic` as JSON, which is Python too. A key that is left out means f32, nearest or kept.
std::string JsonRow(const TypeArithmetic& row) {
  const FloatArithmetic& arithmetic = row.arithmetic;
  std::string text = fmt::format(R"({{"element_type": "{}")", ElementTypeName(row.type));
  const auto add = [&text](std::string_view key, std::string_view name, bool is_default) {
    if (!is_default) text += fmt::format(R"(, "{}": "{}")", key, name);
  };
  add("accumulator", kAccumulatorNames.at(arithmetic.accumulator), arithmetic.accumulator == DECONV_ACCUMULATOR_F32);
  add("rounding", kRoundingNames.at(arithmetic.rounding), arithmetic.rounding == DECONV_ROUNDING_NEAREST);
  add("subnormals", kSubnormalsNames.at(arithmetic.subnormals), arithmetic.subnormals == DECONV_SUBNORMALS_KEPT);
  return text + "}";
}

/// One row of `arithmetic` as an initializer of C.
std::string HeaderRow(const TypeArithmetic& row) {
  return fmt::format("{{sizeof(deconv_type_arithmetic), {}, {}, {}, {}}}",
                     HeaderName("DECONV_ID_", ElementTypeName(row.type)),
                     HeaderName("DECONV_ACCUMULATOR_", kAccumulatorNames.at(row.arithmetic.accumulator)),
                     HeaderName("DECONV_ROUNDING_", kRoundingNames.at(row.arithmetic.rounding)),
                     HeaderName("DECONV_SUBNORMALS_", kSubnormalsNames.at(row.arithmetic.subnormals)));
}

/// The statements of C for the members that differ.
std::vector<std::string> HeaderLines(const Capabilities& declared, const Capabilities& wanted) {
  std::vector<std::string> lines;
  const auto set = [&lines](std::string_view field, const std::string& value) {
    lines.push_back(fmt::format("description.{} = {};", field, value));
  };
  if (wanted.faithful_rounding != declared.faithful_rounding) {
    set("faithful_rounding", wanted.faithful_rounding ? "1" : "0");
  }
  if (wanted.subnormals != declared.subnormals) {
    set("subnormals", HeaderName("DECONV_SUBNORMALS_", kSubnormalsNames.at(wanted.subnormals)));
  }
  if (wanted.overflow != declared.overflow) {
    set("overflow", HeaderName("DECONV_OVERFLOW_", kOverflowNames.at(wanted.overflow)));
  }
  if (wanted.arithmetic != declared.arithmetic) {
    std::vector<std::string> rows;
    for (const TypeArithmetic& row : wanted.arithmetic) rows.push_back(HeaderRow(row));
    if (!rows.empty()) {
      lines.push_back(fmt::format("static const deconv_type_arithmetic rows[] = {{{}}};", fmt::join(rows, ", ")));
    }
    set("arithmetic", rows.empty() ? "NULL" : "rows");
    set("arithmetic_count", std::to_string(rows.size()));
  }
  const auto set_bits = [&set](std::string_view field, std::string_view format, const auto& names) {
    std::vector<std::string> bits;
    for (const std::string_view name : names) bits.push_back(fmt::format(fmt::runtime(format), HeaderName("", name)));
    set(field, fmt::format("{}", fmt::join(bits, " | ")));
  };
  if (wanted.saturating_types != declared.saturating_types && wanted.saturating_types != 0) {
    set_bits("saturating_types", "1u << DECONV_ID_{}", TypeNames(wanted.saturating_types));
  }
  if (wanted.types_in_f32 != declared.types_in_f32) {
    set_bits("types_in_f32", "1u << DECONV_ID_{}", TypeNames(wanted.types_in_f32));
  }
  if (wanted.known_deviations != declared.known_deviations) {
    set_bits("known_deviations", "DECONV_DEVIATION_{}", DeviationNames(wanted.known_deviations));
  }
  return lines;
}

}  // namespace

std::vector<std::string_view> TypeNames(std::uint32_t bits) {
  std::vector<std::string_view> names;
  for (const ElementType type : oracle::kNumericTypes) {
    if ((bits >> ElementTypeId(type) & 1) != 0) names.push_back(ElementTypeName(type));
  }
  return names;
}

DeclarationStyle StyleOf(std::string_view backend) {
  if (!backend.starts_with(kProcessPrefix)) return DeclarationStyle::kHeader;
  const bool python = backend.find("python") != std::string_view::npos;
  return python && backend.find("deconv_backend") != std::string_view::npos ? DeclarationStyle::kPython
                                                                            : DeclarationStyle::kProtocol;
}

std::string UnsupportedWords(std::uint32_t bits, DeclarationStyle style) {
  std::vector<std::string_view> names;
  for (const UnsupportedName& row : kUnsupportedNames) {
    if ((bits & row.bit) != 0) names.push_back(row.name);
  }
  if (style != DeclarationStyle::kHeader) return ListWord("unsupported", Quoted(names), style);
  std::vector<std::string> enumerators;
  for (const std::string_view name : names) enumerators.push_back(HeaderName("DECONV_UNSUPPORTED_", name));
  return fmt::format("unsupported {}", fmt::join(enumerators, " | "));
}

std::string NumberWord(std::string_view key, std::int64_t value, DeclarationStyle style) {
  switch (style) {
    case DeclarationStyle::kHeader:
      return fmt::format("{} {}", key, value);
    case DeclarationStyle::kPython:
      return fmt::format("{}={}", key, value);
    case DeclarationStyle::kProtocol:
      break;
  }
  return fmt::format("\"{}\":{}", key, value);
}

std::vector<std::string> ArithmeticLines(const Capabilities& declared, const Capabilities& wanted,
                                         DeclarationStyle style) {
  if (style == DeclarationStyle::kHeader) return HeaderLines(declared, wanted);
  std::vector<std::string> words;
  if (wanted.faithful_rounding != declared.faithful_rounding) {
    words.push_back(TextWord("rounding", wanted.faithful_rounding ? "faithful" : "nearest", style));
  }
  if (wanted.subnormals != declared.subnormals) {
    words.push_back(TextWord("subnormals", kSubnormalsNames.at(wanted.subnormals), style));
  }
  if (wanted.overflow != declared.overflow) {
    words.push_back(TextWord("overflow", kOverflowNames.at(wanted.overflow), style));
  }
  if (wanted.arithmetic != declared.arithmetic) {
    std::vector<std::string> rows;
    for (const TypeArithmetic& row : wanted.arithmetic) rows.push_back(JsonRow(row));
    words.push_back(ListWord("arithmetic", rows, style));
  }
  if (wanted.saturating_types != declared.saturating_types && wanted.saturating_types != 0) {
    words.push_back(ListWord("saturating_types", Quoted(TypeNames(wanted.saturating_types)), style));
  }
  if (wanted.types_in_f32 != declared.types_in_f32) {
    words.push_back(ListWord("types_in_f32", Quoted(TypeNames(wanted.types_in_f32)), style));
  }
  if (wanted.known_deviations != declared.known_deviations) {
    words.push_back(ListWord("known_deviations", Quoted(DeviationNames(wanted.known_deviations)), style));
  }
  for (std::string& word : words) word += ",";
  return words;
}

}  // namespace conformance
