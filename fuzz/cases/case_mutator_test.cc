// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the case mutator, which makes new inputs for a fuzzer by changing case lines (operators as text) at random. Its
// lines are cases that fuzz targets take, and every field of a line is reached. Valid cases stay valid and small. Equal
// seeds give equal lines.

#include "fuzz/cases/case_mutator.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/shared_state.h"
#include "gmock/gmock.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

constexpr std::string_view kPlain =
    "ConvolutionBackpropData:data=1,2,5,5:filter=2,3,3,3:strides=2,2:dilations=1,1:pads_begin=0,0:pads_end=0,0";
constexpr int kMutations = 4000;  // mutations of a test

bool IsValid(std::string_view line) {
  const auto test_case = CaseOfText(line);
  return test_case && oracle::Resolve(test_case->op, test_case->EffectiveDialect()).ok();
}

/// The names of a line's fields, such as "strides", and of its operator.
std::set<std::string> FieldsOf(std::string_view line) {
  std::set<std::string> fields;
  for (const std::string_view part : Split(line, ':')) fields.emplace(part.substr(0, part.find('=')));
  return fields;
}

TEST(CaseMutator, DoesTheSameWithTheSameSeed) {
  CaseMutator one(5);
  CaseMutator other(5);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(one.Mutate(kPlain), other.Mutate(kPlain));
  EXPECT_NE(CaseMutator(5).Draw(), CaseMutator(6).Draw());
}

// The bounds are loose: about 0.18 of the cases are corrupted (see the next test), and an invalid case may stay so.
TEST(CaseMutator, MakesCasesThatTargetsTake) {
  CaseMutator mutator(1);
  std::string line(kPlain);
  std::string other = mutator.Draw();
  int valid = 0;
  std::size_t longest = 0;
  for (int i = 0; i < kMutations; ++i) {
    std::string next = i % 8 == 0 ? mutator.CrossOver(line, other) : mutator.Mutate(line);
    EXPECT_TRUE(CaseOfText(next)) << next;
    valid += IsValid(next) ? 1 : 0;
    longest = std::max(longest, next.size());
    other = std::move(line);
    line = std::move(next);
  }
  EXPECT_GT(valid, kMutations / 2);
  EXPECT_LT(valid, kMutations * 19 / 20);
  EXPECT_LE(longest, kMostInputBytes / 3) << "targets with several cases take as many bytes for all";
}

TEST(CaseMutator, AValidCaseStaysValidAndSmall) {
  CaseMutator mutator(2);
  std::string last_valid(kPlain);
  int invalid = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string next = mutator.Mutate(last_valid);
    if (IsValid(next)) {
      EXPECT_FALSE(IsTooLarge(*CaseOfText(next))) << next;
      last_valid = next;
    } else {
      ++invalid;
    }
  }
  // 15 of 32 cases are drawn anew, and a quarter of these are made invalid on purpose. So are 2 of 32 others. Together
  // these are 15/32/4 + 2/32 = 0.18 of all cases, of which some stay valid.
  EXPECT_NEAR(invalid, kMutations * 0.16, kMutations * 0.05);
}

// The last texts are cut off, and a sweep, which stands for many cases.
TEST(CaseMutator, ReplacesWhatIsNoCase) {
  CaseMutator mutator(3);
  for (const char* text : {"nonsense", "", "\n", "ConvTranspose:data=1", "sweep=small"}) {
    EXPECT_TRUE(CaseOfText(mutator.Mutate(text))) << text;
  }
}

TEST(CaseMutator, ReachesEveryField) {
  CaseMutator mutator(4);
  std::set<std::string> fields;
  for (int i = 0; i < kMutations; ++i) fields.merge(FieldsOf(mutator.Mutate(kPlain)));
  for (const char* field : {"ConvolutionBackpropData",
                            "GroupConvolutionBackpropData",
                            "ConvolutionBackwardData",
                            "ConvTranspose",
                            "data",
                            "filter",
                            "type",
                            "filter_type",
                            "output_shape",
                            "output_shape_type",
                            "output_shape_dims",
                            "strides",
                            "dilations",
                            "pads_begin",
                            "pads_end",
                            "output_padding",
                            "dst_shape",
                            "kernel_shape",
                            "output_shape_attribute",
                            "auto_pad",
                            "data_format",
                            "weights_format",
                            "groups",
                            "dialect",
                            "values",
                            "seed"}) {
    EXPECT_TRUE(fields.contains(field)) << field;
  }
}

// The data dims are batch, channels, height and width. Each of the four texts has another one of them changed by 1.
TEST(CaseMutator, ChangesOfFieldsAloneReachEverySizeOfACase) {
  CaseMutator mutator(5);
  std::set<std::string> data_fields;
  for (int i = 0; i < kMutations; ++i) {
    const std::string line = mutator.Mutate(kPlain);
    if (line.ends_with("pads_end=0,0")) data_fields.insert(line.substr(0, line.find(":filter")));
  }
  for (const char* dims : {"=2,2,5,5", "=1,2,6,5", "=1,2,5,4", "=1,1,5,5"}) {
    EXPECT_THAT(data_fields, testing::Contains(testing::HasSubstr(dims)));
  }
}

// The five texts are fields in which the two parents differ: type, strides (of each parent) and batch (of each parent).
TEST(CaseMutator, CrossOverTakesFieldsOfBoth) {
  CaseMutator mutator(6);
  constexpr std::string_view kOther =
      "ConvolutionBackpropData:data=4,1,9:filter=1,1,7:type=f16:strides=5:dilations=3:pads_begin=0:pads_end=0:seed=9";
  std::set<std::string> fields;
  for (int i = 0; i < 200; ++i) {
    const std::string line = mutator.CrossOver(kPlain, kOther);
    for (const char* field : {"type=f16", "strides=5", "strides=2,", "data=4,", "data=1,"}) {
      if (line.find(field) != std::string::npos) fields.insert(field);
    }
  }
  EXPECT_EQ(fields.size(), 5U);
}

// An input of this form is a line of numbers and two case lines. Each of the three lines must change at some time.
TEST(CaseMutator, ChangesWordsOrCases) {
  CaseMutator mutator(7);
  const InputForm form = {.draw_word = [](conformance::Random& random) { return std::to_string(random.Below(10)); },
                          .cases = 2};
  std::string input;
  std::set<std::size_t> changed_lines;
  for (int i = 0; i < 300; ++i) {
    const std::string next = mutator.MutateLines(input, form);
    const auto lines = Split(next, '\n');
    ASSERT_EQ(lines.size(), 3U) << next;
    EXPECT_EQ(lines[0].find_first_not_of("0123456789 "), std::string_view::npos) << next;
    EXPECT_TRUE(CaseOfText(lines[1]) && CaseOfText(lines[2])) << next;
    const auto old = Split(input, '\n');
    for (std::size_t j = 0; j < old.size(); ++j) {
      if (old[j] != lines[j]) changed_lines.insert(j);
    }
    input = next;
  }
  EXPECT_EQ(changed_lines, (std::set<std::size_t>{0, 1, 2}));
}

}  // namespace
}  // namespace fuzz
