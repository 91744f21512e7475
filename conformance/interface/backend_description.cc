// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the version, sizes and functions of a backend's C interface, and then each field of its description, so that
// a mistake of a vendor ends in a message and not in wrong verdicts.

#include "conformance/interface/backend_description.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "conformance/case/text/names.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/interface/unsupported.h"
#include "oracle/element_type.h"

namespace conformance {
namespace {

// The most entries of the list of dialects. A longer list probably lacks its terminator.
constexpr std::size_t kMaxDialects = 32;

constexpr std::uint32_t kAllDeterministic = DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS;
constexpr std::uint32_t kAllDeviations = DECONV_DEVIATION_STRUCTURAL_NAN | DECONV_DEVIATION_CLAMPED_INFINITY;
constexpr int kMaxThreads = 1 << 16;  // a guess above every machine: a larger number is surely not meant
// Sets of bits: bit i stands for the operator or element type with the number i.
constexpr std::uint32_t kAllOperators = (1U << (DECONV_ID_CONV_TRANSPOSE + 1)) - 1;
constexpr std::uint32_t kNumericTypes = (1U << (DECONV_ID_U64 + 1)) - 1;
constexpr std::uint64_t kIntegerTypes = kNumericTypes & ~((1U << DECONV_ID_I8) - 1);
constexpr std::uint64_t kWiderThanF32 = kIntegerTypes | 1U << DECONV_ID_F64;

// The text at `name`, or nothing if it is missing, empty, longer than a name or not printable.
std::optional<std::string> ReadName(const char* name) {
  if (name == nullptr) return std::nullopt;
  const std::size_t length = strnlen(name, kMaxName);
  if (length == 0 || length == kMaxName) return std::nullopt;
  std::string text(name, length);
  if (Printable(text) != text) return std::nullopt;
  return text;
}

// Returns an empty string, or what is wrong with the list.
std::string ReadDialects(const char* const* list, std::vector<oracle::Dialect>& dialects) {
  if (list == nullptr) return "dialects: NULL, expected a NULL-terminated list of names";
  std::vector<std::string> known;
  known.reserve(oracle::kDialects.size());
  for (const oracle::Dialect dialect : oracle::kDialects) known.emplace_back(DialectName(dialect));

  for (std::size_t i = 0; list[i] != nullptr; ++i) {
    if (i == kMaxDialects) return fmt::format("dialects: no NULL within {} entries", kMaxDialects);
    const std::optional<std::string> name = ReadName(list[i]);
    if (!name) return fmt::format("dialects[{}]: not a name", i);
    const std::optional<oracle::Dialect> dialect = oracle::ParseDialect(*name);
    if (!dialect) return fmt::format("dialects[{}]: unknown dialect '{}'{}", i, *name, DidYouMean(*name, known));
    if (std::ranges::find(dialects, *dialect) == dialects.end()) dialects.push_back(*dialect);
  }
  return dialects.empty() ? "dialects: none, expected at least one" : "";
}

// Each check returns an empty string, or what is wrong with the field.
std::string CheckRange(const char* field, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return "";
  return fmt::format("{}: {}, expected {} to {}", field, value, least, most);
}

std::string CheckOptionalBits(const char* field, std::uint64_t bits, std::uint64_t allowed) {
  if ((bits & ~allowed) != 0) return fmt::format("{}: {:#x}, expected only bits of {:#x}", field, bits, allowed);
  return "";
}

std::string CheckBits(const char* field, std::uint32_t bits, std::uint32_t allowed) {
  if (bits == 0) return fmt::format("{}: no bit is set, expected at least one", field);
  return CheckOptionalBits(field, bits, allowed);
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // The length of a well-formed UTF-8 sequence of up to three bytes, from its first byte; 0 for bytes that become
    // '?'.
    const std::size_t length = byte < 0x80 ? 1 : byte >= 0xc2 && byte < 0xe0 ? 2 : byte >= 0xe0 && byte < 0xf0 ? 3 : 0;
    bool is_valid = length != 0 && i + length <= text.size() && byte >= 0x20 && byte != 0x7f;
    for (std::size_t j = 1; is_valid && j < length; ++j)
      is_valid = (static_cast<unsigned char>(text[i + j]) & 0xc0) == 0x80;
    if (is_valid && length == 3) {
      // Forms that are longer than necessary, and surrogates (U+D800 to U+DFFF), are not UTF-8 either.
      const auto second = static_cast<unsigned char>(text[i + 1]);
      is_valid = !(byte == 0xe0 && second < 0xa0) && !(byte == 0xed && second >= 0xa0);
    }
    line += is_valid ? text.substr(i, length) : std::string_view("?");
    i += is_valid ? length : 1;
  }
  return line;
}

bool HasResolve(const deconv_backend& interface) {
  return interface.size >= offsetof(deconv_backend, resolve) + sizeof interface.resolve && interface.resolve != nullptr;
}

bool HasPlan(const deconv_backend& interface) {
  return interface.size >= offsetof(deconv_backend, release) + sizeof interface.release && interface.plan != nullptr &&
         interface.release != nullptr;
}

bool HasSupports(const deconv_backend& interface) {
  return interface.size >= offsetof(deconv_backend, supports) + sizeof interface.supports &&
         interface.supports != nullptr;
}

namespace {

/// Returns an empty string, or what is wrong with the version, size or functions of the interface.
std::string CheckInterface(const deconv_backend& interface) {
  // The first version of the interface ended before `resolve`.
  if (interface.size < offsetof(deconv_backend, resolve)) {
    return fmt::format("deconv_backend.size: {}, expected at least {}", interface.size,
                       offsetof(deconv_backend, resolve));
  }
  if (interface.abi != DECONV_BACKEND_ABI) {
    return fmt::format("deconv_backend.abi: {}, expected {}", interface.abi, DECONV_BACKEND_ABI);
  }
  if (interface.describe == nullptr) return "deconv_backend.describe: NULL, expected a function";
  if (interface.run == nullptr) return "deconv_backend.run: NULL, expected a function";
  if (interface.size >= offsetof(deconv_backend, release) + sizeof interface.release &&
      (interface.plan == nullptr) != (interface.release == nullptr)) {
    return fmt::format("deconv_backend.{}: NULL, expected a function, since plan and release need each other",
                       interface.plan == nullptr ? "plan" : "release");
  }
  return "";
}

/// Copies the description into today's struct. The first version of the struct ended with `overflow`. Fields that the
/// backend's version lacks become 0.
std::variant<deconv_backend_description, std::string> CopyDescription(const deconv_backend& interface) {
  const deconv_backend_description* description = interface.describe(interface.self);
  if (description == nullptr) return std::string("describe() returned NULL, expected a description");
  constexpr std::size_t kLeast = offsetof(deconv_backend_description, overflow) + sizeof(std::int32_t);
  if (description->size < kLeast) {
    return fmt::format("description size: {}, expected at least {}", description->size, kLeast);
  }
  deconv_backend_description whole{};
  std::memcpy(&whole, description, std::min(description->size, sizeof whole));
  // The bytes of `unsupported` were padding before `max_attribute` existed, and padding may hold anything.
  if (description->size < offsetof(deconv_backend_description, max_attribute) + sizeof whole.max_attribute) {
    whole.unsupported = 0;
  }
  return whole;
}

/// Reads name, version and dialects. Returns an empty string, or what is wrong with them.
std::string ReadTexts(const deconv_backend_description& description, Capabilities& capabilities) {
  const std::optional<std::string> name = ReadName(description.name);
  if (!name) return fmt::format("name: expected 1 to {} printable characters", kMaxName - 1);
  capabilities.name = *name;
  const std::optional<std::string> version = ReadName(description.version);
  if (!version) return fmt::format("version: expected 1 to {} printable characters", kMaxName - 1);
  capabilities.version = *version;
  return ReadDialects(description.dialects, capabilities.dialects);
}

/// Returns an empty string, or the first number that is out of range.
std::string CheckNumbers(const deconv_backend_description* description) {
  for (const std::string& complaint :
       {CheckBits("operators", description->operators, kAllOperators),
        CheckBits("element_types", description->element_types, kNumericTypes),
        CheckRange("min_rank", description->min_rank, 1, DECONV_BACKEND_MAX_RANK),
        CheckRange("max_rank", description->max_rank, std::max(description->min_rank, 1), DECONV_BACKEND_MAX_RANK),
        CheckRange("accumulator", description->accumulator, DECONV_ACCUMULATOR_F32, DECONV_ACCUMULATOR_F64_THROUGH_F32),
        CheckRange("faithful_rounding", description->faithful_rounding, 0, 1),
        CheckRange("subnormals", description->subnormals, DECONV_SUBNORMALS_KEPT, DECONV_SUBNORMALS_FLUSHED_IN_BF16),
        CheckRange("overflow", description->overflow, DECONV_OVERFLOW_WRAPS, DECONV_OVERFLOW_SATURATES),
        CheckRange("deterministic", description->deterministic, 0, kAllDeterministic),
        CheckRange("max_threads", description->max_threads, 0, kMaxThreads),
        CheckRange("algorithm", description->algorithm, DECONV_ALGORITHM_DIRECT, DECONV_ALGORITHM_FAST),
        CheckRange("known_deviations", description->known_deviations, 0, kAllDeviations),
        CheckRange("unsupported", description->unsupported, 0, kAllUnsupported),
        CheckRange("max_attribute", description->max_attribute, 0, INT64_MAX),
        CheckRange("takes_resolved", description->takes_resolved, 0, 1),
        CheckOptionalBits("saturating_types", description->saturating_types, kIntegerTypes),
        CheckOptionalBits("types_in_f32", description->types_in_f32, kWiderThanF32)}) {
    if (!complaint.empty()) return complaint;
  }
  return "";
}

/// Reads one row of the list `arithmetic`. Returns an empty string, or what is wrong with the row.
std::string ReadArithmeticRow(const deconv_type_arithmetic& row, TypeArithmetic& read) {
  for (const std::string& complaint :
       {CheckRange("element_type", row.element_type, DECONV_ID_F64, DECONV_ID_BF16),
        CheckRange("accumulator", row.accumulator, DECONV_ACCUMULATOR_F32, DECONV_ACCUMULATOR_F64_THROUGH_F32),
        CheckRange("rounding", row.rounding, DECONV_ROUNDING_NEAREST, DECONV_ROUNDING_FUSED_SUMS),
        CheckRange("subnormals", row.subnormals, DECONV_SUBNORMALS_KEPT, DECONV_SUBNORMALS_FLUSHED)}) {
    if (!complaint.empty()) return complaint;
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    if (ElementTypeId(type) == row.element_type) read.type = type;
  }
  read.arithmetic = {.accumulator = static_cast<deconv_accumulator_id>(row.accumulator),
                     .rounding = static_cast<deconv_rounding_id>(row.rounding),
                     .subnormals = static_cast<deconv_subnormals_id>(row.subnormals)};
  return "";
}

/// Reads the list of types that have an arithmetic of their own. Its rows lie arithmetic[0].size bytes apart, which may
/// be more than today's size of a row. Returns an empty string, or what is wrong with the list.
std::string ReadArithmetic(const deconv_backend_description& description, std::vector<TypeArithmetic>& arithmetic) {
  constexpr std::size_t kFloatingTypes = 4;
  if (description.arithmetic == nullptr) return "";
  if (description.arithmetic_count > kFloatingTypes) {
    return fmt::format("arithmetic_count: {}, expected at most {}", description.arithmetic_count, kFloatingTypes);
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(description.arithmetic);
  for (std::size_t i = 0; i < description.arithmetic_count; ++i) {
    const std::size_t step = description.arithmetic->size;
    if (step < sizeof(deconv_type_arithmetic)) {
      return fmt::format("arithmetic[0].size: {}, expected at least {}", step, sizeof(deconv_type_arithmetic));
    }
    deconv_type_arithmetic row{};
    std::memcpy(&row, bytes + i * step, sizeof row);
    if (row.size != step) return fmt::format("arithmetic[{}].size: {}, expected {} as in row 0", i, row.size, step);
    TypeArithmetic read;
    if (const std::string complaint = ReadArithmeticRow(row, read); !complaint.empty()) {
      return fmt::format("arithmetic[{}].{}", i, complaint);
    }
    if (std::ranges::find(arithmetic, read.type, &TypeArithmetic::type) != arithmetic.end()) {
      return fmt::format("arithmetic[{}].element_type: {} for the second time", i, ElementTypeName(read.type));
    }
    arithmetic.push_back(read);
  }
  std::ranges::sort(arithmetic, {}, &TypeArithmetic::type);
  return "";
}

}  // namespace

std::variant<Capabilities, std::string> ReadDescription(const deconv_backend& interface) {
  if (std::string complaint = CheckInterface(interface); !complaint.empty()) return complaint;
  const auto copied = CopyDescription(interface);
  if (const auto* complaint = std::get_if<std::string>(&copied)) return *complaint;
  const auto* description = std::get_if<deconv_backend_description>(&copied);
  Capabilities capabilities;
  if (std::string complaint = ReadTexts(*description, capabilities); !complaint.empty()) return complaint;
  if (std::string complaint = CheckNumbers(description); !complaint.empty()) return complaint;
  capabilities.operators = description->operators;
  capabilities.element_types = description->element_types;
  capabilities.min_rank = description->min_rank;
  capabilities.max_rank = description->max_rank;
  capabilities.max_bytes = description->max_bytes;
  capabilities.accumulator = static_cast<deconv_accumulator_id>(description->accumulator);
  capabilities.faithful_rounding = description->faithful_rounding != 0;
  capabilities.subnormals = static_cast<deconv_subnormals_id>(description->subnormals);
  capabilities.overflow = static_cast<deconv_overflow_id>(description->overflow);
  capabilities.saturating_types = static_cast<std::uint32_t>(description->saturating_types);
  capabilities.types_in_f32 = static_cast<std::uint32_t>(description->types_in_f32);
  capabilities.deterministic = description->deterministic;
  capabilities.max_threads = description->max_threads;
  capabilities.fast_algorithm = description->algorithm == DECONV_ALGORITHM_FAST;
  capabilities.takes_resolved = description->takes_resolved != 0;
  // A backend that takes resolved geometry need not be asked what it resolves to.
  capabilities.resolves = HasResolve(interface) && !capabilities.takes_resolved;
  capabilities.plans = HasPlan(interface);
  capabilities.known_deviations = description->known_deviations;
  capabilities.unsupported = description->unsupported;
  capabilities.max_attribute = description->max_attribute;
  capabilities.answers_supports = HasSupports(interface);
  if (std::string complaint = ReadArithmetic(*description, capabilities.arithmetic); !complaint.empty())
    return complaint;
  return capabilities;
}

}  // namespace conformance
