// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the search for conditions on backends that fail exactly if a predicate is true. The search must find this
// predicate with its exact threshold. A backend that fails by chance has no condition.

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/text/fnv.h"
#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/predicate_backend.h"
#include "conformance/diagnosis/conditions/training_set.h"
#include "conformance/testing/diverse_cases.h"
#include "conformance/verdict/judge/thread_counts.h"

namespace conformance {
namespace {

using testing::HasSubstr;

struct Found {
  Condition condition;
  Prediction prediction;
};

Found Find(const Fails& fails, const std::vector<std::string>& more) {
  const std::vector<KnownCase> known = KnownCases(fails, more);
  auto condition = FindCondition(known, SearchOf(fails));
  if (!condition) {
    ADD_FAILURE() << "no condition";
    return {};
  }
  Found found{.condition = *std::move(condition), .prediction = {}};
  found.prediction = PredictNewCases(found.condition, known, 100, SearchOf(fails, 99));
  return found;
}

std::string TextOf(const Condition& condition) {
  return condition.alternatives.empty() ? "" : condition.alternatives.front().conjunction.Text();
}

TEST(Term, SaysTheOppositeOfAStatementAboutAxes) {
  const auto opposite = [](const char* name) {
    const std::vector<Feature>& names = Features().whole;
    const auto found = std::ranges::find(names, name, &Feature::name);
    const auto at = static_cast<std::size_t>(found - names.begin());
    return found == names.end() ? "" : Term{.feature = at, .relation = Relation::kEqual, .value = 0}.Text(names);
  };
  EXPECT_EQ(opposite("on some axis kernel < stride"), "on every axis kernel >= stride");
  EXPECT_EQ(opposite("on every axis output size == data size"), "on some axis output size != data size");
  EXPECT_EQ(opposite("on the last axis a tap is not used"), "on the last axis not (a tap is not used)");
}

TEST(Sketch, GivesBackTheCase) {
  std::vector<std::string> lines = DiverseLines();
  lines.insert(lines.end(),
               {"ConvolutionBackwardData:data=1,4,5,2:filter=3,2,3,2:strides=1,2:dilations=1,1:pads_begin=0,0:"
                "pads_end=0,0:dst_shape=1,6,10,3",
                "ConvolutionBackwardData:data=1,4,6,5:filter=4,3,2,2:strides=1,2:dilations=1,1:pads_begin=0,0:"
                "pads_end=0,0:dst_shape=1,6,7,10:data_format=NCX:weights_format=OIX:groups=2",
                "ConvTranspose:data=1,4,5:filter=4,2,3:kernel_shape=3:groups=2:output_shape_attribute=9"});
  for (const std::string& line : lines) {
    const Case test_case = CaseOfLine(line);
    if (!oracle::Resolve(test_case.op, test_case.EffectiveDialect()).ok()) continue;
    const auto sketch = SketchOf(test_case);
    ASSERT_TRUE(sketch) << line;
    EXPECT_EQ(ToLine(CaseOf(*sketch)), ToLine(test_case));
  }
}

TEST(Sketch, CasesWithListsOfWrongLengthHaveNoSketch) {
  EXPECT_FALSE(SketchOf(CaseOfLine("ConvolutionBackpropData:data=1,2,4:filter=3,3,3:strides=1:dilations=1")));
  EXPECT_FALSE(SketchOf(CaseOfLine("ConvolutionBackpropData:data=1,2,4:filter=2,3,3:strides=1,1:dilations=1")));
}

TEST(Conditions, FindTheExactThreshold) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) { return sketch.axes.back().kernel >= 4; };
  const Found found = Find(fails, {"ConvolutionBackpropData:data=1,2,5:filter=2,3,9:strides=1:dilations=1",
                                   "ConvolutionBackpropData:data=1,2,5:filter=2,3,11:strides=2:dilations=1"});
  EXPECT_EQ(TextOf(found.condition), "kernel of the last axis >= 4");
  EXPECT_TRUE(found.condition.settled());
  EXPECT_EQ(found.prediction.inside, 100U);
  EXPECT_EQ(found.prediction.outside, 100U);
  EXPECT_EQ(found.prediction.wrong(), 0U);
}

