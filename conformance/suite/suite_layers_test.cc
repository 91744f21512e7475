// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the combinations in suite `common`, whose cases must have every combination of the values of two, three or
// four factors, such as type and batch. The test reads the factors from the operators of the cases. It shares only the
// table of geometries with the generator of the suite, so that an error of the generator cannot hide.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/cases_of_suites.h"
#include "conformance/suite/covering/common_geometries.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

// The properties that suite `common` combines, in classes of its own: single counts of channels and single geometries.
// Each is a small number; -1 means unknown.
enum CommonProperty : std::size_t {
  kOperator,
  kType,
  kLayout,    // of ConvolutionBackwardData: bit 0 channels-last data, bit 1 channels-last filter
  kGrouping,  // a GroupingInRow
  kIn,        // channels of the data's group, or the number of groups with one channel; an index into kChannelCounts
  kOut,       // output channels of a group; an index into kChannelCounts
  kValues,    // a DataSet
  kExtent,    // an ExtentInRow
  kBatch,
  kSize,      // a SizeInRow
  kGeometry,  // an index into CommonGeometries()
  kCommonProperties,
};
enum GroupingInRow : int {
  kOneGroup,
  kTwoGroups,
  kMoreGroups,
  kDepthwise,           // one input and one output channel of a group
  kMultipliedDepthwise  // one input and several output channels of a group
};
/// What sets the size of the output.
enum ExtentInRow : int { kExtentByPads, kExtentByDefault, kExtentByAutoPad, kOddShapeAsked, kEvenShapeAsked };
/// The sizes of the data along the axes.
enum SizeInRow : int { kOneElement, kEvenSizes, kOddSizes, kLongAxis };
/// The properties of one case.
using Row = std::array<int, kCommonProperties>;

constexpr std::array<std::int64_t, 8> kChannelCounts = {1, 3, 8, 16, 17, 32, 64, 65};

int IndexOfChannels(std::int64_t count) {
  return static_cast<int>(std::ranges::find(kChannelCounts, count) - kChannelCounts.begin());
}

/// The index of the operator's geometry in the table of common geometries. All axes must have the same one.
int IndexOfGeometry(const oracle::Geometry& geometry) {
  const auto known = CommonGeometries();
  const oracle::Axis& axis = geometry.axes.front();
  for (const oracle::Axis& other : geometry.axes) {
    EXPECT_EQ(other.kernel, axis.kernel);
    EXPECT_EQ(other.stride, axis.stride);
    EXPECT_EQ(other.dilation, axis.dilation);
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].axes == geometry.axes.size() && known[i].kernel == axis.kernel && known[i].stride == axis.stride &&
        known[i].dilation == axis.dilation) {
      return static_cast<int>(i);
    }
  }
  ADD_FAILURE() << "a geometry that the table does not have";
  return -1;
}

bool AnyPositive(const std::optional<std::vector<std::int64_t>>& list) {
  return list && std::ranges::any_of(*list, [](std::int64_t value) { return value > 0; });
}

int ExtentOf(const oracle::Operator& op, const oracle::Geometry& geometry) {
  const std::string mode = op.auto_pad.value_or("explicit");
  const bool lower = mode == "same_lower";  // how ConvolutionBackwardData takes any size
  if (!lower && (mode.starts_with("same") || mode.starts_with("SAME"))) return kExtentByAutoPad;
  if (AnyPositive(op.pads_begin) || AnyPositive(op.pads_end) || AnyPositive(op.output_padding)) return kExtentByPads;
  if (!op.output_shape && !op.dst_shape && !op.output_shape_attribute) return kExtentByDefault;
  for (const oracle::Axis& axis : geometry.axes) {
    EXPECT_EQ(axis.output % 2, geometry.axes.front().output % 2);
  }
  return geometry.axes.front().output % 2 != 0 ? kOddShapeAsked : kEvenShapeAsked;
}

