// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what is told of a single failure: the smallest operator that fails likewise, changes with which it passes, and
// a case that must run before it.

#include "conformance/diagnosis/nearest_passes.h"

#include <cstddef>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/conditions/predicate_backend.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

KnownCase FailingCase(const std::string& line) {
  const Case test_case = CaseOfLine(line);
  return {.test_case = test_case, .dialect = test_case.EffectiveDialect(), .fails = true};
}

TEST(NearestPasses, NamesTheNearestChangeOfEachField) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    const SketchAxis& axis = sketch.axes.back();
    return axis.stride >= 5 && axis.data >= 2;
  };
  ConditionSearch search = SearchOf(fails);
  search.questions = kMostQuestionsOfNearest;
  const std::string text = NearestPasses(
      FailingCase("ConvolutionBackpropData:data=2,3,4,5:filter=3,2,1,3:strides=2,9:dilations=1,1"), search);
  EXPECT_THAT(text,
              AllOf(HasSubstr("ConvolutionBackpropData:data=1,1,2:filter=1,1,1:strides=5:dilations=1; it passes with "),
                    HasSubstr("with strides=4"), HasSubstr("with data=1,1,1")));
}

TEST(NearestPasses, NamesTypesAndNumbersOfAxes) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) {
    return sketch.type() == oracle::ElementType::kF16 && sketch.axes.size() >= 2;
  };
  ConditionSearch search = SearchOf(fails);
  search.questions = kMostQuestionsOfNearest;
  const std::string smallest = "ConvolutionBackpropData:data=1,1,1,1:filter=1,1,1,1:type=f16:strides=1,1";
  EXPECT_EQ(NearestPasses(FailingCase(smallest), search), "the smallest operator that was found to fail so is " +
                                                              smallest +
                                                              "; it passes with 1 spatial axis, or with type=f32");
}

TEST(NearestPasses, NamesTheSmallestFailureIfNoSimplerOperatorPasses) {
  const Fails fails = [](const Sketch&, const FeatureRow&) { return true; };
  ConditionSearch search = SearchOf(fails);
  search.questions = kMostQuestionsOfNearest;
  const std::string smallest = "ConvolutionBackpropData:data=1,1,1:filter=1,1,1:strides=1";
  EXPECT_EQ(NearestPasses(FailingCase("ConvolutionBackpropData:data=2,3,4:filter=3,2,3:strides=2"), search),
            "the smallest operator that was found to fail so is " + smallest);
  EXPECT_EQ(NearestPasses(FailingCase(smallest), search), "");
}

// Such a backend reads memory that holds other numbers in each run.
TEST(NearestPasses, TellsNoChangesOfAnOperatorThatFailsByChance) {
  std::size_t asked = 0;
  const ConditionSearch search{.declared = Declared(),
                               .ask = [&](const Case&) -> std::optional<bool> { return ++asked < 3; },
                               .late = [] { return false; },
                               .questions = kMostQuestionsOfNearest};
  const std::string text =
      NearestPasses(FailingCase("ConvolutionBackpropData:data=2,3,4:filter=3,2,3:strides=2"), search);
  EXPECT_THAT(text, AllOf(HasSubstr("the smallest operator"), Not(HasSubstr("it passes with"))));
}

TEST(NearestPasses, AsksOnlyAboutSmallOperatorsAndNotTooOften) {
  std::size_t asked = 0;
  const ConditionSearch search{.declared = Declared(),
                               .ask = [&](const Case& test_case) -> std::optional<bool> {
                                 ++asked;
                                 // Without its pads the operator has an output of that many elements.
                                 EXPECT_THAT(ToLine(test_case), Not(HasSubstr("strides=1099511627776:pads_begin=0")));
                                 return false;
                               },
                               .late = [] { return false; },
                               .questions = 3};
  (void)NearestPasses(FailingCase("ConvolutionBackpropData:data=1,1,2:filter=1,1,2:strides=1099511627776:"
                                  "pads_begin=1099511627775:pads_end=0"),
                      search);
  EXPECT_EQ(asked, 3U);
}

constexpr const char* kWithoutChannels = "ConvTranspose:data=1,0,3:filter=0,2,3:strides=2";

/// Asks about cases one after the other in one process. The case without channels fails if the case before it had this
/// data set.
struct KeepsMemory {
  DataSet shows;
  std::optional<DataSet> held = {};
  std::size_t asked = 0;

  std::optional<bool> Ask(const Case& test_case) {
    ++asked;
    if (test_case.op.data.dims[1] != 0) held = test_case.values;
    return test_case.op.data.dims[1] == 0 && held == shows;
  }
};

TEST(CaseBefore, IsOneAfterWhichTheCaseFails) {
  for (const DataSet shows : {DataSet::kIntegers, DataSet::kSpecials}) {
    KeepsMemory backend{.shows = shows};
    const std::string line =
        CaseBefore(CaseOfLine(kWithoutChannels), [&](const Case& test_case) { return backend.Ask(test_case); });
    EXPECT_THAT(line, HasSubstr("ConvTranspose:data=1,1,3:filter=1,2,3:strides=2"));
    EXPECT_EQ(CaseOfLine(line).values, shows) << line;
  }
}

TEST(CaseBefore, IsNoneIfTheCasePassesEachTime) {
  KeepsMemory backend{.shows = DataSet::kTaps};
  EXPECT_EQ(CaseBefore(CaseOfLine(kWithoutChannels), [&](const Case& test_case) { return backend.Ask(test_case); }),
            "");
  EXPECT_EQ(backend.asked, kMostQuestionsOfCaseBefore);
}

}  // namespace
}  // namespace conformance
