// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests failures of mutants, backends that are wrong on purpose. If another declaration of arithmetic would excuse the
// failure, its message names this declaration. Other failures name none. Also tests that these declarations excuse what
// they should: clamped infinities, types that saturate, and types that are computed in f32.

#include "conformance/verdict/excusing_word.h"

#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

using oracle::ElementType;
using testing::HasSubstr;
using testing::Not;

/// The result of the case line, judged on the backend "fault:MUTANT".
CaseResult JudgeMutant(const std::string& mutant, const std::string& line) {
  Judge judge("fault:" + mutant, {});
  EXPECT_FALSE(judge.Start()) << mutant;
  SuiteCase suite_case;
  suite_case.test_case = std::get<Case>(ParseCaseLine(line));
  return judge.JudgeCase(suite_case);
}

TEST(ExcusingWord, IsNamedByTheFailure) {
  const struct {
    std::string mutant;
    std::string line;
    std::string note;
  } cases[] = {
      {"subnormal_products_flushed",
       "ConvolutionBackpropData:data=1,2,20:filter=2,5,3:strides=2:pads_begin=0:pads_end=0:values=subnormals",
       "; fits flushed subnormals: subnormals = flushed for f32"},
      {"f16_sums_in_f16",
       "ConvolutionBackpropData:type=f16:data=1,64,5:filter=64,2,3:strides=1:pads_begin=0:pads_end=0:values=reals",
       "; fits sums in f16: accumulator = storage for f16"},
      {"structural_zeros_multiply",
       "ConvolutionBackpropData:data=1,1,9:filter=1,1,3:strides=3:pads_begin=0:pads_end=0:values=specials",
       "; fits zeros that multiply: known_deviations = structural-nan"},
      {"i8_saturates",
       "ConvolutionBackpropData:type=i8:data=1,3,9:filter=3,2,3:strides=2:pads_begin=0:pads_end=0:values=wide",
       "; fits sums that saturate: saturating_types = i8"},
      {"f32_infinity_clamped",
       "ConvolutionBackpropData:data=1,2,9:filter=2,3,3:strides=1:pads_begin=0:pads_end=0:values=zeros",
       "; fits clamped infinities: known_deviations = clamped-infinity"},
      {"integers_in_f32",
       "ConvolutionBackpropData:type=i32:data=1,5,1:filter=5,1,1:strides=1:pads_begin=0:pads_end=0:values=taps",
       "; fits sums in f32: types_in_f32 = i32"},
      {"f64_operands_in_f32+f64_sums_in_f32",
       "ConvolutionBackpropData:type=f64:data=1,3,9:filter=3,2,3:strides=2:pads_begin=0:pads_end=0:values=reals",
       "; fits sums in f32: types_in_f32 = f64"},
      {"bf16_truncated",
       "ConvolutionBackpropData:type=bf16:data=1,1,9:filter=1,2,1:strides=1:pads_begin=0:pads_end=0:values=reals",
       "; fits results that round to either neighbour: rounding = faithful for bf16"},
  };
  for (const auto& test : cases) {
    const CaseResult result = JudgeMutant(test.mutant, test.line);
    EXPECT_EQ(result.verdict.status, Status::kFail) << test.mutant;
    EXPECT_THAT(result.verdict.message, HasSubstr(test.note)) << test.mutant;
  }
}

TEST(ExcusingWord, IsNotNamedWhereNoneHelps) {
  const struct {
    std::string mutant;
    std::string line;
  } cases[] = {
      {"filter_flipped", "ConvolutionBackpropData:data=1,2,9:filter=2,2,3:strides=2:pads_begin=0:pads_end=0"},
      {"f32_operands_in_bf16",
       "ConvolutionBackpropData:data=1,2,9:filter=2,2,3:strides=2:pads_begin=0:pads_end=0:values=reals"},
      {"nan", "ConvolutionBackpropData:data=1,2,9:filter=2,2,3:strides=2:pads_begin=0:pads_end=0:values=reals"},
  };
  for (const auto& test : cases) {
    const CaseResult result = JudgeMutant(test.mutant, test.line);
    EXPECT_EQ(result.verdict.status, Status::kFail) << test.mutant;
    EXPECT_THAT(result.verdict.message, Not(HasSubstr("; fits "))) << test.mutant;
  }
}

