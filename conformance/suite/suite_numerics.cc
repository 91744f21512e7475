// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `numerics`: cases whose values find wrong arithmetic, such as sums in too few bits. A data set (DataSet) is the
// rule for the values. The reason of a case names the defect that it would find; suite_numerics_test.cc shows that its
// values can find it.

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

constexpr std::array kFloats = {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64};

// Each axis in this file: data, kernel, stride, dilation, pads_begin, pads_end, output_padding.

/// A case before its kind of operator is chosen.
struct NumericsCase {
  std::string name;
  std::string catches;  ///< the defect that the case would find
  OperatorDraft draft;
  ElementType type;
  DataSet set;
  std::uint64_t seed = 0;
};

/// Adds the row with this draft, which has the kind of operator, if the kind has the row's type.
void AddAs(SuiteBuilder& suite, const NumericsCase& row, const OperatorDraft& draft, const std::string& suffix) {
  if (draft.type != row.type) return;  // the operator does not have it
  Case added;
  added.op = Build(draft);
  added.values = row.set;
  added.seed = row.seed;
  const std::string values =
      row.seed == 0 ? std::string(DataSetName(row.set)) : fmt::format("{}-{}", DataSetName(row.set), row.seed);
  suite.AddUnlessKnown(
      fmt::format("{}.{}.{}.{}{}", row.name, ElementTypeName(row.type), values, ShortName(draft.kind), suffix),
      row.catches, std::move(added));
}

/// The draft of the row with its type.
OperatorDraft TypedDraftOf(const NumericsCase& row) {
  OperatorDraft draft = row.draft;
  draft.type = row.type;
  return draft;
}

/// Adds the row as ConvolutionBackpropData, or as its grouped form, and as each other operator that has the type.
void AddEachKind(SuiteBuilder& suite, Level least, const NumericsCase& row) {
  const OperatorKind usual =
      row.draft.groups == 1 ? OperatorKind::kConvolutionBackpropData : OperatorKind::kGroupConvolutionBackpropData;
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    if (kind == OperatorKind::kConvolutionBackpropData && kind != usual) continue;
    if (!suite.Includes(least)) continue;
    AddAs(suite, row, As(kind, TypedDraftOf(row)), "");
  }
}

/// Adds the row as ConvolutionBackwardData in both layouts, NXC with XIO and NCX with OIX, from level gate on.
void AddBothLayouts(SuiteBuilder& suite, const NumericsCase& row) {
  if (!suite.Includes(Level::kGate)) return;
  OperatorDraft draft = As(OperatorKind::kConvolutionBackwardData, TypedDraftOf(row));
  draft.data_format = DataFormat::kNxc;
  draft.weights_format = WeightsFormat::kXio;
  AddAs(suite, row, draft, "-nxc");
  draft.data_format = DataFormat::kNcx;
  draft.weights_format = WeightsFormat::kOix;
  AddAs(suite, row, draft, "-ncx");
}

/// Whether a case of `cancellation` can find a wrong sum. With p significand bits and n products, the sum that remains
/// after cancellation is about 2^-(p/2) / sqrt(n) of the magnitudes. It must exceed the bound n * u of the accumulator.
bool CancellationTells(ElementType type, std::int64_t products) {
  const int accumulator = type == ElementType::kF64 ? 53 : 24;
  const int left = accumulator - oracle::FormatOf(type).precision / 2;
  return std::pow(static_cast<double>(products), 1.5) < std::ldexp(1.0, left);
}

// Adds long sums: outputs whose taps all meet data have `products` terms. An accumulator with p significand bits loses
// about one bit for each factor of four in the number of terms, if their signs are random. If all signs are equal, the
// accumulated sum stops growing at 2^p terms.
void AddChains(SuiteBuilder& suite) {
  for (const ElementType type : kFloats) {
    for (const std::int64_t products : {1 << 7, 1 << 10, 1 << 12, 1 << 14, 1 << 16}) {
      for (const DataSet set : {DataSet::kReals, DataSet::kCancellation, DataSet::kWide, DataSet::kIntegers}) {
        if (set == DataSet::kCancellation && !CancellationTells(type, products)) continue;
        // Four sums that cancel may all lie within one bound by chance; 16 sums do not.
        const std::int64_t out = set == DataSet::kCancellation ? 4 : 1;
        const OperatorDraft draft{.in = products / 4, .out = out, .axes = {{3, 4, 1, 1, 1, 1}}};
        const bool smoke = products == 1 << 12 && set != DataSet::kWide;
        AddEachKind(
            suite, smoke ? Level::kSmoke : Level::kGate,
            {fmt::format("chain-{}", products),
             fmt::format("Sums of {} products: an accumulator narrower than declared.", products), draft, type, set});
      }
    }
    // The same number of terms, but along the kernel instead of the channels, because implementations have other loops.
    AddEachKind(suite, Level::kGate,
                {"chain-along-the-kernel",
                 "Sums of up to 2048 products of one channel.",
                 {.in = 1, .out = 1, .axes = {{2048, 2048, 1, 1, 1000, 1000}}},
                 type,
                 DataSet::kReals});
    AddEachKind(suite, Level::kGate,
                {"chain-in-one-phase",
                 "Sums of up to 1024 products in one of three stride phases, none in the others.",
                 {.in = 64, .out = 1, .axes = {{16, 16, 3, 3, 30, 30}}},
                 type,
                 CancellationTells(type, 1024) ? DataSet::kCancellation : DataSet::kReals});
  }
}

