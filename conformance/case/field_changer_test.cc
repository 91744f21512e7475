// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests FieldChanger, which makes new cases from known ones by random changes. Preferred numbers and their neighbours
// must occur, numbers of any size must not overflow, and changed cases must keep no values of the old case.

#include "conformance/case/field_changer.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::Contains;
using testing::Each;
using testing::Ge;
using testing::Not;

constexpr int kTimes = 4000;  // enough random changes to meet each of the numbers below

Case CaseOfLine(const std::string& line) { return std::get<Case>(ParseCaseLine(line)); }
Sketch SketchOfLine(const std::string& line) { return *SketchOf(CaseOfLine(line)); }

// The values of pads_begin that many changes of the case give.
std::set<std::int64_t> PadsOf(const std::string& line, const std::vector<std::int64_t>& preferred) {
  FieldChanger changer({}, 1);
  changer.PreferNumbers(preferred);
  const Sketch from = SketchOfLine(line);
  std::set<std::int64_t> pads;
  for (int i = 0; i < kTimes; ++i) pads.insert(changer.Changed(from, from).axes.front().pads_begin);
  return pads;
}

TEST(FieldChanger, TriesPadsAtPreferredNumbersAndNextToThem) {
  const std::string line =
      "ConvolutionBackpropData:data=1,2,9:filter=2,3,3:strides=1:dilations=1:pads_begin=1:pads_end=1";
  EXPECT_THAT(PadsOf(line, {40}), testing::IsSupersetOf({39, 40, 41}));
  EXPECT_THAT(PadsOf(line, {}), Not(Contains(40)));
  EXPECT_THAT(PadsOf(line, {-40}), Each(Ge(0)));
}

TEST(FieldChanger, TriesNegativePadsIfTheOldCaseHasOne) {
  const std::string line =
      "ConvolutionBackpropData:data=1,2,9:filter=2,3,3:strides=1:dilations=1:pads_begin=-9:pads_end=0";
  EXPECT_THAT(PadsOf(line, {-4}), testing::IsSupersetOf({-10, -8, -5, -4, -3}));
}

// A line whose output shape does not fit its type cannot be read, so that the case would fail on every backend.
TEST(Sketch, MakesCasesWhoseLineCanBeRead) {
  Sketch sketch = SketchOfLine(
      "ConvolutionBackpropData:data=1,1,63:filter=1,1,3:output_shape=127:output_shape_type=i8:strides=2:dilations=1");
  EXPECT_EQ(CaseOf(sketch).op.output_shape->type, oracle::ElementType::kI8);
  for (const std::int64_t size : {1, 64, 126}) {  // an output of 3, 129 and 253 elements
    sketch.axes.front().data = size;
    EXPECT_TRUE(std::holds_alternative<Case>(ParseCaseLine(ToLine(CaseOf(sketch))))) << size;
  }
}

// They fit only the tensors of the old case.
TEST(FieldChanger, DropsGivenValuesAndRepetitions) {
  FieldChanger changer({}, 1);
  Sketch from = SketchOfLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,2:strides=1:dilations=1");
  from.base_case = CaseOfLine(
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,2:strides=1:dilations=1:data_values=1,2,3:filter_values=4,5");
  ASSERT_TRUE(from.base_case.given_data && from.base_case.given_filter);
  from.base_case.data_only = {0};
  from.base_case.repeats = Repetition();
  from.base_case.filter_values = FileValues();
  from.base_case.recorded = from.base_case.given_data;
  for (int i = 0; i < kTimes; ++i) {
    for (const Case& made : {changer.Changed(from, from).base_case, changer.WithOneNumberChanged(from.base_case)}) {
      ASSERT_FALSE(made.given_data || made.given_filter || made.data_only || made.repeats || made.filter_values ||
                   made.recorded);
    }
  }
}

// The sanitizer for undefined behaviour makes this test fail if a number overflows.
TEST(FieldChanger, NumbersAtTheEndsOfTheRangeDoNotOverflow) {
  FieldChanger changer({}, 1);
  changer.PreferNumbers({5});
  for (const std::int64_t number :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    Sketch from = SketchOfLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,2:strides=1:dilations=1");
    SketchAxis& axis = from.axes.front();
    axis.data = axis.kernel = axis.stride = axis.dilation = axis.pads_begin = axis.pads_end = number;
    axis.output_padding = axis.shape_excess = number;
    from.batch = from.in = from.out = from.groups = number;
    std::set<std::int64_t> sizes;
    for (int i = 0; i < kTimes; ++i) {
      const Sketch made = changer.Changed(from, from);
      (void)CaseOf(made);
      (void)changer.WithOneNumberChanged(CaseOf(from));
      sizes.insert(made.axes.front().data);
    }
    EXPECT_THAT(sizes, Not(Contains(testing::AllOf(testing::Ne(number), testing::Gt(std::int64_t{1} << 62)))));
  }
}

}  // namespace
}  // namespace conformance