TEST(ClampedInfinity, IsExcusedAndCountedIfDeclared) {
  const std::string line =
      "ConvolutionBackpropData:data=1,2,9:filter=2,3,3:strides=1:pads_begin=0:pads_end=0:values=zeros";
  const CaseResult declared = JudgeMutant("f32_infinity_clamped+declares_clamped_infinity", line);
  EXPECT_EQ(declared.verdict.status, Status::kPass) << declared.verdict.message;
  EXPECT_GT(declared.outputs.excused, 0);
  EXPECT_EQ(declared.outputs.excused, JudgeMutant("f32_infinity_clamped", line).outputs.wrong);
  EXPECT_EQ(JudgeMutant("declares_clamped_infinity", line).outputs.excused, 0);
}

/// The words that excuse `output` for one sum of products.
template <class T>
std::string WordOf(const char* type, const std::vector<T>& data, const std::vector<T>& filter, T output) {
  const auto line = fmt::format(
      "ConvolutionBackpropData:type={}:data=1,{},1:filter={},1,1:strides=1:dilations=1:pads_begin=0:pads_end=0", type,
      data.size(), data.size());
  const auto test_case = std::get<Case>(ParseCaseLine(line));
  const auto resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
  Expected expected(
      oracle::Operands(*resolution.geometry, std::as_bytes(std::span(data)), std::as_bytes(std::span(filter))));
  const auto word = FindExcusingWord(expected, std::as_bytes(std::span(&output, 1)), Capabilities{});
  return word ? word->word : "none";
}

// A library may convert f64 to f32, or the filter to another type, and clamp infinities then.
TEST(ClampedInfinity, OfAnOperandIsExcusedToo) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<float>::max();
  const std::string clamped = "known_deviations = clamped-infinity";
  const std::string in_f32 = "types_in_f32 = f64, " + clamped;
  EXPECT_EQ(WordOf<double>("f64", {0, 3}, {kInfinity, 5}, 15), clamped) << "0 * infinity is 0";
  EXPECT_EQ(WordOf<double>("f64", {kInfinity, 3}, {0.25, 0}, kLargest / 4), in_f32);
  EXPECT_EQ(WordOf<double>("f64", {1e200}, {0.5}, kLargest / 2), in_f32) << "beyond the range of f32";
  EXPECT_EQ(WordOf<double>("f64", {kInfinity, kInfinity}, {1, -1}, kLargest), in_f32) << "the sum overflows";
  EXPECT_EQ(WordOf<double>("f64", {0, 3}, {kInfinity, 5}, 16), "none");
  EXPECT_EQ(WordOf<double>("f64", {kInfinity, kInfinity}, {1, -1}, 7), "none");
  EXPECT_EQ(WordOf<float>("f32", {0, 3}, {std::numeric_limits<float>::infinity(), 5}, 15), clamped);
  EXPECT_EQ(WordOf<float>("f32", {2, 3}, {std::numeric_limits<float>::infinity(), 5}, 15), "none");
  EXPECT_EQ(WordOf<float>("f32", {std::numeric_limits<float>::infinity(), 3}, {2, 2},
                          -std::numeric_limits<float>::infinity()),
            "none")
      << "the sum overflows, but its sign is known";
}

TEST(SaturatingTypes, AreJudgedBySaturatedSumsAndOthersByWrappedOnes) {
  const std::string i8 =
      "ConvolutionBackpropData:type=i8:data=1,3,9:filter=3,2,3:strides=2:pads_begin=0:pads_end=0:values=wide";
  const std::string u8 =
      "ConvolutionBackpropData:type=u8:data=1,3,9:filter=3,2,3:strides=2:pads_begin=0:pads_end=0:values=wide";
  EXPECT_EQ(JudgeMutant("i8_saturates+declares_saturating_i8", i8).verdict.status, Status::kPass);
  EXPECT_EQ(JudgeMutant("i8_saturates+declares_saturating_i8", u8).verdict.status, Status::kPass);
  EXPECT_EQ(JudgeMutant("declares_saturating_i8", i8).verdict.status, Status::kFail);
  EXPECT_EQ(JudgeMutant("u8_saturates+declares_saturating_i8", u8).verdict.status, Status::kFail);
}

