// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Holds the names of the capabilities that a backend declares, such as its accumulator, and converts capabilities to
// JSON and back.

#include "conformance/interface/capabilities_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/json_text.h"
#include "conformance/case/text/names.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/unsupported.h"

namespace conformance {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array kAccumulators = {
    Named<deconv_accumulator_id>{DECONV_ACCUMULATOR_F32, "f32"},
    Named<deconv_accumulator_id>{DECONV_ACCUMULATOR_F64, "f64"},
    Named<deconv_accumulator_id>{DECONV_ACCUMULATOR_STORAGE, "storage"},
    Named<deconv_accumulator_id>{DECONV_ACCUMULATOR_F64_THROUGH_F32, "f64-through-f32"},
};
constexpr std::array kTypeRoundings = {
    Named<deconv_rounding_id>{DECONV_ROUNDING_NEAREST, "nearest"},
    Named<deconv_rounding_id>{DECONV_ROUNDING_FAITHFUL, "faithful"},
    Named<deconv_rounding_id>{DECONV_ROUNDING_FAITHFUL_SUMS, "faithful-sums"},
    Named<deconv_rounding_id>{DECONV_ROUNDING_FUSED_SUMS, "fused-sums"},
};
constexpr std::array kDeviations = {
    Named<std::uint32_t>{DECONV_DEVIATION_STRUCTURAL_NAN, "structural-nan"},
    Named<std::uint32_t>{DECONV_DEVIATION_CLAMPED_INFINITY, "clamped-infinity"},
};
constexpr std::array kSubnormals = {
    Named<deconv_subnormals_id>{DECONV_SUBNORMALS_KEPT, "kept"},
    Named<deconv_subnormals_id>{DECONV_SUBNORMALS_FLUSHED, "flushed"},
    Named<deconv_subnormals_id>{DECONV_SUBNORMALS_FLUSHED_IN_BF16, "flushed-in-bf16"},
};
constexpr std::array kOverflows = {
    Named<deconv_overflow_id>{DECONV_OVERFLOW_WRAPS, "wraps"},
    Named<deconv_overflow_id>{DECONV_OVERFLOW_SATURATES, "saturates"},
};
constexpr std::array kRoundings = {Named<bool>{false, "nearest"}, Named<bool>{true, "faithful"}};
constexpr std::array kAlgorithms = {Named<bool>{false, "direct"}, Named<bool>{true, "fast"}};
constexpr std::array kDeterminism = {
    Named<std::uint32_t>{DECONV_SAME_BITS_EVERY_RUN, "every-run"},
    Named<std::uint32_t>{DECONV_SAME_BITS_ANY_THREADS, "any-threads"},
};

/// The value that the member's name stands for; `value` stays if there is no such member.
template <class Enum, std::size_t N>
void ReadName(const json& object, const char* member, const std::array<Named<Enum>, N>& table, Enum& value) {
  if (!object.contains(member)) return;
  const auto found = object.at(member).get<std::string>();
  if (const auto named = FindNamed(table, found)) {
    value = *named;
    return;
  }
  std::string names;
  for (const Named<Enum>& row : table) names += (names.empty() ? "" : ", ") + std::string(row.name);
  throw std::invalid_argument(fmt::format("{}: found '{}', expected one of {}", member, found, names));
}

/// A bit for each name in the list; `bit_of` gives a name's bit, or nothing.
template <class BitOf>
void ReadBits(const json& object, const char* member, const BitOf& bit_of, std::uint32_t& bits) {
  if (!object.contains(member)) return;
  bits = 0;
  for (const json& entry : object.at(member)) {
    const auto name = entry.get<std::string>();
    const std::optional<std::uint32_t> bit = bit_of(name);
    if (!bit) throw std::invalid_argument(fmt::format("{}: unknown name '{}'", member, name));
    bits |= *bit;
  }
}

std::optional<std::uint32_t> OperatorBit(std::string_view name) {
  const auto kind = oracle::ParseOperatorKind(name);
  return kind ? std::optional(1U << OperatorId(*kind)) : std::nullopt;
}

std::optional<std::uint32_t> ElementTypeBit(std::string_view name) {
  const auto type = oracle::ParseElementType(name);
  return type && oracle::IsNumeric(*type) ? std::optional(1U << ElementTypeId(*type)) : std::nullopt;
}

std::optional<std::uint32_t> DeterminismBit(std::string_view name) { return FindNamed(kDeterminism, name); }
std::optional<std::uint32_t> DeviationBit(std::string_view name) { return FindNamed(kDeviations, name); }

std::optional<std::uint32_t> UnsupportedBit(std::string_view name) {
  for (const UnsupportedName& row : kUnsupportedNames) {
    if (row.name == name) return row.bit;
  }
  return std::nullopt;
}

/// The member "arithmetic": an object with a member for each type that differs.
void ReadArithmetic(const json& object, Capabilities& declared) {
  if (!object.contains("arithmetic")) return;
  for (const auto& [name, row] : object.at("arithmetic").items()) {
    const auto type = oracle::ParseElementType(name);
    if (!type || !oracle::IsFloat(*type)) {
      throw std::invalid_argument(fmt::format("arithmetic: found '{}', expected a floating type", name));
    }
    TypeArithmetic read{.type = *type, .arithmetic = declared.ArithmeticFor(*type)};
    ReadName(row, "accumulator", kAccumulators, read.arithmetic.accumulator);
    ReadName(row, "rounding", kTypeRoundings, read.arithmetic.rounding);
    ReadName(row, "subnormals", kSubnormals, read.arithmetic.subnormals);
    declared.arithmetic.push_back(read);
  }
  std::ranges::sort(declared.arithmetic, {}, &TypeArithmetic::type);
}

Capabilities ReadCapabilities(const json& object) {
  Capabilities declared;
  declared.name = object.value("name", std::string());
  declared.version = object.value("version", std::string());
  for (const json& entry : object.value("dialects", json::array())) {
    const auto name = entry.get<std::string>();
    const auto dialect = oracle::ParseDialect(name);
    if (!dialect) throw std::invalid_argument(fmt::format("dialects: unknown dialect '{}'", name));
    declared.dialects.push_back(*dialect);
  }
  ReadBits(object, "operators", OperatorBit, declared.operators);
  ReadBits(object, "element_types", ElementTypeBit, declared.element_types);
  declared.min_rank = IntegerOr(object, "min_rank", declared.min_rank);
  declared.max_rank = IntegerOr(object, "max_rank", declared.max_rank);
  declared.max_bytes = IntegerOr(object, "max_bytes", declared.max_bytes);
  ReadName(object, "accumulator", kAccumulators, declared.accumulator);
  ReadName(object, "rounding", kRoundings, declared.faithful_rounding);
  ReadName(object, "subnormals", kSubnormals, declared.subnormals);
  ReadName(object, "overflow", kOverflows, declared.overflow);
  ReadBits(object, "saturating_types", ElementTypeBit, declared.saturating_types);
  ReadBits(object, "types_in_f32", ElementTypeBit, declared.types_in_f32);
  ReadBits(object, "deterministic", DeterminismBit, declared.deterministic);
  declared.max_threads = IntegerOr(object, "max_threads", declared.max_threads);
  ReadName(object, "algorithm", kAlgorithms, declared.fast_algorithm);
  declared.resolves = object.value("resolves", declared.resolves);
  declared.plans = object.value("plans", declared.plans);
  ReadArithmetic(object, declared);
  ReadBits(object, "known_deviations", DeviationBit, declared.known_deviations);
  declared.answers_supports = object.value("supports", declared.answers_supports);
  declared.takes_resolved = object.value("takes_resolved", declared.takes_resolved);
  declared.max_attribute = IntegerOr(object, "max_attribute", declared.max_attribute);
  ReadBits(object, "unsupported", UnsupportedBit, declared.unsupported);
  return declared;
}

}  // namespace

