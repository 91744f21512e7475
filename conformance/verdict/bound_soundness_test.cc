// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the error bound never rejects a right output of a backend. Random sums are computed with several kinds of
// arithmetic and in several orders. The bound for a backend that declares this arithmetic must accept each result.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/round.h"
#include "oracle/evaluate.h"
#include "oracle/float_bits.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// One product of a sum, of a data element and a filter element.
struct Term {
  double x;
  double w;
};
using Terms = std::vector<Term>;

/// The element bits of a value, rounded to the type.
std::uint64_t BitsOf(double value, ElementType type) {
  if (std::isnan(value)) return oracle::NanBits(type);
  if (std::isinf(value)) return oracle::InfinityBits(value < 0, type);
  const oracle::FloatParts parts = oracle::DecodeFloat(std::bit_cast<std::uint64_t>(value), ElementType::kF64);
  return oracle::RoundToBits(parts.negative, parts.significand, parts.exponent, type, oracle::Rounding::kNearest);
}

/// The oracle's exact sum of the terms, which are numbers of the type.
oracle::FloatSum ExactSum(const Terms& terms, ElementType type) {
  oracle::Operator op;
  const auto channels = static_cast<std::int64_t>(terms.size());
  op.data = {type, {1, channels, 1}};
  op.filter = {type, {channels, 1, 1}};
  op.strides = op.dilations = oracle::Dims{1};
  op.pads_begin = op.pads_end = oracle::Dims{0};
  const std::size_t bytes = oracle::ElementBytes(type);
  std::vector<std::byte> data(terms.size() * bytes);
  std::vector<std::byte> filter(data.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const std::uint64_t x = BitsOf(terms[i].x, type);
    const std::uint64_t w = BitsOf(terms[i].w, type);
    std::memcpy(data.data() + i * bytes, &x, bytes);
    std::memcpy(filter.data() + i * bytes, &w, bytes);
  }
  const oracle::Geometry geometry = *oracle::Resolve(op, oracle::Dialect::kOpenvinoSpec).geometry;
  oracle::FloatSum sum;
  oracle::Gather(oracle::Operands(geometry, data, filter), {0, 1}, std::span(&sum, 1));
  return sum;
}

/// A number as the unevaluated sum of two doubles. The second double is the small rest that the first cannot hold.
struct Exact {
  double high;
  double low;
};

/// Knuth's two-sum: `high` is the rounded sum of a and b, and `low` is exactly what the rounding lost.
Exact Add(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// Rounds towards zero.
double Truncate(const Exact& value, ElementType type) {
  const double magnitude = std::abs(value.high);
  if (!std::isfinite(magnitude)) return value.high;
  double cut = RoundDown(magnitude, type);
  // The rest may put the value below a `high` that is a number of the type.
  const bool is_below_high = value.low != 0 && std::signbit(value.low) != std::signbit(value.high);
  if (cut == magnitude && is_below_high && cut != 0) cut = NextBelow(cut, type);
  return std::copysign(cut, value.high);
}

/// Rounds to f32, to the neighbour with an odd last bit. A number of f32 stays as it is.
float RoundToOdd(const Exact& value) {
  const auto cut = static_cast<float>(Truncate(value, ElementType::kF32));
  if (!std::isfinite(cut) || (cut == value.high && value.low == 0)) return cut;
  const auto bits = std::bit_cast<std::uint32_t>(cut);
  return (bits & 1) != 0 ? cut : std::bit_cast<float>(bits + 1);
}

float Flush(float value) { return std::abs(value) < 0x1p-126F ? 0.0F : value; }

// Several ways to sum in f32, as kernels do: from left to right, with fused multiply-adds, in halves, in four lanes,
// and with Kahan's correction of rounding errors.

double Sequential(const Terms& terms) {
  float sum = 0;
  for (const Term& t : terms) sum += static_cast<float>(t.x) * static_cast<float>(t.w);
  return sum;
}

double Fused(const Terms& terms) {
  float sum = 0;
  for (const Term& t : terms) sum = std::fma(static_cast<float>(t.x), static_cast<float>(t.w), sum);
  return sum;
}

double Pairwise(const Terms& terms) {
  if (terms.size() == 1) return static_cast<float>(terms.front().x) * static_cast<float>(terms.front().w);
  const auto middle = terms.begin() + static_cast<std::ptrdiff_t>(terms.size() / 2);
  return static_cast<float>(Pairwise({terms.begin(), middle})) + static_cast<float>(Pairwise({middle, terms.end()}));
}

double FourLanes(const Terms& terms) {
  float lanes[4] = {};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    lanes[i % 4] += static_cast<float>(terms[i].x) * static_cast<float>(terms[i].w);
  }
  return (lanes[3] + lanes[1]) + (lanes[2] + lanes[0]);
}

double Kahan(const Terms& terms) {
  float sum = 0;
  float error = 0;
  for (const Term& t : terms) {
    const float term = static_cast<float>(t.x) * static_cast<float>(t.w) - error;
    const float next = sum + term;
    error = std::isfinite(next) ? (next - sum) - term : 0;
    sum = next;
  }
  return sum;
}

