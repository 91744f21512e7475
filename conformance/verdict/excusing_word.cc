// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges wrong outputs again by looser declarations of the backend's arithmetic. The message of the failure can then
// say which word the declaration may lack, such as "subnormals = flushed". This file combines the words that loosen a
// declaration, and tries narrower accumulators (the types in which sums are kept).

#include "conformance/verdict/excusing_word.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/bound.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using oracle::ElementType;

struct AccumulatorWord {
  deconv_accumulator_id accumulator;
  std::string_view name;
};
// The accumulators from the widest to the narrowest.
constexpr std::array kAccumulators = {AccumulatorWord{DECONV_ACCUMULATOR_F64, "f64"},
                                      AccumulatorWord{DECONV_ACCUMULATOR_F64_THROUGH_F32, "f64-through-f32"},
                                      AccumulatorWord{DECONV_ACCUMULATOR_F32, "f32"},
                                      AccumulatorWord{DECONV_ACCUMULATOR_STORAGE, "storage"}};

struct RoundingWord {
  deconv_rounding_id rounding;
  std::string_view name;
  std::string_view meaning;
};
// The roundings from the strictest to the loosest.
constexpr std::array kRoundings = {
    RoundingWord{DECONV_ROUNDING_NEAREST, "nearest", "rounding to nearest"},
    RoundingWord{DECONV_ROUNDING_FAITHFUL_SUMS, "faithful-sums", "sums that round to either neighbour"},
    RoundingWord{DECONV_ROUNDING_FUSED_SUMS, "fused-sums", "an adder of several operands"},
    RoundingWord{DECONV_ROUNDING_FAITHFUL, "faithful", "results that round to either neighbour"}};

/// The declared accumulator, and the narrower ones that differ from it for `type`. Sums of f64 are always in f64. For
/// f32 only the accumulator f32 differs from f64, because the accumulator `storage` is f32 too.
std::vector<AccumulatorWord> AccumulatorsFrom(deconv_accumulator_id declared, ElementType type) {
  const auto* first = std::ranges::find(kAccumulators, declared, &AccumulatorWord::accumulator);
  std::vector<AccumulatorWord> words(first, kAccumulators.end());
  const auto changes_nothing = [&](const AccumulatorWord& word) {
    if (word.accumulator == declared) return false;
    if (type == ElementType::kF64) return true;
    return type == ElementType::kF32 && word.accumulator != DECONV_ACCUMULATOR_F32;
  };
  std::erase_if(words, changes_nothing);
  return words;
}

/// The declared rounding and the looser ones.
std::vector<RoundingWord> RoundingsFrom(deconv_rounding_id declared) {
  const auto* first = std::ranges::find(kRoundings, declared, &RoundingWord::rounding);
  return {first, kRoundings.end()};
}

/// The declaration, changed so that `type` is computed in f32.
LooserDeclaration ComputedInF32(Capabilities declared, ElementType type) {
  declared.types_in_f32 |= 1U << ElementTypeId(type);
  return {std::move(declared), {{"sums in f32", fmt::format("types_in_f32 = {}", ElementTypeName(type))}}};
}

/// Appends up to three looser declarations of an integer type: sums that saturate, sums in f32, and both.
void AddIntegers(const Capabilities& declared, ElementType type, std::vector<LooserDeclaration>& looser) {
  const bool may_saturate = !declared.Saturates(type);
  if (may_saturate) {
    Capabilities saturating = declared;
    saturating.saturating_types |= 1U << ElementTypeId(type);
    looser.push_back(
        {std::move(saturating), {{"sums that saturate", fmt::format("saturating_types = {}", ElementTypeName(type))}}});
  }
  if (declared.ComputesInF32(type)) return;
  looser.push_back(ComputedInF32(declared, type));
  if (!may_saturate) return;
  LooserDeclaration both = ComputedInF32(looser.front().declared, type);
  both.changes.insert(both.changes.begin(), looser.front().changes.front());
  looser.push_back(std::move(both));
}