TEST(Conditions, JoinTwoStatements) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) { return sketch.batch >= 3 && sketch.groups >= 2; };
  const Found found = Find(fails, {"GroupConvolutionBackpropData:data=3,4,5:filter=2,2,2,3:strides=1:dilations=1",
                                   "GroupConvolutionBackpropData:data=7,6,5:filter=3,2,2,3:strides=2:dilations=1"});
  EXPECT_THAT(TextOf(found.condition), HasSubstr("batch >= 3"));
  EXPECT_THAT(TextOf(found.condition), HasSubstr("groups >= 2"));
  EXPECT_LE(found.prediction.wrong(), 2U);
}

TEST(Conditions, RelateAttributesOfOneAxis) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    return std::ranges::any_of(sketch.axes,
                               [](const SketchAxis& axis) { return axis.kernel < axis.stride && axis.dilation > 1; });
  };
  const Found found = Find(fails, {"ConvolutionBackpropData:data=1,2,5:filter=2,3,2:strides=4:dilations=2",
                                   "ConvolutionBackpropData:data=1,2,5:filter=2,3,3:strides=5:dilations=3"});
  EXPECT_THAT(TextOf(found.condition), HasSubstr("kernel < stride"));
  EXPECT_THAT(TextOf(found.condition), HasSubstr("dilation >= 2"));
  EXPECT_LE(found.prediction.wrong(), 2U);
}

TEST(Conditions, FindTheExactThresholdOfPads) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    return std::ranges::any_of(sketch.axes, [](const SketchAxis& axis) { return axis.pads_begin >= 37; });
  };
  const Found found =
      Find(fails, {"ConvolutionBackpropData:data=1,2,5:filter=2,3,90:strides=2:dilations=1:pads_begin=85:"
                   "pads_end=0",
                   "ConvolutionBackpropData:data=1,2,9:filter=2,3,80:strides=1:dilations=1:pads_begin=75:"
                   "pads_end=1"});
  EXPECT_EQ(TextOf(found.condition), "on an axis, pads_begin >= 37");
  EXPECT_EQ(found.prediction.wrong(), 0U);
}

TEST(Conditions, FindRemainders) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) { return sketch.in % 4 == 3; };
  const Found found = Find(fails, {"ConvolutionBackpropData:data=1,7,5:filter=7,3,3:strides=1:dilations=1",
                                   "ConvolutionBackpropData:data=1,11,5:filter=11,3,3:strides=2:dilations=1"});
  EXPECT_THAT(TextOf(found.condition), HasSubstr("input channels of a group % 4 == 3"));
  EXPECT_LE(found.prediction.wrong(), 2U);
}

TEST(Conditions, RelateTheOutputToTheStride) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    const SketchAxis& axis = sketch.axes.back();
    const std::int64_t size = (axis.data - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1;
    const bool free = sketch.shape == ShapeSourceClass::kAbsent && axis.pads_begin == 0 && axis.pads_end == 0;
    return free && axis.output_padding == 0 && !sketch.base_case.op.auto_pad && axis.stride >= 2 && size >= axis.stride;
  };
  const Found found = Find(fails, {"ConvolutionBackpropData:data=1,2,5:filter=2,3,3:strides=2:dilations=1",
                                   "ConvolutionBackpropData:data=1,2,1:filter=2,3,3:strides=5:dilations=1",
                                   "ConvolutionBackpropData:data=1,2,1:filter=2,3,4:strides=2:dilations=1",
                                   "ConvolutionBackpropData:data=1,2,1:filter=2,3,9:strides=5:dilations=1"});
  EXPECT_LE(found.prediction.wrong(), 2U);
  EXPECT_EQ(found.prediction.asked(), 200U);
}