int SizeOf(const oracle::Geometry& geometry) {
  const auto holds_for_all_axes = [&](auto holds) {
    return std::ranges::all_of(geometry.axes, [&](const oracle::Axis& axis) { return holds(axis.data); });
  };
  if (holds_for_all_axes([](std::int64_t size) { return size == 1; })) return kOneElement;
  if (geometry.axes.back().data >= 9) return kLongAxis;
  if (holds_for_all_axes([](std::int64_t size) { return size % 2 == 0; })) return kEvenSizes;
  EXPECT_TRUE(holds_for_all_axes([](std::int64_t size) { return size % 2 != 0; }));
  return kOddSizes;
}

int GroupingOf(const oracle::Geometry& geometry) {
  if (geometry.groups == 1) return kOneGroup;
  if (geometry.in_channels == 1) return geometry.out_channels == 1 ? kDepthwise : kMultipliedDepthwise;
  return geometry.groups == 2 ? kTwoGroups : kMoreGroups;
}

Row RowOf(const Case& test_case) {
  const oracle::Operator& op = test_case.op;
  const oracle::Geometry geometry = *oracle::Resolve(op, test_case.EffectiveDialect()).geometry;
  Row row{};
  row[kOperator] = static_cast<int>(op.kind);
  row[kType] = static_cast<int>(op.data.type);
  if (op.kind == OperatorKind::kConvolutionBackwardData) {
    row[kLayout] = (geometry.layout == oracle::DataLayout::kNxc ? 1 : 0) +
                   (geometry.filter_layout == oracle::FilterLayout::kXoi ? 2 : 0);
  }
  row[kGrouping] = GroupingOf(geometry);
  row[kIn] = IndexOfChannels(row[kGrouping] >= kDepthwise ? geometry.groups : geometry.in_channels);
  row[kOut] = IndexOfChannels(geometry.out_channels);
  row[kValues] = static_cast<int>(test_case.values);
  row[kExtent] = ExtentOf(op, geometry);
  row[kBatch] = static_cast<int>(geometry.batch);
  row[kSize] = SizeOf(geometry);
  row[kGeometry] = IndexOfGeometry(geometry);
  EXPECT_LT(row[kIn], static_cast<int>(kChannelCounts.size()));
  EXPECT_LT(row[kOut], static_cast<int>(kChannelCounts.size()));
  if (row[kExtent] == kExtentByPads) {
    const CommonGeometry& known = CommonGeometries()[static_cast<std::size_t>(row[kGeometry])];
    for (const oracle::Axis& axis : geometry.axes) {
      EXPECT_EQ(axis.pads_begin, known.pads);
      const std::int64_t natural = axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
      EXPECT_EQ(axis.output, natural - 2 * known.pads + known.output_padding);
    }
  }
  return row;
}

/// All values of a property.
std::vector<int> ValuesOf(std::size_t property) {
  std::vector<int> values;
  const auto count = [&](std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) values.push_back(static_cast<int>(i));
  };
  switch (property) {
    case kType:
      count(oracle::kNumericTypes.size());
      break;
    case kGrouping:
    case kExtent:
      count(5);
      break;
    case kIn:
    case kOut:
      count(kChannelCounts.size());
      break;
    case kValues:
      for (const DataSet set : {DataSet::kIntegers, DataSet::kReals, DataSet::kWide}) {
        values.push_back(static_cast<int>(set));
      }
      break;
    case kBatch:
      values = {1, 2, 3};
      break;
    case kGeometry:
      count(CommonGeometries().size());
      break;
    default:
      count(4);  // operators, layouts, sizes
  }
  return values;
}

