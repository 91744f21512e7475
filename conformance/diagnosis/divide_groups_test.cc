// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests how groups of failures are divided by element type and implementation, and how causes name them.

#include "conformance/diagnosis/divide_groups.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/find_causes.h"
#include "conformance/testing/diverse_cases.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kStrideTwoLine = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:values=wide";

/// Adds so many cases of a type that fail, or that pass if there is no failure class.
void AddResults(std::size_t count, const std::string& type, FailureClass failure, std::vector<CaseResult>& results) {
  for (std::size_t i = 0; i < count; ++i) {
    CaseResult& result = results.emplace_back();
    result.origin.case_index = results.size() - 1;
    result.origin.suite = "test";
    result.origin.name = std::to_string(results.size() - 1);
    result.judged.Set(TestCaseOf(kStrideTwoLine + (":type=" + type)).test_case);
    result.judged.dialect = "openvino-spec";
    result.judged.output_dims = {1, 1, 1};
    result.outputs.count = 1;
    result.verdict.status = failure == FailureClass::kNone ? Status::kPass : Status::kFail;
    result.verdict.failure = failure;
    result.verdict.message = "wrong";
  }
}

std::vector<CauseGroup> GroupsSplitByTypes(const std::vector<CaseResult>& results) {
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  SplitByTypes(results, groups);
  return groups;
}

// All cases of i32 and u32 fail, one of f32, and none of i8.
TEST(SplitByTypes, NamesTypesOfWhichNearlyAllCasesFail) {
  std::vector<CaseResult> results;
  AddResults(4, "i32", FailureClass::kWrongValue, results);
  AddResults(3, "u32", FailureClass::kWrongValue, results);
  AddResults(1, "f32", FailureClass::kWrongValue, results);
  AddResults(9, "f32", FailureClass::kNone, results);
  AddResults(5, "i8", FailureClass::kNone, results);
  std::vector<CauseGroup> groups = GroupsSplitByTypes(results);
  SortWorstFirst(results, groups);
  const std::vector<Cause> causes = CausesOf(results, groups);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "wrong value where type == i32 or u32");
  EXPECT_THAT(causes[0].details,
              Contains("of the cases that the run computed, 7 of 7 of these types fail so, 1 of 15 others"));
  EXPECT_THAT(causes[1].failures, ElementsAre(7));
  // A small case that fails too is told of its own type alone.
  groups = GroupByCause(results, {});
  groups[0].small_line = kStrideTwoLine + std::string(":type=f32");
  SplitByTypes(results, groups);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].small_line, kStrideTwoLine + std::string(":type=f32"));
  EXPECT_EQ(groups[1].small_line, "");
  // If the backend computes these types alone, it fails always, so that the type explains nothing.
  results.resize(7);
  groups = GroupsSplitByTypes(results);
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_FALSE(groups[0].types);
}

// Some cases of f64 fail, and none of f32. Other types fail in another group.
TEST(SplitByTypes, NamesTypesToWhichAllFailuresBelong) {
  std::vector<CaseResult> results;
  AddResults(6, "f64", FailureClass::kWrongValue, results);
  AddResults(2, "f64", FailureClass::kNone, results);
  AddResults(2, "f16", FailureClass::kWrongShape, results);
  AddResults(12, "f32", FailureClass::kNone, results);
  std::vector<CauseGroup> groups = GroupsSplitByTypes(results);
  const std::vector<Cause> causes = CausesOf(results, groups);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "wrong value, only where type == f64");
  EXPECT_EQ(causes[0].condition, "") << "cases of this type pass too";
  EXPECT_THAT(causes[0].details,
              ElementsAre("of the cases that the run computed, 6 of 8 of this type fail so, and 12 of "
                          "other types are right"));
  // If the failures have several types, the cause tells how many cases of each type failed.
  for (std::size_t i = 0; i < 2; ++i) {
    results[i].judged.Set(TestCaseOf(std::string(kStrideTwoLine) + ":type=bf16").test_case);
  }
  groups = GroupsSplitByTypes(results);
  EXPECT_THAT(CausesOf(results, groups)[0].details[0],
              HasSubstr("6 of 8 of these types fail so (bf16 2 of 2, f64 4 of 6), and 12"));
  EXPECT_EQ(causes[1].title, "wrong shape") << "two failures may have one type by chance";
}

