// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the text that says which outputs of failing cases are wrong.

#include "conformance/diagnosis/conditions/wrong_outputs.h"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/case.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

WrongOutputs WrongWhere(const std::string& line, const std::function<bool(std::int64_t, std::int64_t)>& wrong) {
  const Case test_case = std::get<Case>(ParseCaseLine(line));
  WrongOutputs outputs{.geometry = *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry, .wrong = {}};
  const std::int64_t width = outputs.geometry.axes.back().output;
  const std::int64_t sample = outputs.geometry.OutputCount() / outputs.geometry.batch;
  for (std::int64_t flat = 0; flat < outputs.geometry.OutputCount(); ++flat) {
    outputs.wrong.push_back(wrong(flat / sample, flat % width - width));
  }
  return outputs;
}

const std::vector<std::string>& PlaceLines() {
  static const std::vector<std::string> kLines = {
      "ConvolutionBackpropData:data=4,1,5:filter=1,2,3:strides=1:dilations=1",
      "ConvolutionBackpropData:data=6,1,3,4:filter=1,2,3,2:strides=1,2:dilations=1,1",
      "ConvolutionBackpropData:data=3,2,4:filter=2,1,2:strides=3:dilations=1",
      "ConvolutionBackpropData:data=5,1,6:filter=1,1,4:strides=2:dilations=1",
      "ConvolutionBackpropData:data=4,2,2,3:filter=2,1,1,3:strides=1,1:dilations=1,2",
      "ConvolutionBackpropData:data=3,1,7:filter=1,3,1:strides=1:dilations=1"};
  return kLines;
}

TEST(Places, NameTheSamples) {
  std::vector<WrongOutputs> cases;
  for (const std::string& line : PlaceLines()) {
    cases.push_back(WrongWhere(line, [](std::int64_t sample, std::int64_t) { return sample >= 2; }));
  }
  EXPECT_EQ(WrongOutputsText(cases), "wrong outputs: those where sample >= 2 (numbers start at 0)");
}

TEST(Places, NameTheLastColumn) {
  std::vector<WrongOutputs> cases;
  for (const std::string& line : PlaceLines()) {
    cases.push_back(WrongWhere(line, [](std::int64_t, std::int64_t from_end) { return from_end == -1; }));
  }
  EXPECT_THAT(WrongOutputsText(cases), HasSubstr("position on the last axis counted from the end"));
}

TEST(Places, SayNothingOfChance) {
  std::vector<WrongOutputs> cases;
  std::uint64_t state = 1;
  for (const std::string& line : PlaceLines()) {
    cases.push_back(WrongWhere(line, [&](std::int64_t, std::int64_t) {
      state = state * 6364136223846793005 + 1442695040888963407;
      return (state >> 60) % 2 == 0;
    }));
  }
  EXPECT_THAT(WrongOutputsText(cases), IsEmpty());
}

// The wrong outputs of three failures have coordinates in common by chance.
TEST(Places, SayNothingOfFewCases) {
  std::vector<WrongOutputs> cases;
  for (const std::string& line : PlaceLines()) {
    if (cases.size() == 3) break;
    cases.push_back(WrongWhere(line, [](std::int64_t sample, std::int64_t) { return sample >= 2; }));
  }
  EXPECT_THAT(WrongOutputsText(cases), IsEmpty());
}

// With a batch of 2, nobody knows whether sample 2 would be wrong.
TEST(Places, TellAtLeastTheLargestNumber) {
  std::vector<WrongOutputs> cases;
  for (int data = 3; data < 9; ++data) {
    const std::string line =
        "ConvolutionBackpropData:data=2,1," + std::to_string(data) + ":filter=1,2,3:strides=1:dilations=1";
    cases.push_back(WrongWhere(line, [](std::int64_t sample, std::int64_t) { return sample == 1; }));
  }
  EXPECT_EQ(WrongOutputsText(cases), "wrong outputs: those where sample >= 1 (numbers start at 0)");
}

// One column of seven is wrong. If every seventh output were sampled, all samples would lie in one column.
TEST(Places, SampleEveryColumn) {
  const std::string line = "ConvolutionBackpropData:data=1,1,7:filter=1,64,1:strides=1:dilations=1";
  const auto wrong = WrongWhere(line, [](std::int64_t, std::int64_t from_end) { return from_end == -7; });
  ASSERT_EQ(wrong.geometry.OutputCount(), 448);
  EXPECT_EQ(WrongOutputsText(std::vector(6, wrong)),
            "wrong outputs: those where position on the last axis == 0 (numbers start at 0)");
}

TEST(Places, TellAllOutputsFromNearlyAll) {
  const std::string line = "ConvolutionBackpropData:data=1,1,60:filter=1,1,1:strides=1:dilations=1";
  auto outputs = WrongWhere(line, [](std::int64_t, std::int64_t) { return true; });
  EXPECT_EQ(WrongOutputsText(std::vector{outputs}), "all outputs are wrong");
  outputs.wrong[30] = false;
  EXPECT_EQ(WrongOutputsText(std::vector{outputs}), "nearly all outputs are wrong");
}

}  // namespace
}  // namespace conformance