// Adds cases of `swamping`. There are twice as many output channels as pairs of positions for the two large terms, so
// that each pair occurs with each power of two; there are at most two.
void AddAccumulators(SuiteBuilder& suite) {
  constexpr const char* kReason = "A large term, its negative and small ones: sums kept in fewer bits than declared.";
  for (const ElementType type : kFloats) {
    AddEachKind(suite, Level::kSmoke,
                {"accumulator-of-3", kReason, {.in = 3, .out = 12, .axes = {{5, 1}}}, type, DataSet::kSwamping});
    AddEachKind(suite, Level::kGate,
                {"accumulator-of-8", kReason, {.in = 8, .out = 112, .axes = {{5, 1}}}, type, DataSet::kSwamping});
    AddEachKind(
        suite, Level::kGate,
        {"accumulator-in-phases", kReason, {.in = 2, .out = 60, .axes = {{7, 3, 2}}}, type, DataSet::kSwamping});
    AddEachKind(suite, Level::kGate,
                {"accumulator-along-the-kernel",
                 kReason,
                 {.in = 1, .out = 112, .axes = {{3, 4, 1, 1, 1, 1}, {9, 2, 1}}},
                 type,
                 DataSet::kSwamping});
  }
}

// Adds values around the ends of the types' ranges: subnormal numbers, overflow, and sums that cancel.
void AddRanges(SuiteBuilder& suite) {
  const OperatorDraft one_tap{.in = 1, .out = 2, .axes = {{40, 2, 3, 1, 0, 0, 1}}};
  // Few products: among many products one is surely normal, and then the sum is normal, too.
  const OperatorDraft few_products{.in = 2, .out = 5, .axes = {{20, 3, 2}}};
  const OperatorDraft two_axes{.in = 6, .out = 2, .axes = {{7, 3, 2, 1, 1, 0, 1}, {6, 3, 2, 1, 0, 1}}};
  for (const ElementType type : kFloats) {
    for (const std::uint64_t seed : {0, 1, 2}) {
      const Level least = seed == 0 ? Level::kSmoke : Level::kGate;
      AddEachKind(suite, least,
                  {"one-tap", "Single products: a rounding before the output's, or a result that is flushed.", one_tap,
                   type, DataSet::kSubnormals, seed});
      AddEachKind(suite, least,
                  {"few", "Sums that are subnormal, of operands that are and of others that are not.", few_products,
                   type, DataSet::kSubnormals, seed});
      AddEachKind(suite, least,
                  {"sums", "Exponents over most of the range: terms that vanish beside others.", two_axes, type,
                   DataSet::kWide, seed});
      AddEachKind(suite, least,
                  {"sums", "Terms that cancel: what is left lies in the lower halves of the significands.", two_axes,
                   type, DataSet::kCancellation, seed});
      AddEachKind(suite, least,
                  {"one-tap",
                   "Products around the largest finite number: an infinity too early, or a number where "
                   "infinity is meant.",
                   one_tap, type, DataSet::kOverflow, seed});
    }
  }
  // Only f16 has an accumulator with a larger range than its own, so that every output can be judged.
  for (const std::int64_t in : {8, 64, 1024}) {
    for (const std::uint64_t seed : {0, 1}) {
      AddEachKind(
          suite, seed == 0 && in < 1024 ? Level::kSmoke : Level::kGate,
          {fmt::format("overflow-{}", in),
           "Partial sums pass 65504 and come back: an accumulator of the output's type makes them infinite or NaN.",
           {.in = in, .out = 2, .axes = {{24, 2, 2, 1, 0, 0}}},
           ElementType::kF16,
           DataSet::kOverflow,
           seed});
    }
  }
}

// The result of a conversion to the output's type changes at few places. They are half way between two numbers, at the
// end of the range, and below the smallest numbers. Drawn values seldom meet them, so the data set puts sums there.
void AddBoundaries(SuiteBuilder& suite) {
  struct Shape {
    const char* name;
    const char* what;
    OperatorDraft draft;
  };
  // Each output has one tap, so that the terms of its sum lie in different input channels. The output channels are a
  // multiple of the 23 sums of the data set.
  const std::vector<Shape> shapes = {
      {"conversion", "a kernel of one element", {.in = 2, .out = 46, .axes = {{9, 1}}}},
      {"conversion-in-phases", "gaps on two axes", {.in = 3, .out = 69, .axes = {{2, 2, 2}, {5, 2, 3}}}},
      {"conversion-in-groups", "three groups", {.groups = 3, .in = 2, .out = 46, .axes = {{6, 3, 4, 1, 1}}}},
      {"conversion-of-many-channels", "17 input channels", {.in = 17, .out = 69, .axes = {{5, 1}}}},
  };
  for (const ElementType type : kFloats) {
    for (const Shape& shape : shapes) {
      const NumericsCase row = {
          shape.name,
          fmt::format("Sums at, below and above the places where rounding changes, with {}: ties, the first infinity, "
                      "the smallest numbers.",
                      shape.what),
          shape.draft, type, DataSet::kBoundaries};
      AddEachKind(suite, &shape == &shapes.front() ? Level::kSmoke : Level::kGate, row);
      AddBothLayouts(suite, row);
    }
  }
}

