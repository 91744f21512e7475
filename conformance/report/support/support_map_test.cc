// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the support map, which counts the supported cases of each class of operators: its counts, the cases that it
// leaves out, its texts, and the comparison with a map that is pinned in a file.

#include "conformance/report/support/support_map.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/support/ask_support.h"
#include "conformance/report/support/pinned_support.h"
#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kPlain =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0";
constexpr const char* kStrided =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1:pads_begin=1:pads_end=0:type=f16";
constexpr const char* kGrouped =
    "GroupConvolutionBackpropData:data=1,2,3:filter=2,1,1,3:strides=1:dilations=1:pads_begin=0:pads_end=0";

CaseResult Result(const char* line, Status status, const char* message = "") {
  CaseResult result;
  result.judged.Set(TestCaseOf(line).test_case);
  result.judged.dialect = "openvino-spec";
  result.judged.output_dims = {1, 1, 5};
  result.verdict.status = status;
  result.verdict.message = message;
  return result;
}

/// The capabilities that the backend of these tests declares.
Capabilities Declared() {
  Capabilities declared;
  declared.operators = 3;  // two bits: the two operators of OpenVINO
  declared.dialects = {oracle::Dialect::kOpenvinoSpec};
  return declared;
}

/// One supported case and three that are not, in three classes of operators.
std::vector<CaseResult> SomeResults() {
  return {Result(kPlain, Status::kPass), Result(kStrided, Status::kUndeclared, "type f16 (not declared)"),
          Result(kGrouped, Status::kUnsupported, "only one group"),
          Result(kGrouped, Status::kUnsupported, "only one group")};
}

TEST(SupportMapTest, CountsEachValueOfEachDimension) {
  const SupportMap map = SupportMapOf(SomeResults(), Declared());
  EXPECT_EQ(map.all, (SupportCount{1, 4}));
  EXPECT_EQ(map.classes.size(), 3U);
  const std::vector<SupportMap::Value> groups = map.ValuesOf(3);  // kSupportDimensions[3] is "groups"
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "1");
  EXPECT_EQ(groups[0].count, (SupportCount{1, 2}));
  EXPECT_EQ(groups[1].name, "above 1");
  EXPECT_EQ(groups[1].count, (SupportCount{0, 2}));
  ASSERT_EQ(map.reasons.size(), 2U);
  EXPECT_EQ(map.reasons[0].cases, 2U);
  EXPECT_TRUE(map.reasons[0].asked);
  EXPECT_EQ(map.reasons[0].reason, "only one group");
  EXPECT_FALSE(map.reasons[1].asked);
}

TEST(SupportMapTest, SomeVerdictsAreNotCounted) {
  CaseResult invalid = Result(kPlain, Status::kUnsupported, "of the valid neighbour: only one group");
  invalid.judged.output_dims.clear();
  EXPECT_FALSE(IsSupported(invalid, Declared()));
  for (const Status status :
       {Status::kTooLarge, Status::kInapplicable, Status::kSkippedAfterHangs, Status::kNotJudged, Status::kUndefined}) {
    EXPECT_FALSE(IsSupported(Result(kPlain, status), Declared())) << StatusName(status);
  }
  const char* undeclared = "ConvTranspose:data=1,1,3:filter=1,1,3";
  EXPECT_FALSE(IsSupported(Result(undeclared, Status::kUndeclared), Declared()));
  CaseResult failed = Result(kPlain, Status::kFail);
  failed.verdict.failure = FailureClass::kWrongValue;
  EXPECT_EQ(IsSupported(failed, Declared()), true) << "it claims support";
  failed.verdict.failure = FailureClass::kSuiteError;
  EXPECT_FALSE(IsSupported(failed, Declared()));
}

TEST(SupportMapTest, AShareNeverRoundsToAllOrNothing) {
  EXPECT_EQ(ShareText({61, 100}), "61 %");
  EXPECT_EQ(ShareText({5, 5}), "100 %");
  EXPECT_EQ(ShareText({9999, 10000}), "99.9 %");
  EXPECT_EQ(ShareText({1, 100000}), "0.1 %");
  EXPECT_EQ(ShareText({0, 7}), "0 %");
}

TEST(SupportMapTest, JsonHasDimensionsAndClasses) {
  const SupportMap map = SupportMapOf(SomeResults(), Declared());
  const nlohmann::ordered_json json = SupportToJson(map);
  EXPECT_EQ(json.at("dimensions").at("groups").at("above 1").at("total"), 2);
  EXPECT_EQ(json.at("classes").size(), 3U);
}

