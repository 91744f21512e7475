// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that random cases (DrawCase), and cases that FitSketch made valid, are valid, small and have a case line. Also
// tests that random cases and corrupted ones (CorruptCase makes them invalid) together reach every operator, type,
// auto_pad, and clause that refuses.

#include "conformance/case/draw_case.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "conformance/case/field_changer.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

oracle::Resolution ResolutionOf(const Case& test_case) {
  return oracle::Resolve(test_case.op, test_case.EffectiveDialect());
}

bool HasLine(const Case& test_case) {
  const auto parsed = ParseCaseLine(ToLine(test_case));
  const auto* again = std::get_if<Case>(&parsed);
  return again != nullptr && *again == test_case;
}

// Checks `count` cases from `next`. Returns the first case that is invalid, too large or without a line, and why; or an
// empty string.
std::string WrongCase(const std::function<Case()>& next, const CaseLimits& limits, int count = 20000) {
  for (int i = 0; i < count; ++i) {
    const Case made = next();
    const oracle::Resolution resolution = ResolutionOf(made);
    if (!resolution.ok()) return ToLine(made) + " is refused: " + resolution.refusal->message;
    if (Exceeds(*resolution.geometry, limits)) return ToLine(made) + " is too large";
    if (!HasLine(made)) return ToLine(made) + " parses to another case";
  }
  return "";
}

TEST(DrawCase, IsValidSmallAndHasALine) {
  for (const CaseLimits& limits : {CaseLimits(), CaseLimits{.outputs = 7, .products = 30}, CaseLimits().Large()}) {
    Random random(1);
    EXPECT_EQ(WrongCase([&] { return DrawCase(random, {.limits = limits}); }, limits), "");
  }
}

TEST(DrawCase, KeepsToItsOptions) {
  Random random(2);
  for (const oracle::Dialect dialect : oracle::kDialects) {
    for (int i = 0; i < 200; ++i) {
      const Case drawn = DrawCase(random, {.dialect = dialect, .most_axes = 3});
      EXPECT_EQ(drawn.EffectiveDialect(), dialect);
      EXPECT_LE(drawn.op.data.dims.size(), 5U);
    }
  }
}

TEST(DrawCase, ANeedlesslyWrongCaseIsNoticed) {
  Random random(3);
  const auto padded = [&] {
    Case drawn = DrawCase(random);
    if (random.OneIn(100) && drawn.op.pads_begin) drawn.op.pads_begin->front() = 5000;
    return drawn;
  };
  EXPECT_NE(WrongCase(padded, {}), "");
  EXPECT_NE(WrongCase([&] { return DrawCase(random, {.limits = CaseLimits().Large()}); }, {}), "");
}

// Fuzzers change one case many times. FitSketch must make any resulting sketch valid.
TEST(FitSketch, MakesChangedAndSpoiledCasesValid) {
  FieldChanger changer({}, 4);
  Case kept = DrawCase(changer.random());
  const auto next = [&] {
    Case changed = kept;
    if (changer.random().OneIn(4)) CorruptCase(changed, changer.random());
    auto sketch = SketchOf(changed);
    if (!sketch) sketch = SketchOf(kept = DrawCase(changer.random()));
    if (!sketch) return kept;  // drawn with foreign attributes
    *sketch = changer.Changed(*sketch, *sketch);
    FitSketch(*sketch);
    return kept = CaseOf(*sketch);
  };
  EXPECT_EQ(WrongCase(next, {}), "");
}

TEST(FitSketch, ChangesNothingInAFittingCase) {
  Random random(5);
  for (int i = 0; i < 5000; ++i) {
    const Case drawn = DrawCase(random);
    auto sketch = SketchOf(drawn);
    if (!sketch) continue;
    FitSketch(*sketch);
    EXPECT_EQ(ToLine(CaseOf(*sketch)), ToLine(drawn));
  }
}

TEST(CorruptCase, MostOftenMakesACaseInvalidAndAlwaysHasALine) {
  Random random(6);
  int invalid = 0;
  constexpr int kCases = 5000;
  for (int i = 0; i < kCases; ++i) {
    Case corrupted = DrawCase(random);
    CorruptCase(corrupted, random);
    EXPECT_TRUE(HasLine(corrupted)) << ToLine(corrupted);
    invalid += ResolutionOf(corrupted).ok() ? 0 : 1;
  }
  EXPECT_GT(invalid, kCases / 2);
}

// Counts how often random cases have each property.
class Distribution : public testing::Test {
 protected:
  static constexpr int kCases = 30000;

  void SetUp() override {
    Random random(20);
    for (int i = 0; i < kCases; ++i) {
      Case made = DrawCase(random, {.limits = random.OneIn(8) ? CaseLimits().Large() : CaseLimits()});
      if (random.OneIn(3)) CorruptCase(made, random);
      Count(made);
    }
    for (const auto& [what, count] : counts_) text_ += what + ": " + std::to_string(100.0 * count / kCases) + " %\n";
  }