/// Where an operator has outputs that no special value of another place may reach.
struct SpecialsPlace {
  const char* name;
  const char* where;
  OperatorDraft draft;
};

// Adds cases with infinities. Structural zeros are no factors (clause V2). An implementation that inserts zeros between
// data, or pads with zeros, computes 0 * Inf = NaN where the right output is finite.
void AddSpecials(SuiteBuilder& suite) {
  const std::vector<SpecialsPlace> places = {
      {"stride-gaps", "between the strides", {.axes = {{9, 2, 3}}}},
      {"dilation-gaps", "between the taps", {.axes = {{9, 3, 1, 4}}}},
      {"stride-and-dilation-gaps", "in phases that the dilation never reaches", {.axes = {{5, 3, 4, 2}, {4, 2, 2, 3}}}},
      {"crop", "next to what the pads cut off", {.axes = {{6, 4, 2, 1, 3, 3}, {5, 3, 1, 1, 2, 2}}}},
      {"output-padding-tail", "next to the tail of output_padding", {.axes = {{6, 2, 2, 1, 0, 0, 7}}}},
      {"groups", "in another group", {.groups = 5, .in = 3, .out = 2, .axes = {{5, 2, 2, 1, 0, 1}}}},
      {"batch", "in another sample", {.batch = 5, .in = 3, .out = 2, .axes = {{5, 2, 2, 1, 0, 1}}}},
      {"channel-tail", "in a channel beyond a full block", {.in = 17, .out = 19, .axes = {{3, 2, 2}}}},
      {"width-tail", "in a column beyond a full vector", {.in = 2, .out = 3, .axes = {{2, 2}, {21, 3, 2, 1, 1}}}},
      {"three-axes", "on each axis of a volume", {.axes = {{2, 2, 3}, {3, 2, 2, 3}, {3, 3, 2, 1, 1, 1}}}},
      {"pointwise", "in a kernel of one element", {.in = 3, .out = 5, .axes = {{5, 1, 2}, {4, 1, 1}}}},
  };
  for (const SpecialsPlace& place : places) {
    for (const ElementType type : kFloats) {
      for (const std::uint64_t seed : {0, 1, 2, 3}) {
        const Level least = seed == 0 && type == ElementType::kF32 ? Level::kSmoke : Level::kGate;
        AddEachKind(
            suite, least,
            {place.name,
             fmt::format("NaN and Inf {}: a structural zero that multiplies, or a NaN that is lost.", place.where),
             place.draft, type, DataSet::kSpecials, seed});
        if (seed > 1) continue;
        AddEachKind(suite, least,
                    {place.name,
                     fmt::format("Zeros of both signs against Inf {}: zeros that are skipped although 0 * Inf is NaN.",
                                 place.where),
                     place.draft, type, DataSet::kZeros, seed});
      }
    }
  }
}

// Adds integers whose sums wrap.
void AddIntegers(SuiteBuilder& suite) {
  const OperatorDraft small{.in = 3, .out = 2, .axes = {{5, 3, 2, 1, 1, 0}, {4, 2, 1, 1, 0, 1}}};
  const OperatorDraft chain{.in = 1024, .out = 2, .axes = {{3, 4, 1, 1, 1, 1}}};
  const OperatorDraft pointwise{.in = 1, .out = 9, .axes = {{40, 1}}};
  for (const ElementType type : oracle::kNumericTypes) {
    if (oracle::IsFloat(type)) continue;
    for (const DataSet set : {DataSet::kWide, DataSet::kExtremes}) {
      AddEachKind(suite, Level::kSmoke,
                  {"wrap",
                   "Products and sums beyond the type's range: saturation, or a floating-point detour "
                   "that keeps 24 or 53 bits.",
                   small, type, set});
      AddEachKind(
          suite, Level::kSmoke,
          {"products", "Single products of the whole range, as -128 * -128 and 255 * 255.", pointwise, type, set});
      AddEachKind(suite, Level::kGate, {"chain", "Sums of 4096 products that wrap many times.", chain, type, set});
    }
    // Sums reach 15 * 15 * 4096 > 2^19. f16 and bf16 represent integers exactly only up to 2^11 and 2^8.
    AddEachKind(
        suite, Level::kGate,
        {"chain", "Sums of 4096 small products: a narrow floating-point detour.", chain, type, DataSet::kIntegers});
  }
}

}  // namespace

SuiteResult NumericsCases(Level level) {
  SuiteBuilder suite(level);
  AddChains(suite);
  AddAccumulators(suite);
  AddRanges(suite);
  AddBoundaries(suite);
  AddSpecials(suite);
  AddIntegers(suite);
  return suite.Build();
}

}  // namespace conformance
