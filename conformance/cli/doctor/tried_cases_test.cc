// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which undeclared limits of a backend (such as "no groups") explain its failures, and the text of the
// declarations that `deconv-cts doctor` proposes, in the styles of C, Python and the process protocol. Also tests the
// advice on a backend that dies.

#include "conformance/cli/doctor/tried_cases.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/doctor_cases.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(TriedCases, WriteTheWordsOfEachInterface) {
  Capabilities declared;
  declared.dialects = {oracle::Dialect::kOnnx11};
  declared.unsupported = DECONV_UNSUPPORTED_DILATIONS;
  const auto kind = oracle::OperatorKind::kConvTranspose;
  TriedCases tried(declared);
  const SuiteCase plain = PlainCase(kind, 4, oracle::ElementType::kF32);
  const SuiteCase other = PlainCase(kind, 3, oracle::ElementType::kF16);
  const std::vector<SuiteCase> varied = VariedCases(kind, 4, oracle::ElementType::kF32);
  const SuiteCase& grouped = varied.at(1);  // the case with groups
  const std::vector<const SuiteCase*> failures = {&grouped};
  EXPECT_EQ(tried.LimitsThatExplain(failures, DeclarationStyle::kPython).words, "") << "nothing was right";
  tried.AddRight(plain);
  // The text repeats the words that were declared before, so that it can replace them.
  EXPECT_EQ(tried.LimitsThatExplain(failures, DeclarationStyle::kPython).words,
            R"(unsupported=["dilations", "groups"])");
  EXPECT_EQ(tried.LimitsThatExplain(failures, DeclarationStyle::kHeader).words,
            "unsupported DECONV_UNSUPPORTED_DILATIONS | DECONV_UNSUPPORTED_GROUPS");
  EXPECT_EQ(tried.LimitsThatExplain(std::vector{&plain}, DeclarationStyle::kPython).words, "");
  const SuiteCase rank = PlainCase(kind, 3, oracle::ElementType::kF32);
  const SuiteCase type = PlainCase(kind, 4, oracle::ElementType::kF16);
  EXPECT_EQ(tried.LimitsThatExplain(std::vector{&rank, &type, &other}, DeclarationStyle::kPython).words,
            "min_rank=4, types without f16");
  EXPECT_EQ(StyleOf("cmd:python3 -m deconv_backend mine.py"), DeclarationStyle::kPython);
  EXPECT_EQ(StyleOf("cmd:exec node mine.mjs"), DeclarationStyle::kProtocol);
  EXPECT_EQ(StyleOf("./libmine.so"), DeclarationStyle::kHeader);
}

// Only a rank at an end of the declared range can be excluded.
TEST(TriedCases, HaveNoWordsForARankBetweenOthers) {
  Capabilities declared;
  declared.dialects = {oracle::Dialect::kOnnx11};
  declared.min_rank = 3;
  declared.max_rank = 5;
  const auto case_of = [](std::size_t rank) {
    return PlainCase(oracle::OperatorKind::kConvTranspose, rank, oracle::ElementType::kF32);
  };
  const SuiteCase low = case_of(3);
  const SuiteCase middle = case_of(4);
  const SuiteCase high = case_of(5);
  TriedCases tried(declared);
  tried.AddRight(low);
  tried.AddRight(high);
  const auto between = tried.LimitsThatExplain(std::vector{&middle}, DeclarationStyle::kPython);
  EXPECT_EQ(between.words, "");
  EXPECT_FALSE(between.explains_first);
  TriedCases other(declared);
  other.AddRight(low);
  const auto upper = other.LimitsThatExplain(std::vector{&middle, &high}, DeclarationStyle::kPython);
  EXPECT_EQ(upper.words, "max_rank=3");
  EXPECT_TRUE(upper.explains_first);
}

// The backend computes dilations in f32, and f16 without dilations, but not dilations in f16.
TEST(TriedCases, NameThePairThatOnlyFailuresHave) {
  Capabilities declared;
  declared.dialects = {oracle::Dialect::kOnnx11};
  const auto kind = oracle::OperatorKind::kConvTranspose;
  const SuiteCase plain = PlainCase(kind, 4, oracle::ElementType::kF16);
  const SuiteCase dilated = DilatedCase(kind, 4, oracle::ElementType::kF32);
  const SuiteCase both = DilatedCase(kind, 4, oracle::ElementType::kF16);
  const SuiteCase again = DilatedCase(kind, 4, oracle::ElementType::kF16);
  TriedCases tried(declared);
  tried.AddRight(plain);
  const auto pairs_of = [&tried](const std::vector<const SuiteCase*>& failures) {
    return tried.PairsThatExplain(failures, DeclarationStyle::kPython);
  };
  EXPECT_THAT(pairs_of({&both}).texts, IsEmpty()) << "dilations alone may explain it";
  tried.AddRight(dilated);
  EXPECT_THAT(pairs_of({&both, &again}).texts, ElementsAre("dilations in f16"));
  EXPECT_EQ(pairs_of({&both}).words, R"(unsupported=["dilations"])");
  EXPECT_EQ(pairs_of({&both}).right, 1U) << "the words exclude dilations in f32, too";
  tried.AddRight(both);
  EXPECT_THAT(pairs_of({&again}).texts, IsEmpty());
  EXPECT_EQ(pairs_of({&again}).words, "");
}

