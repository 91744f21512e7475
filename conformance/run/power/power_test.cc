// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the measurement of the suite with planted faults (backends that are wrong on purpose). Undetected faults are
// reported, each detected fault has the case that found it, and a wrong backend among the correct ones is noticed.

#include "conformance/run/power/power.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "conformance/testing/test_cases.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A filter of one element is equal to its flipped one, so the fault `filter_flipped` passes the symmetric case only.
// The large case has 1.2 million products, more than an ordinary case may have (PowerOptions::most_products).
constexpr const char* kSymmetric = "ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=1:dilations=1";
constexpr const char* kAsymmetric = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1";
constexpr const char* kLarge = "ConvolutionBackpropData:data=1,1,2000:filter=1,1,600:strides=1:dilations=1";

PowerRecord Measure(const std::vector<std::string>& lines, PowerOptions options) {
  options.limits.base_seconds = options.patient_seconds = 1;
  auto measured = MeasurePower(TestCasesOf(lines), options, [](const PowerProgress&) {});
  if (const auto* error = std::get_if<BackendError>(&measured)) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return std::get<PowerRecord>(measured);
}

TEST(Power, TellsSurvivorsFromTheKilled) {
  const PowerRecord record = Measure({kSymmetric, kAsymmetric, kAsymmetric},
                                     {.faulty = {"fault:filter_flipped", "fault:output_padding_ignored"}});
  EXPECT_EQ(record.Killed(), 1U);
  EXPECT_EQ(record.Score(), 50);
  const TriedBackend& flipped = record.faulty[0];
  EXPECT_EQ(flipped.judged, 3U);
  EXPECT_EQ(flipped.failed, 2U);
  EXPECT_EQ(flipped.first_position, 2U);
  EXPECT_EQ(flipped.first_line, kAsymmetric);
  EXPECT_EQ(flipped.first_failure, FailureClass::kWrongValue);
  EXPECT_EQ(record.faulty[1].failed, 0U);
  EXPECT_THAT(record.kills, ElementsAre(0, 1, 1));
  // Two of three cases kill the fault, so the first kill takes (3 + 1) / (2 + 1) random draws.
  EXPECT_DOUBLE_EQ(record.MedianRandomDraws(), 4.0 / 3.0);
}

TEST(Power, NoticesAWrongBackendAmongTheCorrectOnes) {
  const PowerRecord record = Measure(
      {kSymmetric, kAsymmetric}, {.correct = {"kernel", "oracle", "fault:none", "fault:filter_flipped"}, .seeds = 3});
  EXPECT_EQ(record.correct[0].judged, 6U);
  EXPECT_EQ(record.correct[0].failed + record.correct[1].failed + record.correct[2].failed, 0U);
  EXPECT_EQ(record.correct[3].failed, 3U);
  EXPECT_EQ(record.FailuresOfCorrect(), 3U);
}

TEST(Power, LeavesLargeCasesToFastBackends) {
  const PowerRecord record =
      Measure({kLarge, kAsymmetric},
              {.faulty = {"fault:filter_flipped"}, .correct = {"kernel", "fault:none"}, .fast = {"kernel"}});
  EXPECT_THAT(record.tried, ElementsAre(false, true));
  EXPECT_EQ(record.correct[0].judged, 2U);
  EXPECT_EQ(record.correct[1].judged, 1U);
}

TEST(Power, GivesLargeCasesToFaultsThatNothingElseKills) {
  const PowerRecord record =
      Measure({kLarge, kSymmetric},
              {.faulty = {"fault:filter_flipped", "fault:output_padding_ignored"}, .correct = {"fault:none"}});
  EXPECT_EQ(record.faulty[0].failed, 1U);
  EXPECT_EQ(record.faulty[0].first_position, 1U);
  EXPECT_EQ(record.faulty[1].judged, 2U);
  EXPECT_EQ(record.correct[0].judged, 1U);
  const PowerRecord without = Measure({kLarge}, {.faulty = {"fault:filter_flipped"}, .most_products_of_survivors = 0});
  EXPECT_EQ(without.faulty[0].judged, 0U);
}

