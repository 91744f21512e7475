// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how the search for a condition ends, and that its counts are about the condition that it returns, not about an
// earlier condition.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/text/fnv.h"
#include "conformance/diagnosis/conditions/find_condition.h"
#include "conformance/diagnosis/conditions/predicate_backend.h"
#include "conformance/diagnosis/conditions/training_set.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

const Fails kLongKernel = [](const Sketch& sketch, const FeatureRow&) { return sketch.axes.back().kernel >= 4; };
const std::vector<std::string> kLongKernels = {
    "ConvolutionBackpropData:data=1,2,5:filter=2,3,9:strides=1:dilations=1",
    "ConvolutionBackpropData:data=1,2,5:filter=2,3,11:strides=2:dilations=1"};

/// Stores the cases about which the search asks, with the answers.
struct AskedCases {
  std::vector<Case> cases;
  std::vector<bool> fail;
  std::size_t most = 1000;

  ConditionSearch SearchOf(const ConditionSearch& search) {
    ConditionSearch kept = search;
    kept.ask = [this, ask = search.ask](const Case& test_case) {
      const auto fails = ask(test_case);
      // At the end the search asks about a few cases again.
      if (std::ranges::find(cases, test_case) != cases.end()) return fails;
      cases.push_back(test_case);
      fail.push_back(fails.value_or(false));
      return fails;
    };
    kept.late = [this] { return cases.size() >= most; };
    return kept;
  }

  /// How many of the last `count` answers the condition predicts rightly. A pass that proves nothing is no answer.
  std::size_t RightOfLast(const Condition& condition, std::size_t count) const {
    std::size_t right = 0;
    for (std::size_t i = cases.size(); i-- > 0 && count > 0;) {
      const FeatureRow row = FeaturesIn(condition, cases[i], cases[i].EffectiveDialect());
      if (!fail[i] && condition.plain && !ShowsIndices(cases[i], row.geometry)) continue;
      right += condition.Holds(row) == fail[i] ? 1 : 0;
      --count;
    }
    return right;
  }
};

/// A backend that, for about one case in `one_in`, does the opposite of `fails`.
Fails Noisy(const Fails& fails, std::uint64_t one_in) {
  return [&fails, one_in](const Sketch& sketch, const FeatureRow& row) {
    Fnv1a hash;
    hash.Add(ToLine(CaseOf(sketch)));
    return fails(sketch, row) != (hash.value() / 64 % one_in == 0);
  };
}

// However the search ends, its numbers about the last new cases belong to the condition that it returns.
TEST(Search, CountsOnlyWhatTestedTheCondition) {
  const Fails rarely = Noisy(kLongKernel, 150);
  const Fails seldom = Noisy(kLongKernel, 300);
  const Fails hardly = Noisy(kLongKernel, 400);
  const struct {
    const Fails& fails;
    std::size_t most;
    std::uint64_t seed = 1;
  } searches[] = {{kLongKernel, 10}, {kLongKernel, 61}, {kLongKernel, 130}, {rarely, 61},
                  {rarely, 130},     {rarely, 240},     {hardly, 400},      {hardly, 3000},
                  {seldom, 3000, 2}, {seldom, 3000, 3}, {hardly, 3000, 4},  {hardly, 3000, 5}};
  std::size_t settled_by_chance = 0;
  for (const auto& [fails, most, seed] : searches) {
    AskedCases asked{.cases = {}, .fail = {}, .most = most};
    const auto condition = FindCondition(KnownCases(fails, kLongKernels), asked.SearchOf(SearchOf(fails, seed)));
    if (!condition) continue;
    EXPECT_LE(condition->checked, condition->asked);
    EXPECT_EQ(condition->agreed, asked.RightOfLast(*condition, condition->checked)) << most;
    if (condition->alternatives.size() == 1 && !condition->settled() && condition->checked < 750) {
      const Alternative& only = condition->alternatives.front();
      EXPECT_LE(only.confirmed + only.refuted, condition->checked) << most;
    }
    for (const Alternative& alternative : condition->alternatives) {
      EXPECT_EQ(alternative.passes_inside.empty(), alternative.refuted == 0);
    }
    settled_by_chance += condition->settled() && condition->agreed < condition->checked ? 1 : 0;
  }
  EXPECT_GT(settled_by_chance, 0U);
}

