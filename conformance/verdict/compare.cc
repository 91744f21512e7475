// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares a backend's output with the oracle's exact sums, one slab (65536 outputs) at a time. The sums of one slab
// need little memory, so that outputs of any size can be compared.

#include "conformance/verdict/compare.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/constant_writers.h"
#include "conformance/verdict/in_f32.h"
#include "conformance/verdict/needed_tolerance.h"
#include "conformance/verdict/structural_zero.h"
#include "conformance/verdict/transform_error.h"
#include "oracle/float_bits.h"

namespace conformance {

double ProductsOf(const oracle::Geometry& geometry) {
  double taps = static_cast<double>(geometry.out_channels);
  for (const oracle::Axis& axis : geometry.axes) taps *= static_cast<double>(axis.kernel);
  return taps * static_cast<double>(geometry.DataCount());
}

namespace {

// Each thread gets at least this many products, which keep a core busy for some tens of milliseconds.
constexpr double kProductsOfAThread = 1 << 22;

/// Computes the exact sums on all cores, because one case of a model may take minutes on a single core.
template <class Sum>
void GatherInThreads(const oracle::Operands& operands, oracle::OutputRange range, std::span<Sum> sums) {
  const oracle::Geometry& geometry = operands.geometry();
  const double share =
      static_cast<double>(range.count) / static_cast<double>(std::max<std::int64_t>(geometry.OutputCount(), 1));
  const double useful = ProductsOf(geometry) * share / kProductsOfAThread;
  if (useful < 2) return oracle::Gather(operands, range, sums);
  const double cores = std::max(1U, std::thread::hardware_concurrency());
  const auto parts = static_cast<std::int64_t>(std::min({useful, cores, static_cast<double>(range.count)}));
  const auto gather = [&](std::int64_t part) {
    const std::int64_t begin = range.count * part / parts;
    const std::int64_t count = range.count * (part + 1) / parts - begin;
    oracle::Gather(operands, {range.begin + begin, count},
                   sums.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)));
  };
  std::vector<std::jthread> threads;  // joined at the end
  for (std::int64_t part = 1; part < parts; ++part) {
    try {
      threads.emplace_back(gather, part);
    } catch (const std::system_error&) {
      gather(part);  // the system allows no further thread
    }
  }
  gather(0);
}

}  // namespace

template <class Sum>
std::span<const Sum> Expected::Sums(oracle::OutputRange range) {
  std::vector<Sum>* sums = nullptr;
  if constexpr (std::is_same_v<Sum, oracle::FloatSum>) {
    sums = &floats_;
  } else {
    sums = &integers_;
  }
  if (range.begin < held_.begin || range.begin + range.count > held_.begin + held_.count) {
    sums->resize(static_cast<std::size_t>(range.count));
    GatherInThreads<Sum>(operands_, range, *sums);
    held_ = range;
  }
  return std::span(*sums).subspan(static_cast<std::size_t>(range.begin - held_.begin),
                                  static_cast<std::size_t>(range.count));
}

template std::span<const oracle::FloatSum> Expected::Sums(oracle::OutputRange range);
template std::span<const oracle::IntegerSum> Expected::Sums(oracle::OutputRange range);