ordered_json CapabilitiesToJson(const Capabilities& declared) {
  // The members are set one by one, because clang takes half a minute for a braced list of 17 pairs.
  ordered_json object;
  object["name"] = declared.name;
  object["version"] = declared.version;
  ordered_json& dialects = object["dialects"] = ordered_json::array();
  for (const oracle::Dialect dialect : declared.dialects) dialects.push_back(oracle::DialectName(dialect));
  ordered_json& operators = object["operators"] = ordered_json::array();
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    if ((declared.operators >> OperatorId(kind) & 1) != 0) operators.push_back(oracle::OperatorKindName(kind));
  }
  ordered_json& types = object["element_types"] = ordered_json::array();
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((declared.element_types >> ElementTypeId(type) & 1) != 0) types.push_back(oracle::ElementTypeName(type));
  }
  object["min_rank"] = declared.min_rank;
  object["max_rank"] = declared.max_rank;
  object["max_bytes"] = declared.max_bytes;
  object["accumulator"] = NameOf(kAccumulators, declared.accumulator);
  object["rounding"] = NameOf(kRoundings, declared.faithful_rounding);
  object["subnormals"] = NameOf(kSubnormals, declared.subnormals);
  object["overflow"] = NameOf(kOverflows, declared.overflow);
  ordered_json& determinism = object["deterministic"] = ordered_json::array();
  for (const auto& [bit, word] : kDeterminism) {
    if ((declared.deterministic & bit) != 0) determinism.push_back(word);
  }
  object["max_threads"] = declared.max_threads;
  object["algorithm"] = NameOf(kAlgorithms, declared.fast_algorithm);
  object["resolves"] = declared.resolves;
  object["plans"] = declared.plans;
  // Few backends declare the following members. If they are not declared, they are left out, as in older versions.
  for (const TypeArithmetic& row : declared.arithmetic) {
    ordered_json& arithmetic = object["arithmetic"][std::string(ElementTypeName(row.type))];
    arithmetic["accumulator"] = NameOf(kAccumulators, row.arithmetic.accumulator);
    arithmetic["rounding"] = NameOf(kTypeRoundings, row.arithmetic.rounding);
    arithmetic["subnormals"] = NameOf(kSubnormals, row.arithmetic.subnormals);
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((declared.saturating_types >> ElementTypeId(type) & 1) != 0) {
      object["saturating_types"].push_back(ElementTypeName(type));
    }
    if (declared.ComputesInF32(type)) object["types_in_f32"].push_back(ElementTypeName(type));
  }
  for (const auto& [bit, word] : kDeviations) {
    if ((declared.known_deviations & bit) != 0) object["known_deviations"].push_back(word);
  }
  if (declared.answers_supports) object["supports"] = true;
  if (declared.takes_resolved) object["takes_resolved"] = true;
  if (declared.max_attribute != 0) object["max_attribute"] = declared.max_attribute;
  for (const UnsupportedName& row : kUnsupportedNames) {
    if ((declared.unsupported & row.bit) != 0) object["unsupported"].push_back(row.name);
  }
  return object;
}

std::string ArithmeticText(const FloatArithmetic& arithmetic) {
  return fmt::format("kept in {}, rounded {}, subnormals {}", NameOf(kAccumulators, arithmetic.accumulator),
                     NameOf(kTypeRoundings, arithmetic.rounding), NameOf(kSubnormals, arithmetic.subnormals));
}

std::variant<Capabilities, std::string> CapabilitiesFromJson(const json& object) {
  return CatchJsonError([&] { return ReadCapabilities(object); });
}

}  // namespace conformance