TEST(Search, SettlesAfterFiveHundredRightPredictions) {
  AskedCases asked;
  const auto condition = FindCondition(KnownCases(kLongKernel, kLongKernels), asked.SearchOf(SearchOf(kLongKernel)));
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->end, SearchEnd::kSettled);
  EXPECT_EQ(condition->checked, 500U);
  EXPECT_EQ(condition->agreed, 500U);
  EXPECT_GT(condition->asked, 500U);
}

TEST(Search, EndsIfTheBackendGivesNoVerdicts) {
  std::size_t asked = 0;
  const std::vector<KnownCase> known = KnownCases(kLongKernel, kLongKernels);
  const ConditionSearch search{.declared = Declared(),
                               .ask = [&](const Case&) -> std::optional<bool> {
                                 ++asked;
                                 return std::nullopt;
                               },
                               .late = [&] { return asked > 2 * kMostWithoutVerdict; }};
  const auto condition = FindCondition(known, search);
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->end, SearchEnd::kNoVerdicts);
  EXPECT_EQ(asked, kMostWithoutVerdict);
  EXPECT_EQ(condition->asked, 0U);
  EXPECT_THAT(condition->asked_lines, SizeIs(kMostWithoutVerdict));
}

TEST(Search, EndsIfNoNewCaseCanBeMade) {
  Capabilities declared = Declared();
  declared.element_types = 0;
  ConditionSearch search = SearchOf(kLongKernel);
  const ConditionSearch without{.declared = declared, .ask = search.ask, .late = search.late};
  const auto condition = FindCondition(KnownCases(kLongKernel, kLongKernels), without);
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->end, SearchEnd::kNoNewCases);
  EXPECT_EQ(condition->asked, 0U);
}

// Search and measurement get the same seed here. So they would make the same cases, if the measurement did not leave
// them out.
TEST(PredictNewCases, AsksNoCaseOfTheSearchAgain) {
  const std::vector<KnownCase> known = KnownCases(kLongKernel, kLongKernels);
  AskedCases searched;
  const auto condition = FindCondition(known, searched.SearchOf(SearchOf(kLongKernel)));
  ASSERT_TRUE(condition);
  std::set<std::string> lines;
  for (const Case& test_case : searched.cases) lines.insert(ToLine(test_case));
  AskedCases predicted;
  const Prediction prediction = PredictNewCases(*condition, known, 100, predicted.SearchOf(SearchOf(kLongKernel)));
  EXPECT_EQ(prediction.asked(), 200U);
  EXPECT_TRUE(std::ranges::none_of(predicted.cases, [&](const Case& one) { return lines.contains(ToLine(one)); }));
}

// The backend fails long kernels. Another defect fails stride 2, whatever the kernel: its failures with long kernels
// satisfy the condition by chance.
TEST(PassOutside, TellsTheReasonFromChance) {
  const auto condition = FindCondition(KnownCases(kLongKernel, kLongKernels), SearchOf(kLongKernel));
  ASSERT_TRUE(condition);
  const Case failed = CaseOfLine("ConvolutionBackpropData:data=1,2,5:filter=2,3,11:strides=2:dilations=1");
  const std::vector<KnownCase> failures = {{.test_case = failed, .dialect = failed.EffectiveDialect(), .fails = true}};
  EXPECT_TRUE(PassOutside(*condition, failures, 4, SearchOf(kLongKernel)));
  const Fails at_stride = [](const Sketch& sketch, const FeatureRow&) { return sketch.axes.back().stride == 2; };
  EXPECT_FALSE(PassOutside(*condition, failures, 4, SearchOf(at_stride)));
  EXPECT_FALSE(PassOutside(*condition, {}, 4, SearchOf(kLongKernel)));
}

// Failures that the dialect refuses have no products. They say nothing about the size of failures that are computed.
TEST(TrainingSet, TakesItsSizeFromFailuresOfItsKind) {
  std::vector<KnownCase> known;
  const auto add = [&](const std::string& line, bool fails) {
    const Case test_case = CaseOfLine(line);
    known.push_back({.test_case = test_case, .dialect = test_case.EffectiveDialect(), .fails = fails});
  };
  for (int i = 1; i <= 20; ++i) {
    add("ConvolutionBackpropData:data=" + std::to_string(i) + ",2,4:filter=2,3,3:strides=0:dilations=1", true);
  }
  add("ConvolutionBackpropData:data=1,2,5000:filter=2,3,3:strides=1:dilations=1", true);
  add("ConvolutionBackpropData:data=1,2,6000:filter=2,3,3:strides=1:dilations=1", true);
  const auto cases = ResolvedCases(known);
  ASSERT_THAT(cases, SizeIs(2));
  TrainingSet training_set(cases, {.plain = true, .declared = Declared()});
  EXPECT_THAT(training_set.rows(), SizeIs(2));
}

