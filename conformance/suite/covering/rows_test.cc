// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the rows of covering arrays: rows of classes around the core (auto_pad, output shape, output_padding, groups),
// and rows whose axes differ. Their operators have exactly these classes, and independent counters find no combination
// missing. If a row is removed, the counters name the combinations that only this row had.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/case/property/property.h"
#include "conformance/suite/covering/array.h"
#include "conformance/suite/covering/build.h"
#include "conformance/suite/covering/operators_in_dialects.h"
#include "conformance/suite/measured_coverage/combinations.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::OperatorKind;

class EveryOperatorsRows : public testing::TestWithParam<OperatorInDialect> {
 protected:
  static OperatorKind kind() { return GetParam().kind; }
  static Dialect dialect() { return GetParam().dialect; }
};

INSTANTIATE_TEST_SUITE_P(Covering, EveryOperatorsRows, testing::ValuesIn(OperatorsInDialects()), OperatorTestName());

/// The classes of an operator, and those of each of its axes.
struct Classes {
  ClassRow row;
  std::vector<ClassRow> axes;
};

/// Builds the operator of a row and classifies it; nullopt if it is not valid.
template <typename Row>
std::optional<Classes> ClassesOf(const Row& row, Dialect dialect, std::uint64_t variant) {
  const auto draft = DraftOf(row, dialect, variant);
  if (!draft) return std::nullopt;
  const oracle::Operator op = Spelled(Build(*draft), dialect);
  const oracle::Resolution resolution = oracle::Resolve(op, dialect);
  if (!resolution.ok()) return std::nullopt;
  return Classes{*Classify(op, *resolution.geometry), ClassifyAxes(op, *resolution.geometry)};
}

TEST_P(EveryOperatorsRows, EachAxesRowIsBuiltInExactlyItsClasses) {
  const std::vector<AxesRow>& rows = AxesRowsOf(kind(), dialect());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto classes = ClassesOf(rows[i], dialect(), i);
    ASSERT_TRUE(classes) << ToText(rows[i]);
    EXPECT_EQ(classes->axes, rows[i].axes) << ToText(rows[i]);
    for (std::size_t p = 0; p < kParameters; ++p) {
      const auto parameter = static_cast<Property>(p);
      if (!rows[i].shared.Has(parameter)) continue;
      EXPECT_EQ(classes->row[parameter], rows[i].shared[parameter]) << ToText(rows[i]);
    }
  }
}

TEST_P(EveryOperatorsRows, TheAxesRowsHoldEveryPairOfClassesOfAxes) {
  AxisPairCounter counter(kind(), dialect());
  const std::vector<AxesRow>& rows = AxesRowsOf(kind(), dialect());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto classes = ClassesOf(rows[i], dialect(), i);
    ASSERT_TRUE(classes);
    counter.Add(classes->row, classes->axes);
  }
  const AxisPairCoverage coverage = counter.Count();
  EXPECT_TRUE(coverage.complete()) << ToText(coverage.missing.front());
  EXPECT_GT(coverage.feasible(), 800U);  // `tensorflow` has the fewest: no output_padding and one SAME
}

// Each row was added for a pair that no earlier row has. So the pair of the last row occurs nowhere else.
TEST_P(EveryOperatorsRows, AMissingAxesRowIsNoticed) {
  AxisPairCounter counter(kind(), dialect());
  const std::vector<AxesRow>& rows = AxesRowsOf(kind(), dialect());
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const auto classes = ClassesOf(rows[i], dialect(), i);
    counter.Add(classes->row, classes->axes);
  }
  const std::vector<AxisPair> missing = counter.Count().missing;
  ASSERT_FALSE(missing.empty());
  const AxesRow& last = rows.back();
  for (const AxisPair& pair : missing) {
    EXPECT_EQ(pair.axes, last.axes.size()) << ToText(pair);
    EXPECT_EQ(pair.first_class, last.axes[pair.first][pair.parameter]) << ToText(pair);
    EXPECT_EQ(pair.second_class, last.axes[pair.second][pair.parameter]) << ToText(pair);
  }
}

TEST_P(EveryOperatorsRows, EachCoreRowIsBuiltInExactlyItsClasses) {
  const std::vector<ClassRow> rows = CoreRows(ModelOf(kind(), dialect()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto classes = ClassesOf(rows[i], dialect(), i);
    ASSERT_TRUE(classes) << ToText(rows[i]);
    EXPECT_EQ(ToText(classes->row), ToText(rows[i]));
  }
}

TEST_P(EveryOperatorsRows, TheCoreRowsHoldEveryCombinationWithOneMoreClass) {
  const std::vector<ClassRow> rows = CoreRows(ModelOf(kind(), dialect()));
  CombinationCounter counter(kind(), dialect());
  for (const ClassRow& row : rows) counter.Add(row);
  const CombinationCoverage coverage = counter.Count(Strength::kCore);
  EXPECT_TRUE(coverage.complete()) << ToText(coverage.missing.front());
  // The last row has a class that no other row with its core has.
  CombinationCounter without_last_row(kind(), dialect());
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) without_last_row.Add(rows[i]);
  const std::vector<ClassRow> missing = without_last_row.Count(Strength::kCore).missing;
  ASSERT_FALSE(missing.empty());
  for (const ClassRow& combination : missing) {
    for (std::size_t p = 0; p < kParameters; ++p) {
      const auto parameter = static_cast<Property>(p);
      if (!combination.Has(parameter)) continue;
      EXPECT_EQ(combination[parameter], rows.back()[parameter]) << ToText(combination);
    }
  }
}

TEST(AxisPair, ReadsAsASentence) {
  AxisPair pair{.axes = 2, .first_class = 3, .second_class = 1};
  pair.auto_pad = static_cast<std::uint8_t>(AutoPadClass::kSameLower);
  EXPECT_EQ(ToText(pair), "axes 0 and 1 of 2, auto_pad=same_lower groups=one: output_shape=total-odd,total-zero");
  pair.axes = 3;
  pair.second = 2;
  pair.parameter = Property::kPads;
  pair.auto_pad = static_cast<std::uint8_t>(AutoPadClass::kExplicit);
  pair.shaped = false;
  EXPECT_EQ(ToText(pair), "axes 0 and 2 of 3, without output shape, pads used: pads=end,symmetric");
}

}  // namespace
}  // namespace conformance