/// Sums in f64.
double InF64(const Terms& terms) {
  double sum = 0;
  for (const Term& t : terms) sum += t.x * t.w;
  return sum;
}

/// Rounds each product and each sum towards zero to f32.
double Truncating(const Terms& terms) {
  double sum = 0;
  for (const Term& t : terms) {
    const double product = Truncate({t.x * t.w, 0}, ElementType::kF32);
    sum = Truncate(Add(sum, product), ElementType::kF32);
  }
  return sum;
}

/// Sums like Arm's instruction BFDOT: it adds pairs of products, rounds every result to odd, and flushes subnormals.
double PairsToOdd(const Terms& terms) {
  const auto flushed = [](double value) { return static_cast<double>(Flush(static_cast<float>(value))); };
  const auto product = [&](std::size_t i) {
    return i < terms.size() ? flushed(RoundToOdd({flushed(terms[i].x) * flushed(terms[i].w), 0})) : 0;
  };
  double sum = 0;
  for (std::size_t i = 0; i < terms.size(); i += 2) {
    sum = flushed(RoundToOdd(Add(sum, flushed(RoundToOdd(Add(product(i), product(i + 1)))))));
  }
  return sum;
}

/// Sums like a matrix unit, which adds four products and the previous sum in one step. The largest operand decides the
/// last bit that is kept; the other operands and the result are truncated at this bit.
double Blocks(const Terms& terms) {
  double sum = 0;
  for (std::size_t begin = 0; begin < terms.size(); begin += 4) {
    std::vector<double> operands = {sum};
    for (std::size_t i = begin; i < std::min(begin + 4, terms.size()); ++i) operands.push_back(terms[i].x * terms[i].w);
    double largest = 0;
    for (const double operand : operands) largest = std::max(largest, std::abs(operand));
    if (largest == 0) continue;
    if (!std::isfinite(largest)) return largest;
    const double unit = std::ldexp(1.0, std::max(std::ilogb(largest), -126) - 23);  // the last place in f32
    double aligned = 0;
    for (const double operand : operands) aligned += std::trunc(operand / unit) * unit;
    sum = Truncate({aligned, 0}, ElementType::kF32);
  }
  return sum;
}

/// Sums in f32, and replaces every subnormal operand, product and sum by zero.
double Flushing(const Terms& terms) {
  float sum = 0;
  for (const Term& t : terms) {
    sum = Flush(sum + Flush(Flush(static_cast<float>(t.x)) * Flush(static_cast<float>(t.w))));
  }
  return sum;
}

double ToNearest(double sum, ElementType type) { return RoundToNearest(sum, type); }
double ThroughF32(double sum, ElementType type) { return RoundToNearest(RoundToNearest(sum, ElementType::kF32), type); }
double ToZero(double sum, ElementType type) { return Truncate({sum, 0}, type); }
double ToZeroIfSubnormal(double sum, ElementType type) {
  const double smallest = std::ldexp(1.0, oracle::FormatOf(type).min_exponent);
  return std::abs(sum) < smallest ? 0.0 : RoundToNearest(sum, type);
}

/// A function that sums with some arithmetic, and the declaration of a backend with this arithmetic.
struct Model {
  const char* name;
  FloatArithmetic declared;
  double (*sum)(const Terms& terms);
  double (*convert)(double sum, ElementType type);
};

constexpr FloatArithmetic kPlain;
constexpr FloatArithmetic kInF64 = {.accumulator = DECONV_ACCUMULATOR_F64};
constexpr FloatArithmetic kThroughF32 = {.accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32};
constexpr FloatArithmetic kFaithful = {.rounding = DECONV_ROUNDING_FAITHFUL};
constexpr FloatArithmetic kFaithfulSums = {.rounding = DECONV_ROUNDING_FAITHFUL_SUMS};
constexpr FloatArithmetic kFusedSums = {.rounding = DECONV_ROUNDING_FUSED_SUMS};
constexpr FloatArithmetic kFlushed = {.subnormals = DECONV_SUBNORMALS_FLUSHED};
constexpr FloatArithmetic kBfdot = {.rounding = DECONV_ROUNDING_FAITHFUL_SUMS, .subnormals = DECONV_SUBNORMALS_FLUSHED};

const std::vector<Model>& Models() {
  // Columns: name, declared arithmetic, how it sums, how it converts the sum.
  static const std::vector<Model> models = {
      {"sequential", kPlain, Sequential, ToNearest},
      {"fused", kPlain, Fused, ToNearest},
      {"pairwise", kPlain, Pairwise, ToNearest},
      {"tiles", kPlain, FourLanes, ToNearest},
      {"kahan", kPlain, Kahan, ToNearest},
      {"f64, declared as f32", kPlain, InF64, ToNearest},
      {"f64 through f32, declared as f32", kPlain, InF64, ThroughF32},
      {"f64", kInF64, InF64, ToNearest},
      {"f64 through f32", kThroughF32, InF64, ThroughF32},
      {"f64, declared as through f32", kThroughF32, InF64, ToNearest},
      {"truncating", kFaithful, Truncating, ToZero},
      {"truncating sums", kFaithfulSums, Truncating, ToNearest},
      {"nearest, declared as faithful", kFaithful, Sequential, ToNearest},
      {"blocks", kFusedSums, Blocks, ToNearest},
      {"flushing", kFlushed, Flushing, ToZeroIfSubnormal},
      {"flushing operands", kFlushed, Flushing, ToNearest},
      {"pairs to odd", kBfdot, PairsToOdd, ToNearest},
  };
  return models;
}