/// Whether no rule forbids the known values of a row. A rule forbids a pair of values of two properties. Rules on
/// operators, types, layouts and groups follow from the specifications; the other rules are choices of the suite.
bool BreaksNoRule(const Row& row) {
  const auto is = [&row](CommonProperty property, auto... values) {
    return row[property] >= 0 && ((row[property] == static_cast<int>(values)) || ...);
  };
  const bool several_groups = is(kGrouping, kTwoGroups, kMoreGroups, kDepthwise, kMultipliedDepthwise);
  if (is(kOperator, OperatorKind::kConvolutionBackpropData) && several_groups) return false;
  if (row[kOperator] >= 0 && !is(kOperator, OperatorKind::kConvolutionBackwardData) && is(kLayout, 1, 2, 3))
    return false;
  if (is(kOperator, OperatorKind::kConvolutionBackwardData) &&
      (is(kExtent, kExtentByDefault) ||
       (row[kType] >= 0 && !is(kType, ElementType::kF32, ElementType::kF16, ElementType::kBf16)))) {
    return false;
  }
  if (is(kOperator, OperatorKind::kConvTranspose) && row[kType] >= 0 &&
      !is(kType, ElementType::kF64, ElementType::kF32, ElementType::kF16)) {
    return false;
  }
  // Full significands for floating types, all numbers for integer types.
  if (row[kType] >= 0 &&
      is(kValues, oracle::IsInteger(static_cast<ElementType>(row[kType])) ? DataSet::kReals : DataSet::kWide)) {
    return false;
  }
  constexpr int kOneChannel = 0;  // an index into kChannelCounts
  if ((is(kGrouping, kDepthwise) && row[kOut] > kOneChannel) ||
      (is(kGrouping, kMultipliedDepthwise) && is(kOut, kOneChannel)) || (several_groups && is(kIn, kOneChannel)))
    return false;
  if (is(kExtent, kExtentByPads) && row[kGeometry] >= 0 &&
      CommonGeometries()[static_cast<std::size_t>(row[kGeometry])].pads == 0) {
    return false;
  }
  if (row[kGeometry] >= 0) {
    const CommonGeometry& geometry = CommonGeometries()[static_cast<std::size_t>(row[kGeometry])];
    const bool many_channels = is(kIn, 5, 6, 7) || is(kOut, 5, 6, 7);  // 32, 64 or 65 channels
    if (many_channels && geometry.axes == 2 && geometry.kernel * geometry.kernel > 80) return false;
  }
  return !(is(kGrouping, kMultipliedDepthwise) && row[kOut] > 2);  // groups have 3 or 8 output channels
}

/// Whether some operator has the known values of the row. Tries all values of the unknown properties.
bool IsPossible(Row row, std::size_t from = 0) {
  if (!BreaksNoRule(row)) return false;
  while (from < kCommonProperties && row.at(from) >= 0) ++from;
  // No rule concerns batches and sizes, and a small geometry with pads breaks no rule. So the other properties can be
  // chosen.
  if (from >= kBatch) return true;
  for (const int value : ValuesOf(from)) {
    row.at(from) = value;
    if (IsPossible(row, from + 1)) return true;
  }
  return false;
}

struct CombinationCount {
  std::size_t held = 0;              ///< combinations that some row has
  std::size_t impossible = 0;        ///< combinations that no operator can have
  std::vector<std::string> missing;  ///< the others, such as " 1=3 8=2": properties and values
};

/// Counts all combinations of the values of `strength` properties.
class RowCombinationCounter {
 public:
  RowCombinationCounter(const std::vector<Row>& rows, std::size_t strength)
      : rows_(rows), strength_(strength), properties_(strength), values_(strength) {}

  CombinationCount Count() {
    ChooseProperties(0, 0);
    return std::move(count_);
  }

 private:
  /// Chooses properties_ from `at` on, in every way, among those from `first` on.
  void ChooseProperties(std::size_t at, std::size_t first) {
    if (at == strength_) return CountValuesOfProperties();
    for (std::size_t property = first; property < kCommonProperties; ++property) {
      properties_[at] = property;
      ChooseProperties(at + 1, property + 1);
    }
  }

  void CountValuesOfProperties() {
    std::size_t size = 1;
    for (std::size_t i = 0; i < strength_; ++i) size *= kMostValues;
    held_.assign(size, false);
    for (const Row& row : rows_) {
      for (std::size_t i = 0; i < strength_; ++i) values_[i] = row.at(properties_[i]);
      held_[IndexOfValues()] = true;
    }
    ChooseValues(0);
  }