TEST(SupportClassTest, OnlyWhatDiffersFromThePlainestIsNamed) {
  const auto text_of = [](const char* line, oracle::Dialect dialect) {
    const oracle::Operator op = TestCaseOf(line).test_case.op;
    const oracle::Resolution resolution = oracle::Resolve(op, dialect);
    if (!resolution.ok()) return resolution.refusal->message;
    return SupportClassText(SupportClassOf(op, *resolution.geometry));
  };
  EXPECT_EQ(text_of(kPlain, oracle::Dialect::kOpenvinoSpec), "ConvolutionBackpropData f32 rank 3");
  EXPECT_EQ(text_of(kStrided, oracle::Dialect::kOpenvinoSpec),
            "ConvolutionBackpropData f16 rank 3, strides above 1, pads asymmetric");
  EXPECT_EQ(text_of("ConvolutionBackwardData:data=1,3,2:filter=3,1,2:data_format=NXC:weights_format=XIO:strides=1:"
                    "dilations=1:pads_begin=0:pads_end=0:dst_shape=1,5,1",
                    oracle::Dialect::kOnednnSpec),
            "ConvolutionBackwardData f32 rank 3, output_shape attribute, layout NXC XIO");
}

TEST(PinnedSupportTest, AFileIsReadAsItWasWritten) {
  const PinnedSupport pinned = PinnedSupportOf(SupportMapOf(SomeResults(), Declared()));
  const auto read = ReadPinnedSupport(PinnedSupportText(pinned, "vendor \"2\""));
  ASSERT_EQ(read.index(), 0U) << std::get<1>(read);
  EXPECT_EQ(std::get<0>(read), pinned);
  for (const char* wrong :
       {"", "[]", "{}", R"({"support_map":2,"classes":{}})", R"({"support_map":1})",
        R"({"support_map":1,"classes":{"a":[2,1]}})", R"({"support_map":1,"classes":{"a":[1]}})",
        R"({"support_map":1,"classes":{"a":"1/2"}})", R"({"support_map":1,"classes":[[1,2]]})",
        R"({"support_map":1,"classes":{"a":[-5,-1]}})", R"({"support_map":1,"classes":{"a":[1.5,2]}})"}) {
    EXPECT_EQ(ReadPinnedSupport(wrong).index(), 1U) << wrong;
  }
}

TEST(PinnedSupportTest, LossAndGainAreNamed) {
  const std::vector<CaseResult> before = {Result(kPlain, Status::kPass), Result(kPlain, Status::kPass),
                                          Result(kGrouped, Status::kUnsupported, "only one group")};
  const PinnedSupport pinned = PinnedSupportOf(SupportMapOf(before, Declared()));
  const auto changes_to = [&](std::vector<CaseResult> now) {
    return CompareSupport(pinned, SupportMapOf(now, Declared()));
  };
  SupportChanges changes = changes_to(before);
  EXPECT_THAT(changes.lost, IsEmpty());
  EXPECT_THAT(changes.gained, IsEmpty());

  std::vector<CaseResult> now = before;
  now[1] = Result(kPlain, Status::kUnsupported, "not today");
  changes = changes_to(now);
  ASSERT_EQ(changes.lost.size(), 1U);
  EXPECT_THAT(changes.lost[0], HasSubstr("ConvolutionBackpropData f32 rank 3: 2 of 2 cases before, now 1 of 2: not "
                                         "today; ConvolutionBackpropData:data="));
  now = before;
  now[2] = Result(kGrouped, Status::kFail);
  now[2].verdict.failure = FailureClass::kWrongValue;
  changes = changes_to(now);
  EXPECT_THAT(changes.lost, IsEmpty());
  EXPECT_THAT(changes.gained,
              ElementsAre("GroupConvolutionBackpropData f32 rank 3, groups above 1: 0 of 1 cases before, now 1 of 1"));
  now = before;
  now.push_back(Result(kStrided, Status::kPass));
  EXPECT_THAT(changes_to(now).gained, IsEmpty()) << "other cases were selected";
  now.erase(now.begin());
  EXPECT_THAT(changes_to(now).gained, ElementsAre(HasSubstr("strides above 1, pads asymmetric: 1 of 1 cases, not in")));
}