/// Appends each combination of an accumulator, a rounding, deviations and subnormals that allows more than `declared`.
void AddFloats(const Capabilities& declared, ElementType type, std::vector<LooserDeclaration>& looser) {
  const FloatArithmetic own = declared.ArithmeticFor(type);
  struct Deviation {
    std::uint32_t bits;
    std::vector<ExcusingWord> changes;
  };
  const ExcusingWord nan = {"zeros that multiply", "known_deviations = structural-nan"};
  const ExcusingWord clamped = {"clamped infinities", "known_deviations = clamped-infinity"};
  const std::array deviations = {
      Deviation{0, {}}, Deviation{DECONV_DEVIATION_STRUCTURAL_NAN, {nan}},
      Deviation{DECONV_DEVIATION_CLAMPED_INFINITY, {clamped}},
      Deviation{DECONV_DEVIATION_STRUCTURAL_NAN | DECONV_DEVIATION_CLAMPED_INFINITY, {nan, clamped}}};
  std::vector<deconv_subnormals_id> subnormals = {own.subnormals};
  if (own.subnormals == DECONV_SUBNORMALS_KEPT) subnormals.push_back(DECONV_SUBNORMALS_FLUSHED);
  const std::string_view name = ElementTypeName(type);
  for (const AccumulatorWord& accumulator : AccumulatorsFrom(own.accumulator, type)) {
    for (const RoundingWord& rounding : RoundingsFrom(own.rounding)) {
      for (const Deviation& deviation : deviations) {
        if ((declared.known_deviations & deviation.bits) != 0) continue;
        for (const deconv_subnormals_id flushing : subnormals) {
          std::vector<ExcusingWord> changes = deviation.changes;
          if (flushing != own.subnormals) {
            changes.push_back({"flushed subnormals", fmt::format("subnormals = flushed for {}", name)});
          }
          if (accumulator.accumulator != own.accumulator) {
            const std::string_view sums =
                accumulator.accumulator == DECONV_ACCUMULATOR_STORAGE ? name : accumulator.name;
            changes.push_back(
                {fmt::format("sums in {}", sums), fmt::format("accumulator = {} for {}", accumulator.name, name)});
          }
          if (rounding.rounding != own.rounding) {
            changes.push_back(
                {std::string(rounding.meaning), fmt::format("rounding = {} for {}", rounding.name, name)});
          }
          Capabilities changed = WithArithmetic(
              declared, type,
              {.accumulator = accumulator.accumulator, .rounding = rounding.rounding, .subnormals = flushing});
          changed.known_deviations |= deviation.bits;
          if (!changes.empty()) looser.push_back({std::move(changed), std::move(changes)});
        }
      }
    }
  }
}

bool HasNan(const Expected& expected, std::span<const std::byte> output) {
  const ElementType type = expected.geometry().type;
  if (oracle::IsInteger(type)) return false;
  const std::size_t element_bytes = oracle::ElementBytes(type);
  const std::int64_t outputs = expected.geometry().OutputCount();
  for (std::int64_t i = 0; i < outputs; ++i) {
    if (std::isnan(oracle::FloatValue(ElementBits(output, i, element_bytes), type))) return true;
  }
  return false;
}

}  // namespace

Capabilities WithArithmetic(Capabilities declared, ElementType type, const FloatArithmetic& arithmetic) {
  if (declared.ArithmeticFor(type) == arithmetic) return declared;
  std::erase_if(declared.arithmetic, [type](const TypeArithmetic& row) { return row.type == type; });
  if (declared.ArithmeticFor(type) != arithmetic) declared.arithmetic.push_back({type, arithmetic});
  std::ranges::sort(declared.arithmetic, {}, &TypeArithmetic::type);
  return declared;
}

