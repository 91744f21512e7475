// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts how often the suites (lists of cases) have what users have most, such as default layouts, each type of the
// shape input, omitted pads, long axes, and every operator at level smoke. The test reads this from the operators of
// the cases, not from the names.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/cases_of_suites.h"
#include "conformance/suite/suite_translation.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

bool IsOpenvino(const Operator& op) {
  return op.kind == OperatorKind::kConvolutionBackpropData || op.kind == OperatorKind::kGroupConvolutionBackpropData;
}

/// Cases of ConvolutionBackwardData: all, those in the default layout, and those that omit both formats.
struct FormatCounts {
  int all = 0, defaults = 0, omitted = 0;

  void Add(const Operator& op) {
    if (op.kind != OperatorKind::kConvolutionBackwardData) return;
    ++all;
    omitted += !op.data_format && !op.weights_format ? 1 : 0;
    // An invalid format does not count as the default layout.
    defaults += op.data_format.value_or("NXC") == "NXC" && op.weights_format.value_or("XIO") == "XIO" ? 1 : 0;
  }
  bool Suffices() const { return 2 * defaults >= all && 4 * omitted >= all; }
};

TEST(SuiteCounts, HalfOfTheCasesHaveTheDefaultLayoutAndAQuarterOmitsTheFormats) {
  for (const Suite& suite : Suites()) {
    for (const Level level : kLevels) {
      FormatCounts counts;
      for (const SuiteCase& suite_case : CasesOf(suite.name, level)) counts.Add(suite_case.test_case.op);
      constexpr int kTooFew = 4;  // of fewer cases the shares say nothing
      if (level == Level::kSmoke && counts.all < kTooFew) continue;
      EXPECT_TRUE(counts.Suffices()) << suite.name << " " << LevelName(level) << ": " << counts.all << " cases, "
                                     << counts.defaults << " in the default layout, " << counts.omitted
                                     << " without formats";
    }
  }
}

TEST(SuiteCounts, TheCountOfFormatsFailsForPlanarOnesAndForFormatsThatAreAllWritten) {
  Operator op;
  op.kind = OperatorKind::kConvolutionBackwardData;
  FormatCounts planar;
  op.data_format = "NCX";
  for (int i = 0; i < 3; ++i) planar.Add(op);
  op.data_format = std::nullopt;
  for (int i = 0; i < 2; ++i) planar.Add(op);
  EXPECT_FALSE(planar.Suffices());
  planar.Add(op);
  EXPECT_TRUE(planar.Suffices());
  FormatCounts written;
  op.data_format = "NXC";
  op.weights_format = "XIO";
  for (int i = 0; i < 4; ++i) written.Add(op);
  EXPECT_FALSE(written.Suffices());
}

// The document of oneDNN gives dst_shape the type s32. Suite `attributes` has one case for each of the 7 other types.
TEST(SuiteCounts, DstShapeIsS32ExceptInAFewCases) {
  for (const Suite& suite : Suites()) {
    if (suite.name == "open") continue;  // other types of a dst_shape are an open point, and this suite has them
    int all = 0;
    int of_other_types = 0;
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kFull)) {
      const Operator& op = suite_case.test_case.op;
      if (op.kind != OperatorKind::kConvolutionBackwardData || !op.output_shape) continue;
      ++all;
      const ElementType type = op.output_shape->type;
      of_other_types += oracle::IsInteger(type) && type != ElementType::kI32 ? 1 : 0;
    }
    EXPECT_LE(of_other_types, suite.name == "attributes" ? 7 : 0) << suite.name << ": of " << all;
  }
}

// The operators of suite `exhaustive` are in sweeps, which a list does not show. Suite `open` tests other points.
TEST(SuiteCounts, EachSuiteWithAnOutputShapeHasEachIntegerType) {
  for (const Suite& suite : Suites()) {
    if (suite.name == "exhaustive" || suite.name == "open") continue;
    std::map<OperatorKind, std::map<ElementType, int>> counts;
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kGate)) {
      const Operator& op = suite_case.test_case.op;
      if (!IsOpenvino(op) || !op.output_shape || !oracle::IsInteger(op.output_shape->type)) continue;
      counts[op.kind][op.output_shape->type]++;
    }
    std::set<ElementType> found;
    for (const auto& [kind, types] : counts) {
      for (const auto& [type, count] : types) found.insert(type);
    }
    if (!counts.empty()) {
      EXPECT_EQ(found.size(), 8U) << suite.name;
    }
    if (suite.name == "attributes") {
      ASSERT_EQ(counts.size(), 2U);
      for (const auto& [kind, types] : counts) EXPECT_EQ(types.size(), 8U) << OperatorKindName(kind);
    }
  }
}