// The failures of f32 have a cause of their own, and look like those of bf16. So bf16 alone is no condition.
TEST(SplitByTypes, NamesNoTypeAsTheOnlyOneIfOthersFailLikewise) {
  std::vector<CaseResult> results;
  AddResults(3, "f32", FailureClass::kStructuralNan, results);
  AddResults(30, "f32", FailureClass::kNone, results);
  AddResults(5, "bf16", FailureClass::kStructuralNan, results);
  AddResults(2, "bf16", FailureClass::kNone, results);
  Diagnosis diagnosis;
  diagnosis.excuses = {
      {.meaning = "zeros that multiply", .words = {"known_deviations = structural-nan"}, .failures = {0, 1, 2}}};
  diagnosis.unexplained = {33, 34, 35, 36, 37};
  std::vector<CauseGroup> groups = GroupByCause(results, diagnosis);
  SplitByTypes(results, groups);
  const std::vector<Cause> causes = CausesOf(results, groups);
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].title, "structural nan, all of type bf16");
  EXPECT_THAT(causes[0].details,
              Contains("of the cases that the run computed, 5 of 7 of this type fail so, and 30 of other types are "
                       "right; 3 of other types fail so in other causes"));
}

// f64 fails always, wide integers often, and f32 seldom: these are three defects, or more.
TEST(DivideByFamilies, DividesTypesThatFailMoreOftenThanOthers) {
  std::vector<CaseResult> results;
  AddResults(3, "f32", FailureClass::kWrongValue, results);
  AddResults(97, "f32", FailureClass::kNone, results);
  AddResults(20, "i64", FailureClass::kWrongValue, results);
  AddResults(10, "u16", FailureClass::kWrongValue, results);
  AddResults(20, "u16", FailureClass::kNone, results);
  AddResults(9, "f64", FailureClass::kWrongValue, results);
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  DivideByFamilies(results, groups);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_THAT(groups[0].only_types, ElementsAre(oracle::ElementType::kF32)) << "it fails least often";
  EXPECT_THAT(groups[1].only_types, testing::UnorderedElementsAre(oracle::ElementType::kI64, oracle::ElementType::kU16))
      << "integers of more than 8 bits are one family";
  EXPECT_THAT(groups[2].failures, SizeIs(9));
  std::vector<CauseGroup> large = GroupByCause(results, {});
  large[0].not_looked = "all failing cases are large, or laws, sweeps and repeated runs";
  DivideByFamilies(results, large);
  EXPECT_THAT(large, SizeIs(1)) << "the reason and the small case are about all types together";
  groups[1].condition = CauseCondition{.text = "batch >= 2", .wrong_outputs = {}, .tested = {}};
  NameTypes(results, groups);
  EXPECT_EQ(groups[1].condition->text, "batch >= 2 and type == i64 or u16");
}

// The failures of other families are in groups of their own, and count as failures of other types all the same.
TEST(SplitByTypes, CountsFailuresOfOtherFamilies) {
  for (const std::size_t wrong_f32 : {60, 120}) {
    std::vector<CaseResult> results;
    AddResults(40, "f64", FailureClass::kWrongValue, results);
    AddResults(wrong_f32, "f32", FailureClass::kWrongValue, results);
    AddResults(200 - wrong_f32, "f32", FailureClass::kNone, results);
    AddResults(30, "i8", FailureClass::kNone, results);
    std::vector<CauseGroup> groups = GroupByCause(results, {});
    DivideByFamilies(results, groups);
    ASSERT_THAT(groups, SizeIs(2));
    SplitByTypes(results, groups);
    SortWorstFirst(results, groups);
    ASSERT_THAT(groups, SizeIs(2));
    EXPECT_FALSE(groups[0].types) << "a group that was made by type has one type in any case";
    if (wrong_f32 == 120) {
      EXPECT_FALSE(groups[1].types) << "most cases of other types fail too";
    } else {
      EXPECT_THAT(CausesOf(results, groups)[1].details,
                  Contains("of the cases that the run computed, 40 of 40 of this type fail so, 60 of 230 others"));
    }
  }
}