// Data sets hold either small integers or numbers of nearly all bits, with no numbers between them.
TEST(Search, SaysWhichNumbersOfValuesWereNotTried) {
  constexpr std::string_view kName = "bits of the largest data element in a product";
  const auto at = std::ranges::find(Features().whole, kName, &Feature::name) - Features().whole.begin();
  const Fails fails = [at](const Sketch& sketch, const FeatureRow& row) {
    FeatureRow with_values = row;
    AddValueFeatures(CaseOf(sketch), with_values);
    return sketch.base_case.op.data.type == oracle::ElementType::kI32 &&
           with_values.whole[static_cast<std::size_t>(at)] > 16;
  };
  std::vector<std::string> lines;
  for (int i = 1; i <= 12; ++i) {
    const std::string line =
        "ConvolutionBackpropData:data=1,1," + std::to_string(i) + ":filter=1,1,1:type=i32:strides=2";
    lines.push_back(line + ":values=wide");
    lines.push_back(line + ":values=wide:filter_values=1");  // no sum lies beyond the type's range
    lines.push_back(line + ":values=integers");
  }
  const auto condition = FindCondition(KnownCases(fails, lines), SearchOf(fails));
  ASSERT_TRUE(condition);
  std::vector<std::string> texts;
  for (const Alternative& alternative : condition->alternatives) texts.push_back(alternative.Text());
  EXPECT_THAT(texts, Contains(AllOf(HasSubstr("type == i32"), HasSubstr(">="), HasSubstr(" (not tried: "))));
}

// Between 1 and 8 channels the backend fails in another way, which says nothing of the threshold.
TEST(Search, SaysWhichSizesWereNotTried) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) { return sketch.in >= 8; };
  std::vector<std::string> lines;
  for (int i = 1; i <= 12; ++i) {
    lines.push_back("ConvolutionBackpropData:data=1,17," + std::to_string(i) + ":filter=17,1,2:strides=1:dilations=1");
  }
  std::vector<KnownCase> known = KnownCases(fails, lines);
  const auto is_between = [](const Case& test_case) {
    const std::int64_t in = SketchOf(test_case)->in;
    return in > 1 && in < 8;
  };
  std::erase_if(known, [&](const KnownCase& one) { return is_between(one.test_case); });
  ConditionSearch search = SearchOf(fails);
  search.ask = [&, ask = search.ask](const Case& test_case) {
    return is_between(test_case) ? std::nullopt : ask(test_case);
  };
  const auto condition = FindCondition(known, search);
  ASSERT_TRUE(condition);
  ASSERT_THAT(condition->alternatives, SizeIs(1));
  EXPECT_EQ(condition->alternatives.front().Text(), "input channels of a group >= 8 (not tried: 2 to 7)");
  EXPECT_TRUE(condition->alternatives.front().has_wide_gap) << "8 is more than twice 1";
}