TEST(SuiteCounts, NamesOfLayoutsSayWhatTheOperatorHas) {
  std::map<std::string, int> counts;
  for (const SuiteCase& suite_case : CasesOf("attributes", Level::kGate)) {
    if (!suite_case.name.starts_with("layout.")) continue;
    const Operator& op = suite_case.test_case.op;
    const auto word = [](const std::optional<std::string>& format) {
      std::string lower = format.value_or("absent");
      for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      return lower;
    };
    const std::string formats = fmt::format("{}-{}", word(op.data_format), word(op.weights_format));
    EXPECT_TRUE(suite_case.name.starts_with(fmt::format("layout.{}-g{}-", formats, op.groups.value_or(1))))
        << suite_case.name << "\n"
        << ToLine(suite_case.test_case);
    EXPECT_NE(suite_case.name.find(fmt::format("-{}d.cbw.", op.data.dims.size() - 2)), std::string::npos);
    counts[formats]++;
  }
  EXPECT_EQ(counts.size(), 9U);  // absent or one of two values, for data and for weights
  for (const auto& [formats, count] : counts) EXPECT_EQ(count, 27) << formats;  // groups, sizes and ranks, 3 each
}

/// Splits a name at dots and hyphens.
std::vector<std::string_view> WordsOf(std::string_view name) {
  std::vector<std::string_view> words;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(".-"), name.size());
    words.push_back(name.substr(0, end));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return words;
}

bool HasTensorOf(const oracle::Operator& op, oracle::ElementType type) {
  return op.data.type == type || op.filter.type == type || (op.output_shape && op.output_shape->type == type);
}

// If an operator does not have the type in the name, it must not get the case, which would have a wrong name.
TEST(SuiteCounts, ACaseHasTheTypesOfItsName) {
  int named = 0;
  for (const Suite& suite : Suites()) {
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kGate)) {
      for (const std::string_view word : WordsOf(suite_case.name)) {
        const auto type = oracle::ParseElementType(word);
        if (!type || !oracle::IsNumeric(*type)) continue;
        ++named;
        EXPECT_TRUE(HasTensorOf(suite_case.test_case.op, *type)) << suite_case.suite << "/" << suite_case.name;
      }
    }
  }
  EXPECT_GE(named, 1000);
}

TEST(SuiteCounts, NamesEndWithTheirOperatorAndDialect) {
  for (const SuiteCase& suite_case : CasesOf("attributes", Level::kFull)) {
    EXPECT_TRUE(suite_case.name.ends_with(fmt::format(".{}.{}", ShortName(suite_case.test_case.op.kind),
                                                      DialectName(suite_case.test_case.EffectiveDialect()))))
        << suite_case.name;
  }
}

// OpenVINO's documents calculate pads beside an output shape, and for each auto_pad that is not explicit. An operator
// may omit them there.
TEST(SuiteCounts, PadsAreOmittedBesideEachShapeAndMode) {
  using Place = std::tuple<OperatorKind, oracle::Dialect, std::string, bool, bool, bool, std::size_t>;
  std::set<Place> found;
  for (const SuiteCase& suite_case : CasesOf("attributes", Level::kGate)) {
    const Operator& op = suite_case.test_case.op;
    if (!IsOpenvino(op) || !oracle::Resolve(op, suite_case.test_case.EffectiveDialect()).ok()) continue;
    const std::string mode = op.auto_pad.value_or("absent");
    const bool calculated = op.output_shape || (mode != "absent" && mode != "explicit");
    if (!calculated || (op.pads_begin && op.pads_end)) continue;
    found.emplace(op.kind, suite_case.test_case.EffectiveDialect(), mode, op.output_shape.has_value(),
                  op.pads_begin.has_value(), op.pads_end.has_value(), op.data.dims.size());
  }
  // Operators, dialects, ranks, omissions, and five modes with a shape or three without one.
  EXPECT_EQ(found.size(), 2U * 2 * 3 * 3 * (5 + 3));
}

TEST(SuiteCounts, SmokeAsksEveryOperatorOfNumericsAndLimits) {
  for (const char* suite : {"numerics", "limits"}) {
    std::map<OperatorKind, int> counts;
    for (const SuiteCase& suite_case : CasesOf(suite, Level::kSmoke)) counts[suite_case.test_case.op.kind]++;
    EXPECT_EQ(counts.size(), 4U) << suite;
    for (const auto& [kind, count] : counts) EXPECT_GE(count, 10) << suite << " " << OperatorKindName(kind);
  }
}

TEST(SuiteCounts, LayersAndExamplesAreAskedOfConvTransposeWithTheSameAnswers) {
  for (const char* suite : {"layers", "spec-examples"}) {
    std::map<std::string, const SuiteCase*> by_name;
    for (const SuiteCase& suite_case : CasesOf(suite, Level::kFull)) by_name[suite_case.name] = &suite_case;
    int compared = 0;
    for (const auto& [name, suite_case] : by_name) {
      const Case& original = suite_case->test_case;
      if (!IsOpenvino(original.op) || original.dialect ||
          (original.op.output_shape && name.find("data56") != std::string::npos))
        continue;
      const auto again = by_name.find(name + ".ct");
      // The largest example would take hours in each of the two operators.
      if (name == "group_3d") continue;
      ASSERT_NE(again, by_name.end()) << suite << "/" << name;
      ++compared;
      const Case& onnx = again->second->test_case;
      EXPECT_EQ(onnx.op, AsConvTranspose(original.op)) << name;
      oracle::Geometry original_geometry = *oracle::Resolve(original.op, original.EffectiveDialect()).geometry;
      oracle::Geometry onnx_geometry = *oracle::Resolve(onnx.op, onnx.EffectiveDialect()).geometry;
      original_geometry.filter_layout = onnx_geometry.filter_layout =
          oracle::FilterLayout::kIox;  // a group filter has the same elements
      EXPECT_EQ(original_geometry.OutputDims(), onnx_geometry.OutputDims()) << name;
      EXPECT_EQ(original_geometry.groups, onnx_geometry.groups) << name;
      EXPECT_EQ(original_geometry.in_channels, onnx_geometry.in_channels) << name;
      EXPECT_EQ(original_geometry.out_channels, onnx_geometry.out_channels) << name;
    }
    EXPECT_GE(compared, suite == std::string("layers") ? 30 : 8) << suite;
  }
}