enum TermKind : std::uint8_t {
  kSmallIntegers,
  kSimilarMagnitudes,
  kAroundOne,
  kSmallestNumbers,
  kLargestNumbers,
  kNearlyCancelling,
  kAroundOneToo,
  kTermKinds
};

/// Draws terms that are numbers of the type.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  Terms Next(ElementType type) {
    const oracle::FloatFormat format = oracle::FormatOf(type);
    const int kind = In(0, kTermKinds - 1);
    const int count = In(0, 3) == 0 ? In(1, 3) : In(1, 70);
    // The exponents of the terms lie from middle - spread to middle + spread. A product has twice the exponent.
    const int spread = kind == kSimilarMagnitudes ? 2 : In(1, 14);
    const int middle = kind == kSmallestNumbers  ? format.min_exponent / 2 - In(0, format.precision / 2)
                       : kind == kLargestNumbers ? format.max_exponent / 2 - 1 - In(0, 2)
                                                 : 0;
    Terms terms;
    for (int i = 0; i < count; ++i) {
      Term term = {Number(type, kind, middle, spread), Number(type, kind, middle, spread)};
      // This term nearly cancels the previous term.
      if (kind == kNearlyCancelling && i % 2 == 1)
        term = {-terms.back().x, RoundToNearest(terms.back().w * (1 + 0x1p-9), type)};
      terms.push_back(term);
    }
    return terms;
  }

 private:
  int In(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
  double Number(ElementType type, int kind, int middle, int spread) {
    if (kind == kSmallIntegers) return In(-15, 15);
    const double significand = std::uniform_real_distribution<double>(1, 2)(random_);
    const double value = std::ldexp(In(0, 1) == 0 ? significand : -significand, middle + In(-spread, spread));
    const double largest = LargestFinite(oracle::FormatOf(type));
    return std::clamp(RoundToNearest(value, type), -largest, largest);
  }

  std::mt19937_64 random_;
};

Arithmetic Declared(const Model& model, ElementType type) {
  Capabilities declared;
  declared.arithmetic = {{.type = type, .arithmetic = model.declared}};
  return ArithmeticOf(declared, type);
}

constexpr int kSeeds = 30;
constexpr int kSums = 150;  // sums of each seed; a failure names seed and sum

TEST(BoundSoundness, NoRightOutputFails) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      Draws draws(seed);
      for (int i = 0; i < kSums; ++i) {
        const Terms terms = draws.Next(type);
        const oracle::FloatSum sum = ExactSum(terms, type);
        for (const Model& model : Models()) {
          const double output = model.convert(model.sum(terms), type);
          const OutputJudgement judgement = JudgeOutput(sum, BitsOf(output, type), Declared(model, type));
          ASSERT_EQ(judgement.verdict, OutputVerdict::kRight)
              << model.name << ", " << ElementTypeName(type) << ", seed " << seed << ", sum " << i << " of "
              << terms.size() << ": " << output << " for " << sum.sum << ", bound " << judgement.bound;
          ASSERT_LE(judgement.ratio, 1);
        }
      }
    }
  }
}

/// The number of outputs of the model that are wrong by the declaration `declared`.
int WrongBy(const FloatArithmetic& declared, const Model& model, ElementType type) {
  int wrong = 0;
  Draws draws(1);
  for (int i = 0; i < kSums * kSeeds; ++i) {
    const Terms terms = draws.Next(type);
    const double output = model.convert(model.sum(terms), type);
    const Model judged = {model.name, declared, model.sum, model.convert};
    const auto verdict = JudgeOutput(ExactSum(terms, type), BitsOf(output, type), Declared(judged, type)).verdict;
    wrong += verdict != OutputVerdict::kRight ? 1 : 0;
  }
  return wrong;
}

TEST(BoundSoundness, OutputsFailByADeclarationThatPromisesMore) {
  const auto model = [](std::string_view name) { return *std::ranges::find(Models(), name, &Model::name); };
  EXPECT_GT(WrongBy(kPlain, model("truncating"), ElementType::kBf16), 100);
  EXPECT_GT(WrongBy(kFaithfulSums, model("truncating"), ElementType::kF16), 100);
  EXPECT_GT(WrongBy(kInF64, model("sequential"), ElementType::kF32), 100);
  EXPECT_GT(WrongBy(kPlain, model("flushing"), ElementType::kF16), 100);
  EXPECT_GT(WrongBy(kPlain, model("pairs to odd"), ElementType::kBf16), 0);
  EXPECT_GT(WrongBy(kPlain, model("truncating sums"), ElementType::kF32), 0);
}

}  // namespace
}  // namespace conformance
