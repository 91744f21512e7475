// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of declared capabilities, and their conversion to and from JSON.

#include "conformance/door/capabilities_json.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/door/describe_operator.h"
#include "conformance/text/catch_json_error.h"
#include "conformance/text/json_integers.h"

namespace conformance {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::array kAccumulators = {std::pair{DECONV_ACCUMULATOR_F32, "f32"},
                                      std::pair{DECONV_ACCUMULATOR_F64, "f64"},
                                      std::pair{DECONV_ACCUMULATOR_STORAGE, "storage"}};
constexpr std::array kSubnormals = {std::pair{DECONV_SUBNORMALS_KEPT, "kept"},
                                    std::pair{DECONV_SUBNORMALS_FLUSHED, "flushed"},
                                    std::pair{DECONV_SUBNORMALS_FLUSHED_IN_BF16, "flushed-in-bf16"}};
constexpr std::array kOverflows = {std::pair{DECONV_OVERFLOW_WRAPS, "wraps"},
                                   std::pair{DECONV_OVERFLOW_SATURATES, "saturates"}};
constexpr std::array kRoundings = {std::pair{false, "nearest"}, std::pair{true, "faithful"}};
constexpr std::array kAlgorithms = {std::pair{false, "direct"}, std::pair{true, "fast"}};
constexpr std::array kDeterminism = {std::pair{DECONV_SAME_BITS_EVERY_RUN, "every-run"},
                                     std::pair{DECONV_SAME_BITS_ANY_THREADS, "any-threads"}};

template <class Table, class Value>
std::string WordOf(const Table& table, Value value) {
  for (const auto& [entry, word] : table) {
    if (entry == value) return word;
  }
  return {};
}

/// The value that the member's word stands for; `value` if there is no such member.
template <class Table, class Value>
void ReadWord(const json& object, const char* member, const Table& table, Value& value) {
  if (!object.contains(member)) return;
  const auto found = object.at(member).get<std::string>();
  std::string words;
  for (const auto& [entry, word] : table) {
    if (word == found) {
      value = entry;
      return;
    }
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  throw std::invalid_argument(fmt::format("{}: found '{}', expected one of {}", member, found, words));
}

/// A bit for each name in the list; `bit_of` gives a name's bit, or nothing.
template <class BitOf>
void ReadBits(const json& object, const char* member, const BitOf& bit_of, std::uint32_t& bits) {
  if (!object.contains(member)) return;
  bits = 0;
  for (const json& entry : object.at(member)) {
    const auto name = entry.get<std::string>();
    const std::optional<std::uint32_t> bit = bit_of(name);
    if (!bit) throw std::invalid_argument(fmt::format("{}: '{}' is none of ours", member, name));
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

std::optional<std::uint32_t> DeterminismBit(std::string_view name) {
  for (const auto& [bit, word] : kDeterminism) {
    if (word == name) return static_cast<std::uint32_t>(bit);
  }
  return std::nullopt;
}

Capabilities Read(const json& object) {
  Capabilities declared;
  declared.name = object.value("name", std::string());
  declared.version = object.value("version", std::string());
  for (const json& entry : object.value("dialects", json::array())) {
    const auto name = entry.get<std::string>();
    const auto dialect = oracle::ParseDialect(name);
    if (!dialect) throw std::invalid_argument(fmt::format("dialects: '{}' is none of ours", name));
    declared.dialects.push_back(*dialect);
  }
  ReadBits(object, "operators", OperatorBit, declared.operators);
  ReadBits(object, "element_types", ElementTypeBit, declared.element_types);
  declared.min_rank = IntegerOr(object, "min_rank", declared.min_rank);
  declared.max_rank = IntegerOr(object, "max_rank", declared.max_rank);
  declared.max_bytes = IntegerOr(object, "max_bytes", declared.max_bytes);
  ReadWord(object, "accumulator", kAccumulators, declared.accumulator);
  ReadWord(object, "rounding", kRoundings, declared.faithful_rounding);
  ReadWord(object, "subnormals", kSubnormals, declared.subnormals);
  ReadWord(object, "overflow", kOverflows, declared.overflow);
  ReadBits(object, "deterministic", DeterminismBit, declared.deterministic);
  declared.max_threads = IntegerOr(object, "max_threads", declared.max_threads);
  ReadWord(object, "algorithm", kAlgorithms, declared.fast_algorithm);
  declared.resolves = object.value("resolves", declared.resolves);
  declared.plans = object.value("plans", declared.plans);
  return declared;
}

}  // namespace

ordered_json CapabilitiesToJson(const Capabilities& declared) {
  ordered_json dialects = ordered_json::array();
  for (const oracle::Dialect dialect : declared.dialects) dialects.push_back(oracle::DialectName(dialect));
  ordered_json operators = ordered_json::array();
  for (const oracle::OperatorKind kind :
       {oracle::OperatorKind::kConvolutionBackpropData, oracle::OperatorKind::kGroupConvolutionBackpropData,
        oracle::OperatorKind::kConvolutionBackwardData, oracle::OperatorKind::kConvTranspose}) {
    if ((declared.operators >> OperatorId(kind) & 1) != 0) operators.push_back(oracle::OperatorKindName(kind));
  }
  ordered_json types = ordered_json::array();
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if ((declared.element_types >> ElementTypeId(type) & 1) != 0) types.push_back(oracle::ElementTypeName(type));
  }
  ordered_json determinism = ordered_json::array();
  for (const auto& [bit, word] : kDeterminism) {
    if ((declared.deterministic & bit) != 0) determinism.push_back(word);
  }
  return {{"name", declared.name},
          {"version", declared.version},
          {"dialects", dialects},
          {"operators", operators},
          {"element_types", types},
          {"min_rank", declared.min_rank},
          {"max_rank", declared.max_rank},
          {"max_bytes", declared.max_bytes},
          {"accumulator", WordOf(kAccumulators, declared.accumulator)},
          {"rounding", WordOf(kRoundings, declared.faithful_rounding)},
          {"subnormals", WordOf(kSubnormals, declared.subnormals)},
          {"overflow", WordOf(kOverflows, declared.overflow)},
          {"deterministic", determinism},
          {"max_threads", declared.max_threads},
          {"algorithm", WordOf(kAlgorithms, declared.fast_algorithm)},
          {"resolves", declared.resolves},
          {"plans", declared.plans}};
}

std::variant<Capabilities, std::string> CapabilitiesFromJson(const json& object) {
  return CatchJsonError([&] { return Read(object); });
}

}  // namespace conformance