std::vector<LooserDeclaration> LooserDeclarations(const Capabilities& declared, ElementType type) {
  std::vector<LooserDeclaration> looser;
  if (oracle::IsInteger(type)) {
    AddIntegers(declared, type, looser);
    return looser;
  }
  std::vector<LooserDeclaration> unsorted;
  AddFloats(declared, type, unsorted);
  if (type == ElementType::kF64 && !declared.ComputesInF32(type)) {
    const LooserDeclaration in_f32 = ComputedInF32(declared, type);
    std::vector<LooserDeclaration> with_in_f32 = {in_f32};
    AddFloats(in_f32.declared, type, with_in_f32);
    for (std::size_t i = 1; i < with_in_f32.size(); ++i) {
      with_in_f32[i].changes.insert(with_in_f32[i].changes.begin(), in_f32.changes.front());
    }
    std::ranges::move(with_in_f32, std::back_inserter(unsorted));
  }
  // Sorts by the number of changes, and keeps the order of equal numbers. Not std::stable_sort: libstdc++ 12 allocates
  // its buffer in a way that clang 19 warns of.
  for (std::size_t changes = 1; looser.size() < unsorted.size(); ++changes) {
    std::ranges::copy_if(unsorted, std::back_inserter(looser), [changes](const LooserDeclaration& declaration) {
      return declaration.changes.size() == changes;
    });
  }
  return looser;
}

std::optional<ExcusingWord> FindExcusingWord(Expected& expected, std::span<const std::byte> output,
                                             const Capabilities& declared) {
  constexpr std::int64_t kMostOutputs = 1 << 16;  // one slab: Expected keeps the sums of so many outputs
  // A fast algorithm is judged by the norms of its operands. If one is NaN or infinite, nearly every output is right.
  if (declared.fast_algorithm || expected.geometry().OutputCount() > kMostOutputs) return std::nullopt;
  const bool has_nan = HasNan(expected, output);
  for (const LooserDeclaration& looser : LooserDeclarations(declared, expected.geometry().type)) {
    // The search for structural zeros takes longest. Only a NaN output can need it.
    const std::uint32_t new_deviations = looser.declared.known_deviations & ~declared.known_deviations;
    if (!has_nan && (new_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) continue;
    if (!Explains(expected, output, declared, looser.declared)) continue;
    ExcusingWord combined;
    for (const ExcusingWord& change : looser.changes) {
      combined.meaning += (combined.meaning.empty() ? "" : " and ") + change.meaning;
      combined.word += (combined.word.empty() ? "" : ", ") + change.word;
    }
    return combined;
  }
  return std::nullopt;
}

namespace {

using oracle::ElementType;

/// Whether sums in this accumulator make every output right. An output is skipped if its bound is 2^11 or more, which
/// is half of the smallest large term (2^12): even an output with a misplaced large term would be right there. At least
/// one output with products must remain.
bool Explains(Expected& expected, std::span<const std::byte> output, const Arithmetic& arithmetic) {
  constexpr double kHalfOfLarge = 0x1p11;
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t bytes = oracle::ElementBytes(geometry.type);
  const auto sums = expected.Sums<oracle::FloatSum>({0, geometry.OutputCount()});
  bool compared_products = false;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const Bound bound = BoundOf(sums[i], arithmetic);
    if (bound.anything || bound.accumulated >= kHalfOfLarge) continue;
    const std::uint64_t bits = ElementBits(output, static_cast<std::int64_t>(i), bytes);
    if (JudgeOutput(sums[i], bits, arithmetic).verdict != OutputVerdict::kRight) return false;
    compared_products = compared_products || sums[i].taps != 0;
  }
  return compared_products;
}

}  // namespace

std::optional<ElementType> NarrowerAccumulator(Expected& expected, std::span<const std::byte> output,
                                               const Capabilities& declared) {
  constexpr std::int64_t kMostOutputs = 1 << 16;  // the suite's cases of `swamping` have some thousand
  const oracle::Geometry& geometry = expected.geometry();
  if (geometry.OutputCount() > kMostOutputs) return std::nullopt;
  const int bits = oracle::FormatOf(AccumulatorOf(declared, geometry.type)).precision;
  for (const ElementType narrower : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    if (oracle::FormatOf(narrower).precision >= bits) continue;
    if (Explains(expected, output, ArithmeticWith(narrower, declared, geometry.type))) return narrower;
  }
  return std::nullopt;
}

}  // namespace conformance