// Small integers are exact in all types, so that their failures have another defect.
TEST(DivideByFamilies, PutsSmallIntegersOfAllTypesFirst) {
  std::vector<CaseResult> results;
  AddResults(97, "f32", FailureClass::kNone, results);
  AddResults(20, "i64", FailureClass::kWrongValue, results);
  AddResults(9, "f64", FailureClass::kWrongValue, results);
  for (const std::size_t i : {100, 101, 120}) {
    const auto type = oracle::ElementTypeName(results[i].judged.test_case->op.data.type);
    results[i].judged.Set(
        TestCaseOf(fmt::format("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:type={}", type)).test_case);
  }
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  DivideByFamilies(results, groups);
  ASSERT_THAT(groups, SizeIs(3));
  EXPECT_THAT(groups[0].failures, ElementsAre(100, 101, 120));
  EXPECT_THAT(groups[0].only_types, testing::IsEmpty());
}

TEST(DivideByFamilies, LeavesAGroupWhoseTypesFailAlike) {
  std::vector<CaseResult> results;
  for (const char* type : {"f32", "f64", "i32", "i8"}) {
    AddResults(10, type, FailureClass::kWrongValue, results);
    AddResults(30, type, FailureClass::kNone, results);
  }
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  DivideByFamilies(results, groups);
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_THAT(groups[0].only_types, testing::IsEmpty());
}

// A backend has a defect of indices, which all types show, and two of arithmetic. No planted fault is tried.
TEST(FindConditions, TellsTheDefectsOfTypesApart) {
  std::vector<std::string> lines;
  for (const char* type : {"f32", "f64", "i8"}) {
    for (const int channels : {1, 2, 3, 4, 5, 8}) {
      for (const char* values : {"integers", "taps", "wide"}) {
        for (int size = 3; size < 8; ++size) {
          lines.push_back(fmt::format("ConvolutionBackpropData:data=1,{},{}:filter={},2,3:strides=1:type={}:values={}",
                                      channels, size, channels, type, values));
        }
      }
    }
  }
  const std::string backend = "fault:channel_tail_dropped+f64_operands_in_f32+i8_saturates";
  const std::vector<CaseResult> results = ResultsOf(backend, lines);
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .budget = {.questions = 600}});
  ASSERT_FALSE(diagnoser.Observe());
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  FindConditions(results, diagnoser, groups);
  std::vector<std::string> titles;
  for (const Cause& cause : CausesOf(results, groups)) titles.push_back(cause.title);
  EXPECT_THAT(titles, Contains(HasSubstr("input channels of a group"))) << testing::PrintToString(titles);
  EXPECT_THAT(titles, Contains(testing::EndsWith(" and type == f64")));
  EXPECT_THAT(titles, Contains(testing::EndsWith(" and type == i8")));
}

// No case of the run is computed with another empty tensor. But the process dies only where the output is empty, so
// that the limit "empty-tensors" would say too much.
TEST(FindConditions, PreferAConditionOfDeathsToALimit) {
  std::vector<std::string> lines;
  for (int size = 1; size < 7; ++size) {
    for (const int pad : {0, 1, size}) {
      for (const int channels : {1, 2}) {
        lines.push_back(
            fmt::format("ConvolutionBackpropData:data=1,{},{}:filter={},1,1:strides=1:dilations=1:pads_end={}",
                        channels, size, channels, pad));
      }
    }
  }
  const std::string backend = "fault:crashes_on_empty_output";
  const std::vector<CaseResult> results = ResultsOf(backend, lines);
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .budget = {.questions = 600}});
  ASSERT_FALSE(diagnoser.Observe());
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  FindConditions(results, diagnoser, groups);
  const std::vector<Cause> causes = CausesOf(results, groups);
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_THAT(causes[0].title, testing::AllOf(HasSubstr("output"), testing::Not(HasSubstr("declare"))));
}

