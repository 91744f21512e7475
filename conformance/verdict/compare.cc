// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a backend's output with the oracle's exact sums, one slab (65536 outputs) at a time. The sums of one slab
// need little memory, so that outputs of any size can be compared.

#include "conformance/verdict/compare.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/constant_writers.h"
#include "conformance/verdict/declared_arithmetic.h"
#include "conformance/verdict/needed_tolerance.h"
#include "conformance/verdict/output_judges.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

// Outputs whose sums are held at a time: some MiB. The number is a guess.
constexpr std::int64_t kSlab = 1 << 16;

// The failure class of a case whose first wrong output has this verdict.
FailureClass ClassOf(OutputVerdict verdict) {
  switch (verdict) {
    case OutputVerdict::kRight:
      return FailureClass::kNone;
    case OutputVerdict::kWrongValue:
      return FailureClass::kWrongValue;
    case OutputVerdict::kWrongNan:
      return FailureClass::kWrongNan;
    case OutputVerdict::kGapNotZero:
      return FailureClass::kGapNotZero;
  }
  return FailureClass::kWrongValue;
}

/// Compares all outputs by one kind of sum. `OutputJudge` is FloatJudge or IntegerJudge.
template <class Sum, class OutputJudge>
Comparison CompareAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge,
                     const std::atomic<int>* interrupt, const std::function<void(std::int64_t)>& on_wrong) {
  const oracle::Geometry& geometry = expected.geometry();
  ConstantWriters<Sum, OutputJudge> constants(judge);
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  Comparison comparison;
  comparison.count = geometry.OutputCount();
  NeededMeter needed(geometry.type);
  for (std::int64_t begin = 0; begin < comparison.count; begin += kSlab) {
    if (interrupt != nullptr && *interrupt != 0) break;
    const oracle::OutputRange range{begin, std::min(kSlab, comparison.count - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element_bytes);
      const auto as_wrong = [&](const OutputJudgement& judgement) {
        return WrongOutput{CoordinateOf(begin + i, geometry.OutputDims()),
                           ElementText(judge.Expected(sum), geometry.type),
                           ElementText(bits, geometry.type),
                           judgement.error,
                           judgement.bound,
                           sum.taps};
      };
      constants.Observe(sum, begin + i);
      if constexpr (std::is_same_v<Sum, oracle::FloatSum>) needed.Observe(sum, bits);
      const OutputJudgement judgement = judge(sum, bits, begin + i);
      if (std::isfinite(judgement.bound))
        comparison.largest_bound = std::max(comparison.largest_bound, judgement.bound);
      if (judgement.verdict == OutputVerdict::kRight) {
        comparison.worst_ratio = std::max(comparison.worst_ratio, judgement.ratio);
        if (judgement.excused) ++comparison.excused;
        if (sum.taps == 0 && judge.IsNegativeZero(bits)) ++comparison.negative_zero_gaps;
        if (judgement.imprecise && comparison.imprecise++ == 0) {
          comparison.first_imprecise = as_wrong(judgement);
          comparison.first_imprecise->probable = judgement.probable;
        }
        continue;
      }
      comparison.largest_error = std::max(comparison.largest_error, judgement.error);
      if (on_wrong) on_wrong(begin + i);
      if (comparison.wrong++ != 0) continue;
      comparison.first_wrong_index = begin + i;
      comparison.failure = ClassOf(judgement.verdict);
      comparison.first_wrong = as_wrong(judgement);
      // NaN or infinity in place of a finite value may come from a zero that was inserted and multiplied.
      const bool finite_expected =
          oracle::IsFloat(geometry.type) && std::isfinite(oracle::FloatValue(judge.Expected(sum), geometry.type));
      if (finite_expected && !std::isfinite(oracle::FloatValue(bits, geometry.type)) &&
          StructuralZeros(expected.operands()).OverlapsSpecial(comparison.first_wrong->coordinate)) {
        comparison.failure = FailureClass::kStructuralNan;
      }
    }
  }
  if constexpr (std::is_same_v<Sum, oracle::FloatSum>) comparison.needed = needed.Finish();
  if (const auto survivor = constants.Survivor()) comparison.vacuous = ElementText(*survivor, geometry.type);
  return comparison;
}