TEST(PinnedSupportTest, ASmallerRunLosesOnlyWhatIsCertain) {
  const std::vector<CaseResult> before = {Result(kPlain, Status::kPass), Result(kPlain, Status::kPass),
                                          Result(kGrouped, Status::kPass),
                                          Result(kGrouped, Status::kUnsupported, "too many")};
  const PinnedSupport pinned = PinnedSupportOf(SupportMapOf(before, Declared()));
  const auto lost = [&](std::vector<CaseResult> now) {
    return CompareSupport(pinned, SupportMapOf(now, Declared())).lost.size();
  };
  EXPECT_EQ(lost({Result(kPlain, Status::kPass)}), 0U);
  EXPECT_EQ(lost({Result(kPlain, Status::kUnsupported, "no")}), 1U);
  EXPECT_EQ(lost({Result(kGrouped, Status::kUnsupported, "no")}), 0U) << "it may be the one that was not supported";
}

TEST(PinnedSupportTest, OtherTotalsHideNoLoss) {
  const std::string plain = "ConvolutionBackpropData f32 rank 3";
  const auto lost = [&](SupportCount before, std::size_t supported, std::size_t unsupported) {
    std::vector<CaseResult> now(supported, Result(kPlain, Status::kPass));
    now.insert(now.end(), unsupported, Result(kPlain, Status::kUnsupported, "no"));
    return CompareSupport({{plain, before}}, SupportMapOf(now, Declared())).lost.size();
  };
  EXPECT_EQ(lost({99, 100}, 0, 99), 1U) << "only one of them can be the one that was not supported";
  EXPECT_EQ(lost({99, 100}, 98, 1), 0U);
  EXPECT_EQ(lost({2, 2}, 2, 1), 0U) << "a case is new";
  EXPECT_EQ(lost({2, 2}, 1, 2), 1U) << "only one case is new";
}

TEST(PinnedSupportTest, ALostOperatorIsNamedWhicheverCasesAreRun) {
  const PinnedSupport pinned =
      PinnedSupportOf(SupportMapOf(std::vector{Result(kPlain, Status::kPass), Result(kGrouped, Status::kPass),
                                               Result(kGrouped, Status::kUnsupported)},
                                   Declared()));
  const auto lost = [&](const Capabilities& declared) {
    return CompareSupport(pinned, SupportMapOf(std::vector<CaseResult>{}, declared)).lost;
  };
  EXPECT_THAT(lost(Declared()), IsEmpty()) << "no case was selected";
  Capabilities one = Declared();
  one.operators = 1;
  EXPECT_THAT(lost(one), ElementsAre("GroupConvolutionBackpropData: 1 of 2 cases before, now the backend declares "
                                     "neither the operator nor a dialect of it"));
  Capabilities other_dialect = Declared();
  other_dialect.dialects = {oracle::Dialect::kOnnx11};
  EXPECT_EQ(lost(other_dialect).size(), 2U) << "it defines ConvTranspose alone";
}

/// The statuses of a plain and a grouped operator. AskSupport leaves out the third operator, which is invalid.
std::vector<Status> StatusesOf(const std::string& backend) {
  Arena arena;
  Worker worker(backend, arena);
  EXPECT_FALSE(worker.Start());
  const std::vector<SuiteCase> cases =
      TestCasesOf({kPlain, kGrouped, "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:dilations=1"});
  std::vector<Status> statuses;
  for (const CaseResult& result : AskSupport(worker, cases, std::chrono::milliseconds(300), [] { return false; })) {
    statuses.push_back(result.verdict.status);
  }
  return statuses;
}

TEST(AskSupportTest, EveryAnswerHasItsStatus) {
  EXPECT_THAT(StatusesOf("oracle"), ElementsAre(Status::kPass, Status::kPass));
  EXPECT_THAT(StatusesOf("fault:limited"), ElementsAre(Status::kPass, Status::kUnsupported));
  EXPECT_THAT(StatusesOf("fault:declares_unsupported?bits=2"), ElementsAre(Status::kPass, Status::kUndeclared));
  EXPECT_THAT(StatusesOf("fault:supports_5"), ElementsAre(Status::kFail, Status::kFail));
  EXPECT_THAT(StatusesOf("fault:supports_crash"), ElementsAre(Status::kPass, Status::kFail));
  EXPECT_THAT(StatusesOf("fault:supports_hang"), ElementsAre(Status::kPass, Status::kFail));
}

}  // namespace
}  // namespace conformance
