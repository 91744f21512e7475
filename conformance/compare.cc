// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Slabs keep the oracle's sums in cache and let outputs of any size be judged.

#include "conformance/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "conformance/bound.h"

namespace conformance {

template <class Sum>
std::span<const Sum> Expected::Sums(oracle::OutputRange range) {
  std::vector<Sum>* sums = nullptr;
  if constexpr (std::is_same_v<Sum, oracle::FloatSum>) {
    sums = &floats_;
  } else {
    sums = &integers_;
  }
  if (held_.begin != range.begin || held_.count != range.count) {
    sums->resize(static_cast<std::size_t>(range.count));
    oracle::Gather(operands_, range, *sums);
    held_ = range;
  }
  return *sums;
}

template std::span<const oracle::FloatSum> Expected::Sums(oracle::OutputRange range);
template std::span<const oracle::IntegerSum> Expected::Sums(oracle::OutputRange range);

namespace {

using oracle::ElementType;

constexpr std::int64_t kSlab = 1 << 16;

std::int64_t SignExtended(std::uint64_t bits, ElementType type) {
  const auto unused = static_cast<int>(64 - 8 * oracle::ElementBytes(type));
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::string ElementText(std::uint64_t bits, ElementType type) {
  if (oracle::IsFloat(type)) {
    // Enough decimal digits to tell neighbours apart.
    const int digits = oracle::FormatOf(type).precision * 3 / 10 + 2;
    return fmt::format("{:.{}g}", FloatValue(bits, type), digits);
  }
  if (!oracle::IsSigned(type)) return fmt::format("{}", bits);
  return fmt::format("{}", SignExtended(bits, type));
}

oracle::Dims CoordinateOf(std::int64_t flat, const oracle::Dims& dims) {
  oracle::Dims coordinate(dims.size());
  for (std::size_t i = dims.size(); i-- > 0;) {
    coordinate[i] = flat % dims[i];
    flat /= dims[i];
  }
  return coordinate;
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

/// Judges floating-point outputs.
class FloatJudge {
 public:
  FloatJudge(const Capabilities& declared, ElementType type) : arithmetic_(ArithmeticOf(declared, type)) {}

  OutputJudgement operator()(const oracle::FloatSum& sum, std::uint64_t bits) const {
    return JudgeOutput(sum, bits, arithmetic_);
  }
  static std::uint64_t Expected(const oracle::FloatSum& sum) { return sum.bits; }

 private:
  Arithmetic arithmetic_;
};

/// Judges integer outputs: they are equal or wrong.
class IntegerJudge {
 public:
  IntegerJudge(const Capabilities& declared, ElementType type)
      : type_(type), wraps_(declared.overflow == DECONV_OVERFLOW_WRAPS) {}

  OutputJudgement operator()(const oracle::IntegerSum& sum, std::uint64_t bits) const {
    const std::uint64_t expected = Expected(sum);
    if (bits == expected) return {};
    const double error = std::abs(Value(bits) - Value(expected));
    return {sum.taps == 0 ? OutputVerdict::kGapNotZero : OutputVerdict::kWrongValue, error, 0};
  }
  std::uint64_t Expected(const oracle::IntegerSum& sum) const { return wraps_ ? sum.wrapped : sum.saturated; }

 private:
  double Value(std::uint64_t bits) const {
    return oracle::IsSigned(type_) ? static_cast<double>(SignExtended(bits, type_)) : static_cast<double>(bits);
  }

  ElementType type_;
  bool wraps_;
};

template <class Sum, class OutputJudge>
Comparison CompareAs(Expected& expected, std::span<const std::byte> output, const Capabilities& declared) {
  const oracle::Geometry& geometry = expected.geometry();
  const OutputJudge judge(declared, geometry.type);
  const std::size_t element = oracle::ElementBytes(geometry.type);
  Comparison comparison;
  comparison.outputs = geometry.OutputCount();
  for (std::int64_t begin = 0; begin < comparison.outputs; begin += kSlab) {
    const oracle::OutputRange range{begin, std::min(kSlab, comparison.outputs - begin)};
    const std::span<const Sum> slab = expected.Sums<Sum>(range);
    for (std::int64_t i = 0; i < range.count; ++i) {
      const Sum& sum = slab[static_cast<std::size_t>(i)];
      const std::uint64_t bits = ElementBits(output, begin + i, element);
      const OutputJudgement judgement = judge(sum, bits);
      if (judgement.verdict == OutputVerdict::kRight) {
        // The distance of an infinity that may stand for a finite sum is no measure of accuracy.
        if (judgement.bound > 0 && std::isfinite(judgement.error))
          comparison.worst_ratio = std::max(comparison.worst_ratio, judgement.error / judgement.bound);
        continue;
      }
      if (comparison.wrong_outputs++ != 0) continue;
      comparison.first_wrong_index = begin + i;
      comparison.failure = ClassOf(judgement.verdict);
      comparison.first_wrong = WrongOutput{CoordinateOf(begin + i, geometry.OutputDims()),
                                           ElementText(judge.Expected(sum), geometry.type),
                                           ElementText(bits, geometry.type),
                                           judgement.error,
                                           judgement.bound,
                                           sum.taps};
    }
  }
  return comparison;
}

}  // namespace

std::string Comparison::Text() const {
  if (ok()) return fmt::format("{} outputs right", outputs);
  const WrongOutput& first = *first_wrong;
  return fmt::format("output {}: expected {}, got {} ({} taps, error {:.3g}, bound {:.3g}); {} of {} outputs wrong",
                     DimsText(first.coordinate), first.expected, first.got, first.taps, first.error, first.bound,
                     wrong_outputs, outputs);
}

std::uint64_t ElementBits(std::span<const std::byte> tensor, std::int64_t index, std::size_t element_bytes) {
  std::uint64_t bits = 0;  // little endian: the low bytes
  std::memcpy(&bits, tensor.data() + static_cast<std::size_t>(index) * element_bytes, element_bytes);
  return bits;
}

Comparison Compare(Expected& expected, std::span<const std::byte> output, const Capabilities& declared) {
  return oracle::IsFloat(expected.geometry().type)
             ? CompareAs<oracle::FloatSum, FloatJudge>(expected, output, declared)
             : CompareAs<oracle::IntegerSum, IntegerJudge>(expected, output, declared);
}

}  // namespace conformance