// A run has few large numbers.
TEST(Search, TriesHalfAndTwiceALargeNumber) {
  const Fails fails = [](const Sketch& sketch, const FeatureRow&) { return sketch.axes.back().stride % 65536 == 0; };
  std::vector<std::string> lines;
  for (int i = 1; i <= 12; ++i) {
    for (const int stride : {1, 2, 3, 65536}) {
      lines.push_back(
          fmt::format("ConvolutionBackpropData:data=1,1,1:filter=1,{},1:strides={}:dilations=1", i, stride));
    }
  }
  AskedCases asked;
  const auto condition = FindCondition(KnownCases(fails, lines), asked.SearchOf(SearchOf(fails)));
  ASSERT_TRUE(condition);
  EXPECT_THAT(condition->alternatives.front().Text(), HasSubstr(" % 65536 == 0"));
  std::set<std::int64_t> strides;
  for (const Case& one : asked.cases) strides.insert(SketchOf(one)->axes.back().stride);
  EXPECT_TRUE(std::ranges::any_of(strides, [](std::int64_t stride) { return stride > 32000 && stride < 40000; }));
  EXPECT_GT(*strides.rbegin(), 100'000);
}

// A statement about an axis, too, says which numbers were not tried.
TEST(Search, SaysWhichNumbersOfAnAxisWereNotTried) {
  const auto largest = [](const Sketch& sketch) {
    return std::ranges::max(sketch.axes, {}, &SketchAxis::kernel).kernel;
  };
  const Fails fails = [&](const Sketch& sketch, const FeatureRow&) { return largest(sketch) >= 8; };
  std::vector<std::string> lines;
  for (int i = 1; i <= 6; ++i) {
    for (const int kernel : {1, 2, 8, 9, 11}) {
      lines.push_back(fmt::format("ConvolutionBackpropData:data=1,1,{},2:filter=1,1,{},1:strides=1,1", i, kernel));
      lines.push_back(fmt::format("ConvolutionBackpropData:data=1,1,2,{}:filter=1,1,1,{}:strides=1,1", i, kernel));
    }
  }
  ConditionSearch search = SearchOf(fails);
  search.ask = [&, ask = search.ask](const Case& test_case) {
    const std::int64_t kernel = largest(*SketchOf(test_case));
    return kernel > 2 && kernel < 8 ? std::nullopt : ask(test_case);
  };
  const auto condition = FindCondition(KnownCases(fails, lines), search);
  ASSERT_TRUE(condition);
  ASSERT_THAT(condition->alternatives, SizeIs(1));
  EXPECT_THAT(condition->alternatives.front().Text(),
              AllOf(HasSubstr("on an axis, kernel >= 8"), HasSubstr("(not tried: "), HasSubstr(" to 7)")));
}

bool HasLargeBatch(const Case& test_case) { return SketchOf(test_case)->batch >= 4; }

/// Cases of a backend that fails at long kernels. One case with a large batch passes by chance, and the others have
/// small batches. So a condition that is learned from them says something about the batch.
std::vector<KnownCase> LongKernelsAndOneLargeBatch() {
  std::vector<std::string> lines;
  for (int i = 1; i <= 30; ++i) {
    lines.push_back(fmt::format("ConvolutionBackpropData:data=1,2,{}:filter=2,3,9:strides=1:dilations=1", i));
  }
  std::vector<KnownCase> known = KnownCases(kLongKernel, lines);
  std::erase_if(known, [](const KnownCase& one) { return HasLargeBatch(one.test_case); });
  const Case by_chance = CaseOfLine("ConvolutionBackpropData:data=5,2,4:filter=2,3,9:strides=1:dilations=1");
  known.push_back({.test_case = by_chance, .dialect = by_chance.EffectiveDialect(), .fails = false});
  return known;
}

void ExpectOneStatement(const std::optional<Condition>& condition) {
  ASSERT_TRUE(condition);
  ASSERT_THAT(condition->alternatives, SizeIs(1));
  EXPECT_THAT(condition->alternatives.front().Text(), testing::Not(HasSubstr(" and "))) << "only about the kernel";
}

// A statement that excludes one pass by chance, and that no new case can test, is not told.
TEST(Search, LeavesOutStatementsThatNoNewCaseTests) {
  ConditionSearch search = SearchOf(kLongKernel);
  search.ask = [ask = search.ask](const Case& test_case) {
    return HasLargeBatch(test_case) ? std::nullopt : ask(test_case);
  };
  ExpectOneStatement(FindCondition(LongKernelsAndOneLargeBatch(), search));
}

// The statement is not told either if a single new case passes, perhaps for another reason.
TEST(Search, LeavesOutStatementsThatOneNewCaseTests) {
  ConditionSearch search = SearchOf(kLongKernel);
  int asked = 0, passed = 0;
  search.ask = [&, ask = search.ask](const Case& test_case) -> std::optional<bool> {
    // After 300 questions the condition has the statement.
    const bool answers = ++asked > 300 && passed == 0 && ask(test_case) == std::optional(true);
    if (!HasLargeBatch(test_case)) return ask(test_case);
    if (!answers) return std::nullopt;
    ++passed;
    return false;
  };
  const auto condition = FindCondition(LongKernelsAndOneLargeBatch(), search);
  ASSERT_EQ(passed, 1) << "no new case tests the statement";
  ExpectOneStatement(condition);
}

TEST(TrainingSet, TakesCasesFromAllOfTheRun) {
  std::vector<KnownCase> known;
  for (int i = 1; i <= 900; ++i) {
    const Case test_case =
        CaseOfLine("ConvolutionBackpropData:data=" + std::to_string(i) + ",2,2:filter=2,1,1:strides=1:dilations=1");
    known.push_back({.test_case = test_case, .dialect = test_case.EffectiveDialect(), .fails = true});
  }
  TrainingSet training_set(ResolvedCases(known), {.plain = true, .declared = Declared()});
  EXPECT_THAT(training_set.rows(), SizeIs(300));
  EXPECT_GT(training_set.rows().back().sketch->batch, 890);
}

}  // namespace
}  // namespace conformance