TEST(SuiteCounts, WhatCannotBeTranslatedIsNot) {
  Operator op;
  op.data = {ElementType::kI8, {1, 2, 3}};
  op.filter = {ElementType::kI8, {2, 1, 3}};
  EXPECT_EQ(AsConvTranspose(op), std::nullopt) << "ONNX has no i8";
  op.data.type = op.filter.type = ElementType::kF32;
  EXPECT_NE(AsConvTranspose(op), std::nullopt);
  EXPECT_EQ(InDefaultLayout(op), std::nullopt) << "another operator";
  op.auto_pad = "same";
  EXPECT_EQ(AsConvTranspose(op), std::nullopt) << "no word of auto_pad";
  op.auto_pad = std::nullopt;
  op.kind = OperatorKind::kConvolutionBackwardData;
  EXPECT_EQ(AsConvTranspose(op), std::nullopt) << "not one of OpenVINO's operators";
  EXPECT_EQ(InDefaultLayout(op), std::nullopt) << "it has the default layout";
  op.data_format = "NCX";
  EXPECT_NE(InDefaultLayout(op), std::nullopt);
  op.weights_format = "IOX";
  EXPECT_EQ(InDefaultLayout(op), std::nullopt) << "no word of weights_format";
  op.weights_format = std::nullopt;
  op.filter.dims.pop_back();
  EXPECT_EQ(InDefaultLayout(op), std::nullopt) << "ranks that differ";
}

TEST(SuiteCounts, TheDefaultLayoutMovesDimensionsAlone) {
  int moved = 0;
  for (const SuiteCase& suite_case : CasesOf("attributes", Level::kGate)) {
    const Case& test_case = suite_case.test_case;
    const std::optional<Operator> op = InDefaultLayout(test_case.op);
    if (!op) continue;
    ++moved;
    const oracle::Dialect dialect = test_case.EffectiveDialect();
    oracle::Geometry planar = *oracle::Resolve(test_case.op, dialect).geometry;
    const oracle::Geometry last = *oracle::Resolve(*op, dialect).geometry;
    EXPECT_EQ(last.layout, oracle::DataLayout::kNxc);
    EXPECT_EQ(last.filter_layout, oracle::FilterLayout::kXoi);
    planar.layout = last.layout;
    planar.filter_layout = last.filter_layout;
    EXPECT_EQ(planar, last) << ToLine(test_case);
  }
  EXPECT_GE(moved, 400);
}

TEST(SuiteCounts, LongAxesAreRowsColumnsAndPlanes) {
  std::set<std::pair<std::size_t, std::size_t>> long_axes;  // number of axes, long axis
  for (const SuiteCase& suite_case : CasesOf("limits", Level::kGate)) {
    const oracle::Resolution resolution =
        oracle::Resolve(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
    if (!resolution.ok() || resolution.geometry->OutputCount() == 0) continue;
    const auto& axes = resolution.geometry->axes;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      if (axes[j].output > (1 << 24)) long_axes.emplace(axes.size(), j);
    }
  }
  EXPECT_THAT(long_axes, testing::IsSupersetOf({std::pair<std::size_t, std::size_t>{1, 0}, {2, 0}, {3, 0}}));
}

TEST(SuiteCounts, LevelFullHasTensorsBeyond31BitsInEachOperatorAndLayout) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 31;
  std::array<std::set<std::pair<OperatorKind, bool>>, 6> found;  // data, filter, output: bytes, then elements
  for (const SuiteCase& suite_case : CasesOf("limits", Level::kFull)) {
    const Case& test_case = suite_case.test_case;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
    if (!resolution.ok()) continue;
    const oracle::Geometry& geometry = *resolution.geometry;
    const auto bytes = static_cast<std::int64_t>(oracle::ElementBytes(geometry.type));
    const std::pair place = {test_case.op.kind, geometry.layout == oracle::DataLayout::kNxc};
    const std::array counts = {geometry.DataCount(), geometry.FilterCount(), geometry.OutputCount()};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts.at(i) * bytes > kLimit) found.at(i).insert(place);
      if (counts.at(i) > kLimit) found.at(i + 3).insert(place);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const auto& variant : kVariants) EXPECT_TRUE(found.at(i).contains(variant)) << i;
  }
}

}  // namespace
}  // namespace conformance