TEST(Power, GivesOneSeedToBackendsWithTheValuesOfAnother) {
  const PowerRecord record = Measure(
      {kAsymmetric},
      {.correct = {"fault:none", "fault:none_restricted"}, .first_seed_only = {"fault:none_restricted"}, .seeds = 3});
  EXPECT_EQ(record.correct[0].judged, 3U);
  EXPECT_EQ(record.correct[1].judged, 1U);
}

// A backend that damages its surroundings must not damage its neighbours' verdicts.
TEST(Power, KeepsBackendsApart) {
  const PowerRecord record = Measure({kAsymmetric, kSymmetric, kAsymmetric},
                                     {.faulty = {"fault:modifies_data", "fault:writes_past_end",
                                                 "fault:crashes_sometimes?every=1", "fault:gaps_unwritten"},
                                      .correct = {"kernel", "fault:none"}});
  EXPECT_EQ(record.faulty[0].first_failure, FailureClass::kModifiedInput);
  EXPECT_EQ(record.faulty[2].first_failure, FailureClass::kCrash);
  EXPECT_EQ(record.faulty[2].failed, 3U);
  EXPECT_EQ(record.FailuresOfCorrect(), 0U);
}

TEST(Power, RetiresAFaultThatHangs) {
  const PowerRecord record = Measure({kAsymmetric, kAsymmetric, kAsymmetric, kAsymmetric},
                                     {.faulty = {"fault:hangs_sometimes?every=1"}, .jobs = 1});
  EXPECT_TRUE(record.faulty[0].retired);
  EXPECT_LT(record.faulty[0].judged, 4U);
  EXPECT_EQ(record.Score(), 100);
}

// Any backend may hang once on a busy machine, so a hang that a longer time limit avoids kills no fault.
TEST(Power, AHangThatALongerLimitAvoidsIsNoKill) {
  const std::string mark = testing::TempDir() + "power_test_stalled" + std::to_string(getpid());
  std::filesystem::remove(mark);
  const PowerRecord record = Measure({"ConvolutionBackpropData:data=1,1,4:filter=1,1,3:strides=2:dilations=1"},
                                     {.faulty = {"fault:four_stalls_once?mark=" + mark}});
  EXPECT_TRUE(std::filesystem::remove(mark));
  EXPECT_EQ(record.faulty[0].judged, 1U);
  EXPECT_EQ(record.faulty[0].failed, 0U);
}

// An error of the suite does not show that a fault was found. But it counts if it happens on a correct backend.
TEST(Power, ErrorsOfTheSuiteAreNoKills) {
  std::vector<SuiteCase> case_list = TestCasesOf({kAsymmetric});
  case_list.front().test_case.filter_values = FileValues{"/nonexistent", 0, std::nullopt};
  const auto measured =
      MeasurePower(case_list, {.faulty = {"fault:filter_flipped"}, .correct = {"kernel"}}, [](const PowerProgress&) {});
  ASSERT_TRUE(std::holds_alternative<PowerRecord>(measured));
  EXPECT_EQ(std::get<PowerRecord>(measured).Killed(), 0U);
  EXPECT_EQ(std::get<PowerRecord>(measured).FailuresOfCorrect(), 1U);
}

TEST(Power, NamesTheBackendThatCannotBeOpened) {
  const auto measured =
      MeasurePower(TestCasesOf({kAsymmetric}), {.faulty = {"fault:no_such"}}, [](const PowerProgress&) {});
  ASSERT_TRUE(std::holds_alternative<BackendError>(measured));
  EXPECT_THAT(std::get<BackendError>(measured).message, HasSubstr("no_such"));
}

}  // namespace
}  // namespace conformance