/// Compares outputs by one kind of sum, briefly. At the first wrong output CompareAs reports the details.
template <class Sum, class OutputJudge>
Comparison CompareBrieflyAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge) {
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  Comparison comparison;
  comparison.count = geometry.OutputCount();
  for (std::int64_t begin = 0; begin < comparison.count; begin += kSlab) {
    const oracle::OutputRange range{begin, std::min(kSlab, comparison.count - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element_bytes);
      if (bits == judge.Expected(sum)) continue;
      const OutputJudgement judgement = judge(sum, bits, begin + i);
      if (judgement.verdict != OutputVerdict::kRight) return CompareAs<Sum>(expected, output, judge, nullptr, nullptr);
      comparison.worst_ratio = std::max(comparison.worst_ratio, judgement.ratio);
      if (judgement.excused) ++comparison.excused;
      if (sum.taps == 0 && judge.IsNegativeZero(bits)) ++comparison.negative_zero_gaps;
    }
  }
  return comparison;
}

/// The function Explains() for one kind of sum: whether every output that is wrong by `judge` is right by `looser`.
template <class Sum, class OutputJudge>
bool ExplainsAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge,
                const OutputJudge& looser) {
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  const std::int64_t outputs = geometry.OutputCount();
  for (std::int64_t begin = 0; begin < outputs; begin += kSlab) {
    const oracle::OutputRange range{begin, std::min(kSlab, outputs - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element_bytes);
      if (judge(sum, bits, begin + i).verdict == OutputVerdict::kRight) continue;
      if (looser(sum, bits, begin + i).verdict != OutputVerdict::kRight) return false;
      if (looser.AllowsAnything(sum, begin + i)) return false;
    }
  }
  return true;
}

/// Calls `compare` with the judge for the geometry's element type.
template <class CompareWith>
Comparison WithJudge(Expected& expected, const Capabilities& declared, CompareWith compare) {
  const oracle::Geometry& geometry = expected.geometry();
  if (oracle::IsInteger(geometry.type)) {
    return compare.template operator()<oracle::IntegerSum>(IntegerJudge(expected.operands(), declared));
  }
  return compare.template operator()<oracle::FloatSum>(FloatJudge(expected.operands(), declared));
}

}  // namespace

std::string Comparison::Text() const {
  if (ok()) return fmt::format("{} outputs right", count);
  const WrongOutput& first = *first_wrong;
  // NaN and infinity have no distance.
  const std::string distance =
      std::isfinite(first.error) ? fmt::format(", error {:.3g}, bound {:.3g}", first.error, first.bound) : "";
  return fmt::format("output {}: expected {}, got {} ({} taps{}); {} of {} outputs wrong", DimsText(first.coordinate),
                     first.expected, first.got, first.taps, distance, wrong, count);
}

std::string Comparison::ImpreciseText() const {
  if (imprecise == 0) return {};
  const WrongOutput& first = *first_imprecise;
  return fmt::format(
      "output {}: expected {}, got {} ({} taps, error {:.3g}, probable up to {:.3g}, bound {:.3g}); {} of {} outputs "
      "imprecise",
      DimsText(first.coordinate), first.expected, first.got, first.taps, first.error, first.probable, first.bound,
      imprecise, count);
}

Comparison Compare(Expected& expected, std::span<const std::byte> output, const Capabilities& declared,
                   const std::atomic<int>* interrupt, const std::function<void(std::int64_t)>& on_wrong) {
  return WithJudge(expected, declared, [&]<class Sum>(const auto& judge) {
    return CompareAs<Sum>(expected, output, judge, interrupt, on_wrong);
  });
}

Comparison CompareBriefly(Expected& expected, std::span<const std::byte> output, const Capabilities& declared) {
  return WithJudge(expected, declared,
                   [&]<class Sum>(const auto& judge) { return CompareBrieflyAs<Sum>(expected, output, judge); });
}

bool Explains(Expected& expected, std::span<const std::byte> output, const Capabilities& declared,
              const Capabilities& looser) {
  const oracle::Geometry& geometry = expected.geometry();
  if (oracle::IsInteger(geometry.type)) {
    return ExplainsAs<oracle::IntegerSum>(expected, output, IntegerJudge(expected.operands(), declared),
                                          IntegerJudge(expected.operands(), looser));
  }
  return ExplainsAs<oracle::FloatSum>(expected, output, FloatJudge(expected.operands(), declared),
                                      FloatJudge(expected.operands(), looser));
}

}  // namespace conformance