// The backend computes f16 in one and three axes, but not in two. A declaration cannot exclude the rank in the middle.
TEST(TriedCases, HaveNoWordsForAPairWithARankInTheMiddle) {
  Capabilities declared;
  declared.dialects = {oracle::Dialect::kOnnx11};
  const auto kind = oracle::OperatorKind::kConvTranspose;
  TriedCases tried(declared);
  for (const int rank : {3, 5}) tried.AddRight(PlainCase(kind, rank, oracle::ElementType::kF16));
  tried.AddRight(PlainCase(kind, 4, oracle::ElementType::kF32));
  const SuiteCase fails = PlainCase(kind, 4, oracle::ElementType::kF16);
  const auto pairs = tried.PairsThatExplain(std::vector{&fails}, DeclarationStyle::kPython);
  EXPECT_THAT(pairs.texts, SizeIs(1));
  EXPECT_EQ(pairs.words, "");
  EXPECT_EQ(pairs.right, 0U);
}

// The process ends on strides of 2^32 in f32, and computes them in f64.
TEST(AdviceOn, ADeathNamesTheDeclarationThatLeavesItOut) {
  Capabilities declared;
  declared.dialects = {oracle::Dialect::kOnnx11};
  const auto kind = oracle::OperatorKind::kConvTranspose;
  const SuiteCase right = LimitCases(kind, 4, oracle::ElementType::kF64).back();
  const SuiteCase dies = LimitCases(kind, 4, oracle::ElementType::kF32).back();
  TriedCases tried(declared);
  tried.AddRight(PlainCase(kind, 4, oracle::ElementType::kF32));
  tried.AddRight(right);
  CaseResult death;
  death.verdict.status = Status::kFail;
  death.verdict.failure = FailureClass::kCrash;
  JudgedCases judged;
  judged.Add(dies, death);
  EXPECT_THAT(AdviceOn(judged, tried, "cmd:python3 -m deconv_backend mine.py", true),
              ElementsAre("if the library cannot do these, answer no from supports: large numbers in f32",
                          "or declare max_attribute=2147483647, which leaves out 1 right case, too",
                          testing::StartsWith("otherwise read the last lines")));
}

TEST(ArithmeticLines, AreInTheSyntaxOfEachStyle) {
  const Capabilities declared;
  Capabilities wanted;
  EXPECT_THAT(ArithmeticLines(declared, wanted, DeclarationStyle::kHeader), IsEmpty());
  wanted.subnormals = DECONV_SUBNORMALS_FLUSHED;
  wanted.faithful_rounding = true;
  wanted.overflow = DECONV_OVERFLOW_SATURATES;
  wanted.arithmetic = {
      {oracle::ElementType::kF16, {.accumulator = DECONV_ACCUMULATOR_STORAGE, .rounding = DECONV_ROUNDING_FUSED_SUMS}}};
  wanted.saturating_types = 1U << DECONV_ID_I8 | 1U << DECONV_ID_U8;
  wanted.types_in_f32 = 1U << DECONV_ID_F64;
  wanted.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN | DECONV_DEVIATION_CLAMPED_INFINITY;
  EXPECT_THAT(
      ArithmeticLines(declared, wanted, DeclarationStyle::kPython),
      ElementsAre(R"(rounding="faithful",)", R"(subnormals="flushed",)", R"(overflow="saturates",)",
                  R"(arithmetic=[{"element_type": "f16", "accumulator": "storage", "rounding": "fused-sums"}],)",
                  R"(saturating_types=["i8", "u8"],)", R"(types_in_f32=["f64"],)",
                  R"(known_deviations=["structural-nan", "clamped-infinity"],)"));
  EXPECT_THAT(
      ArithmeticLines(declared, wanted, DeclarationStyle::kProtocol),
      ElementsAre(R"("rounding":"faithful",)", R"("subnormals":"flushed",)", R"("overflow":"saturates",)",
                  R"("arithmetic":[{"element_type": "f16", "accumulator": "storage", "rounding": "fused-sums"}],)",
                  R"("saturating_types":["i8","u8"],)", R"("types_in_f32":["f64"],)",
                  R"("known_deviations":["structural-nan","clamped-infinity"],)"));
  EXPECT_THAT(
      ArithmeticLines(declared, wanted, DeclarationStyle::kHeader),
      ElementsAre("description.faithful_rounding = 1;", "description.subnormals = DECONV_SUBNORMALS_FLUSHED;",
                  "description.overflow = DECONV_OVERFLOW_SATURATES;",
                  "static const deconv_type_arithmetic rows[] = {{sizeof(deconv_type_arithmetic), DECONV_ID_F16, "
                  "DECONV_ACCUMULATOR_STORAGE, DECONV_ROUNDING_FUSED_SUMS, DECONV_SUBNORMALS_KEPT}};",
                  "description.arithmetic = rows;", "description.arithmetic_count = 1;",
                  "description.saturating_types = 1u << DECONV_ID_I8 | 1u << DECONV_ID_U8;",
                  "description.types_in_f32 = 1u << DECONV_ID_F64;",
                  "description.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN | "
                  "DECONV_DEVIATION_CLAMPED_INFINITY;"));
}

}  // namespace
}  // namespace conformance