// One implementation fails 8 of 10 cases, the other ones fail 4 of 90.
TEST(DivideByImplementation, TakesTheFailuresOfTheOneThatFailsFarMoreOften) {
  std::vector<CaseResult> results;
  AddResults(8, "i8", FailureClass::kWrongValue, results);
  AddResults(2, "i8", FailureClass::kNone, results);
  for (CaseResult& result : results) result.answer.implementation = "dot_i8";
  AddResults(4, "f32", FailureClass::kWrongValue, results);
  AddResults(86, "f32", FailureClass::kNone, results);
  for (std::size_t i = 10; i < results.size(); ++i) results[i].answer.implementation = i % 2 == 0 ? "gemm" : "rows";
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  DivideByImplementation(results, groups);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_EQ(groups[0].implementation, "dot_i8");
  EXPECT_THAT(groups[0].failures, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_TRUE(groups[0].RanOn("dot_i8"));
  EXPECT_FALSE(groups[0].RanOn("gemm")) << "its cases tell nothing about dot_i8";
  EXPECT_EQ(groups[1].implementation, "");
  EXPECT_THAT(groups[1].failures, ElementsAre(10, 11, 12, 13));
  EXPECT_TRUE(groups[1].RanOn("gemm"));
  const std::vector<Cause> causes = CausesOf(results, groups);
  EXPECT_THAT(causes[0].title, HasSubstr("wrong value in implementation dot_i8"));
  EXPECT_THAT(causes[0].details, Contains("implementation dot_i8 ran all of them, and 2 of the 88 right cases"));
  // If the others fail nearly as often, they may have the same defect.
  for (std::size_t i = 14; i < 40; ++i) {
    results[i].verdict.status = Status::kFail;
    results[i].verdict.failure = FailureClass::kWrongValue;
  }
  groups = GroupByCause(results, {});
  DivideByImplementation(results, groups);
  EXPECT_THAT(groups, SizeIs(1));
}

TEST(JoinLeftFamilies, JoinsWhatHasNoReason) {
  std::vector<CaseResult> results;
  AddResults(4, "u64", FailureClass::kWrongValue, results);
  AddResults(4, "i32", FailureClass::kWrongValue, results);
  AddResults(3, "bf16", FailureClass::kWrongNan, results);
  AddResults(2, "bf16", FailureClass::kStructuralNan, results);
  CauseGroup group;
  group.signature.kind = CauseKind::kWrongOutput;
  const auto of = [&](FailureClass failure, std::vector<std::size_t> failures) {
    group.signature.failure = failure;
    group.failures = std::move(failures);
    return group;
  };
  std::vector<CauseGroup> groups = {
      of(FailureClass::kWrongValue, {0, 1, 2, 3}), of(FailureClass::kWrongValue, {4, 5, 6, 7}),
      of(FailureClass::kWrongNan, {8, 9, 10}), of(FailureClass::kStructuralNan, {11, 12})};
  groups[0].only_types = {oracle::ElementType::kU64};
  groups[1].only_types = {oracle::ElementType::kI32};
  std::vector<CauseGroup> joined = groups;
  JoinLeftFamilies(results, joined);
  ASSERT_THAT(joined, SizeIs(1));
  EXPECT_THAT(joined[0].failures, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_TRUE(joined[0].only_types.empty());
  // A group with a condition, one of one implementation, and one that no family is of stay what they are.
  groups[0].condition = CauseCondition{};
  groups[2].implementation = "dot_i8";
  groups[3] = of(FailureClass::kWrongValue, {11, 12});
  joined = groups;
  JoinLeftFamilies(results, joined);
  EXPECT_THAT(joined, SizeIs(4));
}

TEST(JoinFewRefusals, JoinsTheLargerGroupWithoutAReason) {
  std::vector<CaseResult> results;
  AddResults(5, "f32", FailureClass::kWrongRefusal, results);
  CauseGroup group;
  group.signature.kind = CauseKind::kRefusal;
  group.signature.failure = FailureClass::kWrongRefusal;
  std::vector<CauseGroup> groups(2, group);
  groups[0].failures = {4};
  groups[0].smallest = 4;
  groups[1].failures = {0, 1, 2, 3};
  std::vector<CauseGroup> joined = groups;
  JoinFewRefusals(results, 3, joined);
  EXPECT_THAT(joined[0].failures, SizeIs(0));
  EXPECT_THAT(joined[1].failures, SizeIs(5));
  EXPECT_THAT(CausesOf(results, {joined[1]}).front().details,
              Contains("in other words it refuses " + results[4].judged.line));
  groups[1].condition = CauseCondition{};
  JoinFewRefusals(results, 3, groups);
  EXPECT_THAT(groups[0].failures, SizeIs(1)) << "the condition need not be true of it";
}

// A backend that leaves outputs unwritten fails by the content of the memory. This would hide other conditions.
TEST(DivideBySize, TakesFailuresWithoutDataOut) {
  std::vector<CaseResult> results;
  AddResults(9, "f32", FailureClass::kWrongValue, results);
  for (const std::size_t i : {1, 4, 5}) {
    results[i].judged.Set(TestCaseOf("ConvolutionBackpropData:data=1,1,0:filter=1,1,3:strides=2").test_case);
  }
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  ASSERT_THAT(groups, SizeIs(1));
  DivideBySize(results, groups);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0].failures, ElementsAre(1, 4, 5));
  EXPECT_THAT(groups[1].failures, ElementsAre(0, 2, 3, 6, 7, 8));
  EXPECT_FALSE(groups[1].IsAbout(*results[1].judged.test_case)) << "no question of this group has no data";
  EXPECT_TRUE(groups[1].IsAbout(*results[0].judged.test_case));
  EXPECT_TRUE(groups[0].IsAbout(*results[0].judged.test_case));
  DivideBySize(results, groups);
  EXPECT_THAT(groups, SizeIs(2)) << "it is not divided again";
  EXPECT_EQ(CausesOf(results, groups)[0].title, "wrong value; all have data without elements");
}