namespace {

using oracle::ElementType;

constexpr std::int64_t kSlab = 1 << 16;  // outputs

std::int64_t SignExtended(std::uint64_t bits, ElementType type) {
  const auto unused = static_cast<int>(64 - 8 * oracle::ElementBytes(type));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

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

/// Judges floating-point outputs by the error bound, or by a deviation that the backend declares.
class FloatJudge {
 public:
  FloatJudge(const oracle::Operands& operands, const Capabilities& declared)
      : arithmetic_(ArithmeticOf(declared, operands.geometry().type)), output_dims_(operands.geometry().OutputDims()) {
    clamps_ = (declared.known_deviations & DECONV_DEVIATION_CLAMPED_INFINITY) != 0;
    arithmetic_.lambda = LambdaFor(operands.geometry().OutputCount());
    if (declared.fast_algorithm) transforms_.emplace(operands, arithmetic_);
    if ((declared.known_deviations & DECONV_DEVIATION_STRUCTURAL_NAN) != 0) zeros_.emplace(operands);
    if (declared.ComputesInF32(arithmetic_.type)) in_f32_ = std::make_unique<InF32>(operands, declared);
  }

  OutputJudgement operator()(const oracle::FloatSum& sum, std::uint64_t bits, std::int64_t flat) const {
    const OutputJudgement judgement = JudgeOutput(sum, bits, arithmetic_, transforms_ ? transforms_->Of(flat) : 0);
    if (judgement.verdict == OutputVerdict::kRight) return judgement;
    const bool excused = IsStructuralNan(bits, flat) || IsClampedInfinity(sum, bits, flat);
    if (excused) return {.excused = true};
    return in_f32_ ? in_f32_->Judge(bits, flat) : judgement;
  }
  /// Whether every value of this output would be right, so that the output proves nothing.
  bool AllowsAnything(const oracle::FloatSum& sum, std::int64_t flat) const {
    if (in_f32_ && in_f32_->AllowsAnything(flat)) return true;
    return sum.taps != 0 && sum.special == oracle::Special::kNone &&
           BoundOf(sum, arithmetic_, transforms_ ? transforms_->Of(flat) : 0).anything;
  }
  /// Whether the element is -0.0.
  bool IsNegativeZero(std::uint64_t bits) const { return bits == SignBit(); }
  static std::uint64_t Expected(const oracle::FloatSum& sum) { return sum.bits; }
  /// The values that a backend could write everywhere without reading the operands: 0, NaN, both infinities.
  std::vector<std::uint64_t> Constants() const {
    const oracle::FloatFormat& format = arithmetic_.output;
    return {0, Infinity() | (std::uint64_t{1} << (format.precision - 2)), Infinity(), Infinity() | SignBit()};
  }

 private:
  std::uint64_t SignBit() const { return std::uint64_t{1} << (8 * oracle::ElementBytes(arithmetic_.type) - 1); }
  std::uint64_t Infinity() const {
    const oracle::FloatFormat& format = arithmetic_.output;
    return static_cast<std::uint64_t>(2 * format.max_exponent - 1) << (format.precision - 1);
  }
  bool IsStructuralNan(std::uint64_t bits, std::int64_t flat) const {
    return zeros_ && std::isnan(oracle::FloatValue(bits, arithmetic_.type)) &&
           zeros_->OverlapsSpecial(CoordinateOf(flat, output_dims_));
  }
  /// Whether the output is the largest finite number of its sign, and an infinity of that sign would be right.
  bool IsClampedInfinity(const oracle::FloatSum& sum, std::uint64_t bits, std::int64_t flat) const {
    if (!clamps_) return false;
    const std::uint64_t sign = bits & SignBit();
    if (in_f32_ && (bits ^ sign) == std::bit_cast<std::uint64_t>(double{FLT_MAX})) {
      return in_f32_->Judge(Infinity() | sign, flat).verdict == OutputVerdict::kRight;
    }
    if ((bits ^ sign) != Infinity() - 1) return false;
    const double transform = transforms_ ? transforms_->Of(flat) : 0;
    return JudgeOutput(sum, Infinity() | sign, arithmetic_, transform).verdict == OutputVerdict::kRight;
  }

  Arithmetic arithmetic_;
  oracle::Dims output_dims_;
  std::optional<TransformErrors> transforms_;  ///< absent for direct sums
  std::optional<StructuralZeros> zeros_;       ///< set if the backend declares that it multiplies structural zeros
  bool clamps_ = false;                        ///< the backend declares that it clamps infinities
  std::unique_ptr<InF32> in_f32_;              ///< set if the backend declares that it computes the type in f32
};

/// Judges integer outputs: they are equal or wrong, unless the backend computes them in f32.
class IntegerJudge {
 public:
  IntegerJudge(const oracle::Operands& operands, const Capabilities& declared)
      : type_(operands.geometry().type), wraps_(!declared.Saturates(type_)) {
    if (declared.ComputesInF32(type_)) in_f32_ = std::make_unique<InF32>(operands, declared);
  }

  OutputJudgement operator()(const oracle::IntegerSum& sum, std::uint64_t bits, std::int64_t flat) const {
    const std::uint64_t expected = Expected(sum);
    if (bits == expected) return {};
    if (in_f32_) return in_f32_->Judge(bits, flat);
    const double error = std::abs(Value(bits) - Value(expected));
    return {sum.taps == 0 ? OutputVerdict::kGapNotZero : OutputVerdict::kWrongValue, error, 0};
  }
  std::uint64_t Expected(const oracle::IntegerSum& sum) const { return wraps_ ? sum.wrapped : sum.saturated; }
  bool AllowsAnything(const oracle::IntegerSum& /*sum*/, std::int64_t flat) const {
    return in_f32_ && in_f32_->AllowsAnything(flat);
  }
  static std::vector<std::uint64_t> Constants() { return {0}; }
  static bool IsNegativeZero(std::uint64_t /*bits*/) { return false; }

 private:
  double Value(std::uint64_t bits) const {
    return oracle::IsSigned(type_) ? static_cast<double>(SignExtended(bits, type_)) : static_cast<double>(bits);
  }

  ElementType type_;
  bool wraps_;
  std::unique_ptr<InF32> in_f32_;  ///< set if the backend declares that it computes the type in f32
};

/// Compares all outputs by one kind of sum. `OutputJudge` is FloatJudge or IntegerJudge.
template <class Sum, class OutputJudge>
Comparison CompareAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge,
                     const std::atomic<int>* interrupt, const std::function<void(std::int64_t)>& on_wrong) {
  const oracle::Geometry& geometry = expected.geometry();
  ConstantWriters<Sum, OutputJudge> constants(judge);
  const std::size_t element = oracle::ElementBytes(geometry.type);
  Comparison comparison;
  comparison.count = geometry.OutputCount();
  NeededMeter needed(geometry.type);
  for (std::int64_t begin = 0; begin < comparison.count; begin += kSlab) {
    if (interrupt != nullptr && *interrupt != 0) break;
    const oracle::OutputRange range{begin, std::min(kSlab, comparison.count - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element);
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

/// Compares outputs by one kind of sum, briefly. At the first wrong output it calls CompareAs, which reports the
/// details.
template <class Sum, class OutputJudge>
Comparison CompareBrieflyAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge) {
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t element = oracle::ElementBytes(geometry.type);
  Comparison comparison;
  comparison.count = geometry.OutputCount();
  for (std::int64_t begin = 0; begin < comparison.count; begin += kSlab) {
    const oracle::OutputRange range{begin, std::min(kSlab, comparison.count - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element);
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

template <class Sum, class OutputJudge>
bool ExplainsAs(Expected& expected, std::span<const std::byte> output, const OutputJudge& judge,
                const OutputJudge& looser) {
  const oracle::Geometry& geometry = expected.geometry();
  const std::size_t element = oracle::ElementBytes(geometry.type);
  const std::int64_t outputs = geometry.OutputCount();
  for (std::int64_t begin = 0; begin < outputs; begin += kSlab) {
    const oracle::OutputRange range{begin, std::min(kSlab, outputs - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element);
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

std::string ElementText(std::uint64_t bits, ElementType type) {
  if (oracle::IsFloat(type)) {
    if (std::isnan(oracle::FloatValue(bits, type))) return "nan";  // its sign and payload mean nothing
    // With so many decimal digits, neighbouring numbers have different texts.
    const int digits = oracle::FormatOf(type).precision * 3 / 10 + 2;
    return fmt::format("{:.{}g}", oracle::FloatValue(bits, type), digits);
  }
  if (!oracle::IsSigned(type)) return fmt::format("{}", bits);
  return fmt::format("{}", SignExtended(bits, type));
}

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

oracle::Dims CoordinateOf(std::int64_t flat, const oracle::Dims& dims) {
  oracle::Dims coordinate(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    coordinate[i] = flat % dims[i];
    flat /= dims[i];
  }
  return coordinate;
}

std::uint64_t ElementBits(std::span<const std::byte> tensor, std::int64_t index, std::size_t element_bytes) {
  std::uint64_t bits = 0;  // little endian: the low bytes
  std::memcpy(&bits, tensor.data() + static_cast<std::size_t>(index) * element_bytes, element_bytes);
  return bits;
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