  /// Chooses values_ from `at` on, in every way, and counts the combinations.
  void ChooseValues(std::size_t at) {
    if (at == strength_) return CountCombination();
    for (const int value : ValuesOf(properties_[at])) {
      values_[at] = value;
      ChooseValues(at + 1);
    }
  }

  void CountCombination() {
    if (held_[IndexOfValues()]) {
      ++count_.held;
      return;
    }
    Row row;
    row.fill(-1);
    for (std::size_t i = 0; i < strength_; ++i) row.at(properties_[i]) = values_[i];
    if (!IsPossible(row)) {
      ++count_.impossible;
      return;
    }
    std::string text;
    for (std::size_t i = 0; i < strength_; ++i) {
      text += " " + std::to_string(properties_[i]) + "=" + std::to_string(values_[i]);
    }
    count_.missing.push_back(text);
  }

  std::size_t IndexOfValues() const {
    std::size_t index = 0;
    for (const int value : values_) index = index * kMostValues + static_cast<std::size_t>(value);
    return index;
  }

  static constexpr std::size_t kMostValues = 64;  ///< more than any property has

  const std::vector<Row>& rows_;
  std::size_t strength_;
  std::vector<std::size_t> properties_;  ///< the chosen ones
  std::vector<int> values_;              ///< the chosen value of each
  std::vector<bool> held_;               ///< by IndexOfValues(): whether a row has these values
  CombinationCount count_;
};

CombinationCount CountCombinations(const std::vector<Row>& rows, std::size_t strength) {
  return RowCombinationCounter(rows, strength).Count();
}

std::vector<Row> RowsAt(Level level) {
  std::vector<Row> rows;
  for (const SuiteCase& suite_case : CasesOf("common", level)) rows.push_back(RowOf(suite_case.test_case));
  return rows;
}

/// Expects that the cases of a level have every possible combination of `strength` properties.
void ExpectAll(Level level, std::size_t strength) {
  const CombinationCount count = CountCombinations(RowsAt(level), strength);
  EXPECT_TRUE(count.missing.empty()) << count.missing.size() << " missing, the first:" << count.missing.front();
  EXPECT_GT(count.impossible, 0U);
  std::printf("level %s: %zu cases, %zu combinations of %zu properties, %zu others are impossible\n",
              std::string(LevelName(level)).c_str(), CasesOf("common", level).size(), count.held, strength,
              count.impossible);
}

TEST(SuiteCommon, SmokeHasAllPairs) { ExpectAll(Level::kSmoke, 2); }

TEST(SuiteCommon, GateHasAllTriples) { ExpectAll(Level::kGate, 3); }

TEST(SuiteCommon, FullHasAllCombinationsOfFour) { ExpectAll(Level::kFull, 4); }

TEST(SuiteCommon, TheCounterMissesWhatIsTakenAway) {
  std::vector<Row> rows = RowsAt(Level::kSmoke);
  std::erase_if(rows,
                [](const Row& row) { return row[kType] == static_cast<int>(ElementType::kBf16) && row[kBatch] == 2; });
  const CombinationCount count = CountCombinations(rows, 2);
  // Other combinations that only these rows had are missing too.
  EXPECT_THAT(count.missing, testing::Contains(" 1=" + std::to_string(static_cast<int>(ElementType::kBf16)) + " 8=2"));
}

// The geometries whose special code in libraries was hardly tested before this suite.
TEST(SuiteCommon, EachGeometryHasEachTypeAndBatches) {
  std::map<int, std::set<int>> types;
  std::map<int, int> batches;
  for (const Row& row : RowsAt(Level::kGate)) {
    types[row[kGeometry]].insert(row[kType]);
    batches[row[kGeometry]] += row[kBatch] > 1 ? 1 : 0;
  }
  EXPECT_EQ(types.size(), CommonGeometries().size());
  for (const auto& [geometry, found] : types) {
    EXPECT_EQ(found.size(), oracle::kNumericTypes.size()) << geometry;
    EXPECT_GE(batches[geometry], 24) << geometry;
  }
}

}  // namespace
}  // namespace conformance