// A backend has two defects of indices. Their conditions are learned from i8, which fails less often than f32. Each
// failure of f32 joins the cause whose text is true of it.
TEST(FindConditions, JoinsFailuresOfOtherTypesOneByOne) {
  std::vector<std::string> lines;
  const auto add = [&](const char* type, int batch, int channels, int size, int seed) {
    lines.push_back(
        fmt::format("ConvolutionBackpropData:data={},2,{}:filter=2,{},3:strides=1:type={}:values=wide:seed={}", batch,
                    size, channels, type, seed));
  };
  for (int size = 3; size < 15; ++size) {
    for (const auto& [batch, channels] : {std::pair(1, 2), std::pair(2, 1)}) {
      add("f32", batch, channels, size, 0);
      if (size < 11) add("i8", batch, channels, size, 0);
    }
    for (int seed = 0; seed < 4; ++seed) add("i8", 1, 1, size, seed);
  }
  const std::string backend = "fault:last_channel_unwritten+data_of_first_sample";
  const std::vector<CaseResult> results = ResultsOf(backend, lines);
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {}, .budget = {.questions = 1200}});
  ASSERT_FALSE(diagnoser.Observe());
  std::vector<CauseGroup> groups = GroupByCause(results, {});
  FindConditions(results, diagnoser, groups);
  ASSERT_THAT(groups, SizeIs(2));
  for (const CauseGroup& group : groups) {
    ASSERT_TRUE(group.condition);
    const bool is_of_batch = group.condition->text.starts_with("batch");
    EXPECT_THAT(group.condition->text, HasSubstr(is_of_batch ? "batch >= 2" : "output channels"));
    EXPECT_THAT(group.failures, SizeIs(20));
    for (const std::size_t i : group.failures) {
      EXPECT_THAT(results[i].judged.line, HasSubstr(is_of_batch ? "data=2," : "filter=2,2,")) << group.condition->text;
    }
  }
}

}  // namespace
}  // namespace conformance