// If all failures are large cases, the search asks about larger cases too.
TEST(Conditions, FindThresholdsOfLargeCases) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    return std::ranges::any_of(sketch.axes, [](const SketchAxis& axis) { return axis.data > 2048; });
  };
  const std::vector<KnownCase> known =
      KnownCases(fails, {"ConvolutionBackpropData:data=1,2,2063:filter=2,3,3:strides=1:dilations=1",
                         "GroupConvolutionBackpropData:data=1,4,2090:filter=2,2,3,3:strides=1:dilations=1",
                         "ConvolutionBackpropData:data=1,2,2040:filter=2,3,3:strides=1:dilations=1"});
  std::size_t asked = 0;
  ConditionSearch search = SearchOf(fails);
  search.ask = [&asked, ask = search.ask](const Case& test_case) {
    ++asked;
    return ask(test_case);
  };
  search.late = [&] { return asked >= 400; };
  const auto condition = FindCondition(known, search);
  ASSERT_TRUE(condition);
  EXPECT_THAT(TextOf(*condition), HasSubstr("data size >= 2049"));
}

// The run has few passes. They must stay in the rows to learn from when failures are left out.
TEST(RowsToLearnFrom, KeepsRarePassesAndWrongPredictions) {
  std::deque<TrainingRow> rows(1000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].fails = i % 100 != 0;
  rows[501].surprising = true;
  const auto chosen = RowsToLearnFrom(rows, 100);
  EXPECT_EQ(chosen.size(), 100U);
  EXPECT_EQ(std::ranges::count(chosen, false, &LabelledRow::fails), 10);
  EXPECT_EQ(std::ranges::count(chosen, &rows[501].features, &LabelledRow::row), 1);
}

// The number of threads follows from the case's line.
TEST(Conditions, NameTheThreads) {
  Capabilities declared = Declared();
  declared.max_threads = 8;
  const auto ask = [&](const Case& test_case) -> std::optional<bool> {
    return ThreadsOf(declared, ToLine(test_case)).second == 3;
  };
  std::vector<KnownCase> known = KnownCases([](const Sketch&, const FeatureRow&) { return false; }, {});
  for (KnownCase& one : known) one.fails = *ask(one.test_case);
  std::size_t asked = 0;
  const auto count = [&](const Case& test_case) {
    ++asked;
    return ask(test_case);
  };
  const ConditionSearch search{.declared = declared, .ask = count, .late = [&] { return asked >= 150; }};
  const auto condition = FindCondition(known, search);
  ASSERT_TRUE(condition);
  EXPECT_EQ(TextOf(*condition), "threads == 3");
}

// The measurement of predictions must be able to fail: no condition predicts a backend that fails by chance.
TEST(Conditions, DoNotPredictChance) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    Fnv1a hash;
    hash.Add(ToLine(CaseOf(sketch)));
    return hash.value() / 64 % 4 == 0;
  };
  const std::vector<KnownCase> known =
      KnownCases(fails, {"ConvolutionBackpropData:data=1,7,5:filter=7,3,3:strides=1:dilations=1"});
  std::size_t asked = 0;
  ConditionSearch search = SearchOf(fails);
  search.ask = [&asked, ask = search.ask](const Case& test_case) {
    ++asked;
    return ask(test_case);
  };
  search.late = [&asked] { return asked >= 1000; };
  const auto condition = FindCondition(known, search);
  EXPECT_EQ(asked, 1000U);
  if (!condition) return;
  EXPECT_FALSE(condition->settled());
  const Prediction prediction = PredictNewCases(*condition, known, 100, SearchOf(fails, 99));
  EXPECT_TRUE(prediction.wrong() > 2 || prediction.asked() < 200);
}

TEST(NewCases, ConfirmWhatHoldsOfNearlyAll) {
  const auto confirms = [](std::size_t inside, std::size_t failed, std::size_t outside, std::size_t others) {
    return NewCases{.inside = inside, .inside_failed = failed, .outside = outside, .outside_failed = others}
        .IsConfirmed();
  };
  EXPECT_TRUE(confirms(3, 3, 3, 0));
  EXPECT_TRUE(confirms(10, 9, 10, 1));
  EXPECT_FALSE(confirms(2, 2, 9, 0));
  EXPECT_FALSE(confirms(10, 8, 9, 0));
  EXPECT_FALSE(confirms(10, 10, 9, 1));
  EXPECT_FALSE(confirms(10, 10, 2, 0));
  EXPECT_TRUE((NewCases{.inside = 3, .inside_failed = 3}).IsConfirmed(false));
}

}  // namespace
}  // namespace conformance