TEST(TypesInF32, AreJudgedByTheBoundOfF32) {
  for (const char* type : {"i16", "i32", "i64", "u16", "u32", "u64"}) {
    for (const char* values : {"integers", "wide", "extremes", "taps"}) {
      const std::string line = fmt::format(
          "ConvolutionBackpropData:type={}:data=1,7,9:filter=7,2,3:strides=2:pads_begin=0:pads_end=0:values={}", type,
          values);
      const CaseResult declared = JudgeMutant("integers_in_f32+declares_in_f32", line);
      EXPECT_TRUE(IsRight(declared.verdict.status)) << line << ' ' << declared.verdict.message;
      // A backend that computes exactly but declares f32 passes too.
      EXPECT_TRUE(IsRight(JudgeMutant("declares_in_f32", line).verdict.status)) << line;
    }
  }
  for (const char* values : {"reals", "wide", "subnormals", "specials", "zeros", "swamping"}) {
    const std::string line = fmt::format(
        "ConvolutionBackpropData:type=f64:data=1,3,9:filter=3,2,3:strides=2:pads_begin=0:pads_end=0:values={}", values);
    const CaseResult declared = JudgeMutant("f64_operands_in_f32+f64_sums_in_f32+declares_in_f32", line);
    EXPECT_TRUE(IsRight(declared.verdict.status)) << line << ' ' << declared.verdict.message;
    EXPECT_TRUE(IsRight(JudgeMutant("declares_in_f32", line).verdict.status)) << line;
  }
}

TEST(TypesInF32, ExcuseNothingThatIsWorseThanF32) {
  const std::string few = "data=1,3,9:filter=3,2,3:strides=2:";
  const std::string five = "data=1,5,1:filter=5,1,1:strides=1:";   // sums of 25 bits and more
  const std::string seven = "data=1,7,1:filter=7,1,1:strides=1:";  // sums of 33 bits and more
  const struct {
    std::string mutant;
    std::string operation;
  } cases[] = {
      {"wide_types_in_bf16", five + "type=i32:values=taps"}, {"wide_types_in_bf16", few + "type=f64:values=reals"},
      {"i32_sums_in_i16", five + "type=i32:values=taps"},    {"i64_sums_in_i32", seven + "type=i64:values=taps"},
      {"filter_flipped", few + "type=i32:values=integers"},  {"i8_saturates", few + "type=i8:values=wide"}};
  for (const auto& [mutant, operation] : cases) {
    const CaseResult result =
        JudgeMutant(mutant + "+declares_in_f32", "ConvolutionBackpropData:pads_begin=0:pads_end=0:" + operation);
    EXPECT_EQ(result.verdict.status, Status::kFail) << mutant << ' ' << operation;
  }
}

TEST(LooserDeclarations, BeginWithTheFewestChanges) {
  const std::vector<LooserDeclaration> looser = LooserDeclarations(Capabilities{}, ElementType::kF16);
  ASSERT_FALSE(looser.empty());
  for (std::size_t i = 1; i < looser.size(); ++i) {
    EXPECT_LE(looser[i - 1].changes.size(), looser[i].changes.size());
  }
  EXPECT_EQ(looser.front().changes.size(), 1U);
}

TEST(WithArithmetic, KeepsNoRowThatEqualsTheDefault) {
  const FloatArithmetic narrow = {.accumulator = DECONV_ACCUMULATOR_STORAGE};
  const Capabilities changed = WithArithmetic(Capabilities{}, ElementType::kF16, narrow);
  EXPECT_EQ(changed.ArithmeticFor(ElementType::kF16), narrow);
  EXPECT_EQ(changed.ArithmeticFor(ElementType::kBf16), FloatArithmetic{});
  EXPECT_TRUE(WithArithmetic(changed, ElementType::kF16, FloatArithmetic{}).arithmetic.empty());
}

}  // namespace
}  // namespace conformance