  void Count(const Case& made) {
    const oracle::Resolution resolution = ResolutionOf(made);
    if (!resolution.ok()) {
      ++counts_["refused by " + std::string(resolution.refusal->clause)];
      return;
    }
    const oracle::Operator& op = made.op;
    const oracle::Geometry& geometry = *resolution.geometry;
    ++counts_[std::string(OperatorKindName(op.kind)) + " " + std::string(DialectName(made.EffectiveDialect()))];
    ++counts_["type " + std::string(ElementTypeName(geometry.type))];
    ++counts_["rank " + std::to_string(op.data.dims.size())];
    ++counts_["values " + std::string(DataSetName(made.values))];
    std::string mode = op.auto_pad.value_or("absent");
    std::ranges::transform(mode, mode.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    ++counts_["auto_pad " + mode];
    ++counts_[std::string("data ") + (geometry.layout == oracle::DataLayout::kNcx ? "NCX" : "NXC")];
    ++counts_[std::string("filter ") + (geometry.filter_layout == oracle::FilterLayout::kXoi ? "XIO" : "IOX")];
    if (geometry.groups > 1) ++counts_["groups above 1"];
    if (geometry.OutputCount() == 0) ++counts_["empty output"];
    if (geometry.DataCount() == 0) ++counts_["empty data"];
    if (geometry.OutputCount() > 65536) ++counts_["more outputs than 16 bits count"];
    if (op.output_shape) ++counts_["output shape as input"];
    if (op.dst_shape && !op.output_shape) ++counts_["output shape as attribute"];
    if (op.dst_shape && op.output_shape) ++counts_["output shape twice"];
    if (op.output_shape_attribute) ++counts_["output shape of ConvTranspose"];
    CountAxes(op, geometry);
  }

  void CountAxes(const oracle::Operator& op, const oracle::Geometry& geometry) {
    const bool shape = op.output_shape || op.dst_shape || op.output_shape_attribute;
    for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
      const oracle::Axis& axis = geometry.axes[j];
      const std::int64_t total = axis.pads_begin + axis.pads_end;
      // An output shape decides the total padding of an axis. Its sign and parity select a branch of every resolver.
      if (shape && total < 0) ++counts_["axis: total negative"];
      if (shape && total > 0 && total % 2 != 0) ++counts_["axis: total odd"];
      if (shape && total > 0 && total % 2 == 0) ++counts_["axis: total even"];
      if (shape && total == 0) ++counts_["axis: total 0"];
      if (op.output_padding && (*op.output_padding)[j] >= axis.stride) ++counts_["axis: output_padding >= stride"];
      if (axis.stride > axis.kernel) ++counts_["axis: stride > kernel"];
      if (axis.stride > 1 && axis.dilation > 1 && std::gcd(axis.stride, axis.dilation) > 1) {
        ++counts_["axis: stride and dilation with common divisor"];
      }
      if (axis.pads_begin < 0) ++counts_["axis: data shifted"];
      if (axis.data > 2048) ++counts_["axis: data beyond f16"];  // above 2048, f16 has no odd numbers
    }
  }

  // The cases with the property, in percent of all cases.
  double PercentOf(const std::string& what) const {
    const auto found = counts_.find(what);
    return found == counts_.end() ? 0 : 100.0 * found->second / kCases;
  }

  std::map<std::string, int> counts_;
  std::string text_;  // all counts in percent, for the messages of failures
};

TEST_F(Distribution, ReachesEverything) {
  SCOPED_TRACE(text_);
  for (const oracle::OperatorKind kind : oracle::kOperatorKinds) {
    for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
      const std::string meaning = std::string(OperatorKindName(kind)) + " " + std::string(DialectName(dialect));
      EXPECT_GE(PercentOf(meaning), 5) << meaning;
    }
  }
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    EXPECT_GE(PercentOf("type " + std::string(ElementTypeName(type))), 1) << ElementTypeName(type);
  }
  for (int rank = 3; rank <= 10; ++rank) EXPECT_GE(PercentOf("rank " + std::to_string(rank)), 0.5) << rank;
  for (const DataSet set : kDataSets) {
    // The following sets are for tensors of other shapes.
    if (set == DataSet::kTaps || set == DataSet::kSwamping || set == DataSet::kBoundaries) continue;
    EXPECT_GE(PercentOf("values " + std::string(DataSetName(set))), 3);
  }
  for (const char* mode : {"absent", "explicit", "none", "notset", "same_upper", "same_lower", "valid"}) {
    EXPECT_GE(PercentOf(std::string("auto_pad ") + mode), 1) << mode;
  }
  for (const char* what :
       {"data NCX", "data NXC", "filter XIO", "filter IOX", "groups above 1", "empty output", "empty data",
        "output shape as input", "output shape as attribute", "output shape twice", "output shape of ConvTranspose",
        "axis: total negative", "axis: total odd", "axis: total even", "axis: total 0",
        "axis: output_padding >= stride", "axis: stride > kernel", "axis: stride and dilation with common divisor",
        "axis: data shifted"}) {
    EXPECT_GE(PercentOf(what), 0.5) << what;
  }
  for (const char* what : {"more outputs than 16 bits count", "axis: data beyond f16"}) {
    EXPECT_GT(PercentOf(what), 0) << what;
  }
  // Every clause (numbered rule of oracle/clauses.md) that refuses, except D1, which refuses dialects that the suite
  // never asks for.
  for (const char* clause :
       {"D3",  "T2",  "T3",  "T4",  "T5",  "T6",  "S1",  "S2",  "S3",  "S5",  "S6",  "S7",  "S9",  "S10",
        "S11", "S12", "S13", "S14", "A1",  "A2",  "A3",  "A4",  "A5",  "A9",  "A10", "A11", "A13", "A14",
        "A16", "P16", "O1",  "O2",  "A17", "A19", "P21", "P23", "P26", "S16", "S18", "S19"}) {
    EXPECT_GT(PercentOf(std::string("refused by ") + clause), 0) << clause;
  }
}

}  // namespace
}  // namespace conformance
