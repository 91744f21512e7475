// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the verdicts imprecise, vacuous, structural NaN, differing bits, and outputs that were not cleared. Each test
// has a mutant (a backend that is wrong on purpose) that must get the verdict, and a right backend that must not. Also
// tests backends that compute by transforms (FFT), and the needed tolerance of a case. `ci/test gate` checks that no
// case of the gate is vacuous or imprecise on the kernel.

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/run/runner.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/judge.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Judges the case on the backend fault:MUTANT. "none" is the right one.
CaseResult JudgeMutant(const std::string& mutant, const SuiteCase& suite_case) {
  Judge judge("fault:" + mutant, {});
  if (const auto error = judge.Start()) {
    ADD_FAILURE() << error->message;
    return {};
  }
  return judge.JudgeCase(suite_case);
}

CaseResult JudgeMutant(const std::string& mutant, const std::string& line) {
  return JudgeMutant(mutant, TestCaseOf(line));
}

constexpr const char* kLongSums =
    "ConvolutionBackpropData:data=1,64,3:filter=64,2,2:values=reals:strides=1:pads_begin=0:pads_end=0:dilations=1";
constexpr const char* kReals =
    "ConvolutionBackpropData:data=1,2,3:filter=2,2,3:values=reals:strides=2:pads_begin=0:pads_end=0:dilations=1";
constexpr const char* kGaps =
    "ConvolutionBackpropData:data=1,2,5:filter=2,2,3:values=specials:seed=SEED:strides=4:pads_begin=0:pads_end=0:"
    "dilations=2";

/// A case with 4096 positive products for each output. The filter's elements lie from 1 to 2 and use all bits.
SuiteCase PositiveSums() {
  const std::string path = testing::TempDir() + "verdict_test_filter.bin";
  std::ofstream file(path, std::ios::binary);
  for (std::uint32_t i = 0; i < 2 * 4096; ++i) {
    // The filter elements of the second output are below 1.5, so that the two sums differ by more than the bound.
    const std::uint32_t bits = 0x3F800000 | (i * 2654435761U >> (9 + i % 2));
    file.write(reinterpret_cast<const char*>(&bits), sizeof bits);
  }
  SuiteCase suite_case = TestCaseOf(
      "ConvolutionBackpropData:data=1,4096,1:filter=4096,2,1:values=cancellation:strides=1:pads_begin=0:pads_end=0:"
      "dilations=1");
  suite_case.test_case.filter_values = FileValues{path, 0, std::nullopt};
  return suite_case;
}

TEST(Imprecise, ASystematicErrorWithinTheBoundIsAWarning) {
  const CaseResult plain = JudgeMutant("none", PositiveSums());
  EXPECT_EQ(plain.verdict.status, Status::kPass) << plain.verdict.message;
  // Truncation instead of rounding gives every error the same sign.
  const CaseResult truncating = JudgeMutant("f32_sums_truncated", PositiveSums());
  EXPECT_EQ(truncating.verdict.status, Status::kImprecise) << truncating.verdict.message;
  EXPECT_LT(truncating.outputs.worst_ratio, 1);
  EXPECT_EQ(truncating.outputs.imprecise, 2);
  EXPECT_THAT(truncating.verdict.message, HasSubstr("probable up to"));
}

// Small integers are exact, so the planted distance is the whole error. Output 1 has one product, so it cannot cancel.
constexpr const char* kIntegers =
    "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:pads_begin=0:pads_end=0:dilations=1";

TEST(Needed, IsTheDistanceThatABackendHas) {
  const CaseResult plain = JudgeMutant("none", kIntegers);
  ASSERT_TRUE(plain.outputs.needed);
  EXPECT_EQ(plain.outputs.needed->ulps, 0);
  EXPECT_EQ(plain.outputs.needed->rtol, 0);
  EXPECT_EQ(plain.outputs.needed->atol, 0);
  EXPECT_EQ(plain.outputs.needed->outputs, plain.outputs.count);
  for (const int ulps : {1, 5, 1000}) {
    const CaseResult result = JudgeMutant("ulps?ulps=" + std::to_string(ulps), kIntegers);
    ASSERT_TRUE(result.outputs.needed);
    EXPECT_EQ(result.outputs.needed->ulps, ulps);
    // One unit is between 2^-24 and 2^-23 of a number. The distance may cross a power of two, where the unit changes.
    EXPECT_GT(result.outputs.needed->rtol, ulps * 0x1p-25);
    EXPECT_LE(result.outputs.needed->rtol, ulps * 0x1p-23);
    EXPECT_GT(result.outputs.needed->atol, 0);
    EXPECT_LE(result.outputs.needed->atol, result.outputs.needed->rtol);  // the largest output is at least this one
  }
}

TEST(Needed, IsAbsentWithoutFloats) {
  EXPECT_FALSE(JudgeMutant("none", std::string(kIntegers) + ":type=i32").outputs.needed);
}

TEST(NotJudged, ACaseThatNobodyJudgedDoesNotPass) {
  RunRecord record;
  record.results = {ResultOf(TestCaseOf(kIntegers))};
  record.results[0].outputs.count = 1;
  EXPECT_EQ(TallyOf(record).passed, 0U);
  EXPECT_EQ(TallyOf(record).answers, 0U);
  EXPECT_EQ(TallyOf(record).not_judged, 1U);
}

TEST(Imprecise, DoesNotFailARun) {
  RunRecord record;
  record.results.resize(1);
  record.results[0].verdict.status = Status::kImprecise;
  record.results[0].outputs.count = 1;
  EXPECT_EQ(TallyOf(record).failed, 0U);
  EXPECT_EQ(TallyOf(record).imprecise, 1U);
  EXPECT_EQ(TallyOf(record).answers, 1U);
}

constexpr const char* kRealsWithGaps =
    "ConvolutionBackpropData:data=1,2,5:filter=2,2,2:values=reals:strides=4:pads_begin=0:pads_end=0:dilations=1";

TEST(Transforms, AreJudgedByNormsWhereDeclared) {
  for (const char* line : {kReals, kRealsWithGaps, kLongSums}) {
    EXPECT_EQ(JudgeMutant("declares_fast", line).verdict.status, Status::kPass) << line;
    const CaseResult declared = JudgeMutant("smeared+declares_fast", line);
    EXPECT_EQ(declared.verdict.status, Status::kPass) << line << ": " << declared.verdict.message;
    EXPECT_GT(declared.outputs.worst_ratio, 0);
    // Even the wide bound excludes some outputs.
    const CaseResult far = JudgeMutant("smeared_far+declares_fast", line);
    EXPECT_EQ(far.verdict.failure, FailureClass::kWrongValue) << line << ": " << far.verdict.message;
  }
}

TEST(Transforms, WithoutTheDeclarationSmearedErrorsFail) {
  for (const char* line : {kReals, kRealsWithGaps})
    EXPECT_EQ(JudgeMutant("smeared", line).verdict.status, Status::kFail);
}

TEST(Transforms, AreNotAskedForLawsOfExactSums) {
  const std::string law =
      "ConvolutionBackpropData:data=1,4,23:filter=4,2,3:strides=2:pads_begin=1:pads_end=0:dilations=1:law=linear-"
      "filter";
  EXPECT_EQ(JudgeMutant("smeared+declares_fast", law).verdict.status, Status::kInapplicable);
  EXPECT_EQ(JudgeMutant("smeared", law).verdict.failure, FailureClass::kBrokenLaw);
}

// Every output has a NaN or an infinite operand in its group, so transforms may make it NaN.
TEST(Transforms, SpecialsReachEveryOutput) {
  std::string line = kGaps;
  line.replace(line.find("SEED"), 4, "1");
  EXPECT_EQ(JudgeMutant("smeared+declares_fast", line).verdict.status, Status::kVacuous);
}

TEST(StructuralNan, ZeroInsertionIsToldFromWrongNan) {
  std::size_t found = 0;
  for (int seed = 0; seed < 4; ++seed) {
    std::string line = kGaps;
    line.replace(line.find("SEED"), 4, std::to_string(seed + 1));
    EXPECT_EQ(JudgeMutant("none", line).verdict.status, Status::kPass) << line;
    const CaseResult result = JudgeMutant("structural_zeros_multiply", line);
    ASSERT_EQ(result.verdict.status, Status::kFail);
    EXPECT_EQ(result.verdict.failure, FailureClass::kStructuralNan) << result.verdict.message;
    EXPECT_EQ(result.judged.clauses.back(), "V2");
    EXPECT_THAT(result.verdict.message, HasSubstr("got nan"));
    EXPECT_THAT(result.verdict.message, Not(HasSubstr("error")));
    ++found;
  }
  EXPECT_EQ(found, 4U);
}

TEST(StructuralNan, FiniteOperandsHaveNone) {
  EXPECT_EQ(JudgeMutant("structural_zeros_multiply", kReals).verdict.status, Status::kPass);
}

TEST(StructuralNan, IsExcusedAndCountedIfDeclared) {
  for (int seed = 1; seed <= 4; ++seed) {
    std::string line = kGaps;
    line.replace(line.find("SEED"), 4, std::to_string(seed));
    const CaseResult declared = JudgeMutant("structural_zeros_multiply+declares_structural_nan", line);
    EXPECT_EQ(declared.verdict.status, Status::kPass) << declared.verdict.message;
    EXPECT_EQ(declared.outputs.excused, JudgeMutant("structural_zeros_multiply", line).outputs.wrong) << line;
    EXPECT_EQ(JudgeMutant("none", line).outputs.excused, 0);
  }
}

TEST(StructuralNan, NoOtherNanIsExcused) {
  const CaseResult finite = JudgeMutant("nan+declares_structural_nan", kReals);
  EXPECT_EQ(finite.verdict.status, Status::kFail);
  EXPECT_EQ(finite.verdict.failure, FailureClass::kWrongNan);
  EXPECT_EQ(finite.outputs.excused, 0);
}

TEST(Gaps, MayHaveEitherSignOfZeroAndAreCounted) {
  Judge judge("fault:none_gaps_minus_zero", {});
  ASSERT_FALSE(judge.Start());
  const CaseResult result = judge.JudgeCase(
      TestCaseOf("ConvolutionBackpropData:data=1,1,3:filter=1,1,1:strides=3:pads_begin=0:pads_end=0:dilations=1"));
  EXPECT_EQ(result.verdict.status, Status::kPass) << result.verdict.message;
  EXPECT_EQ(result.outputs.count, 7);
  EXPECT_EQ(result.outputs.negative_zero_gaps, 4);
}

TEST(Determinism, DifferingBitsFailWhereTheyAreDeclaredEqual) {
  const CaseResult flickering = JudgeMutant("second_call_reordered", kLongSums);
  EXPECT_EQ(flickering.verdict.failure, FailureClass::kNondeterministic) << flickering.verdict.message;
  EXPECT_THAT(flickering.verdict.message, HasSubstr("first at output [0,"));
  const CaseResult threads = JudgeMutant("order_by_threads+declares_any_threads", kLongSums);
  EXPECT_EQ(threads.verdict.failure, FailureClass::kNondeterministic) << threads.verdict.message;
  EXPECT_THAT(threads.verdict.message, HasSubstr("(1 and 2 threads)"));
}

TEST(Determinism, DifferingBitsPassWithAMessageWhereEqualBitsAreNotDeclared) {
  for (const char* mutant :
       {"second_call_reordered+declares_no_determinism", "order_by_threads+declares_no_determinism"}) {
    const CaseResult result = JudgeMutant(mutant, kLongSums);
    EXPECT_EQ(result.verdict.status, Status::kPass) << mutant;
    EXPECT_THAT(result.verdict.message, HasSubstr("both runs are right, but their bits differ"));
  }
}

TEST(Uncleared, OutputsThatWereNotClearedAreExplainedInTheMessage) {
  for (const char* type : {"f32", "f16", "i32"}) {
    const CaseResult result =
        JudgeMutant("adds_to_output", std::string("ConvolutionBackpropData:data=1,2,3:filter=2,2,3:type=") + type +
                                          ":strides=1:pads_begin=0:pads_end=0:dilations=1");
    EXPECT_EQ(result.verdict.status, Status::kFail);
    EXPECT_THAT(result.verdict.message, HasSubstr("instead of clearing it")) << type;
  }
  EXPECT_THAT(JudgeMutant("ulps?ulps=1", kReals).verdict.message, Not(HasSubstr("clearing")));
}

TEST(Vacuous, ZerosWouldHavePassedWhereTheBoundHoldsZero) {
  // 4096 products that nearly cancel are summed in f16, so the bound is larger than every output.
  const std::string line =
      "ConvolutionBackpropData:data=1,4096,1:filter=4096,2,1:type=f16:values=cancellation:strides=1:pads_begin=0:"
      "pads_end=0:dilations=1";
  const CaseResult vacuous = JudgeMutant("f16_sums_in_f16+declares_storage", line);
  EXPECT_EQ(vacuous.verdict.status, Status::kVacuous) << vacuous.verdict.message;
  EXPECT_THAT(vacuous.verdict.message, HasSubstr("0 written to every output would have passed"));
  EXPECT_EQ(JudgeMutant("none", kReals).verdict.status, Status::kPass);
}

TEST(Vacuous, ARunThatCouldNotFailJudgedNothing) {
  RunRecord record;
  record.results.resize(1);
  record.results[0].verdict.status = Status::kVacuous;
  EXPECT_EQ(TallyOf(record).vacuous, 1U);
  EXPECT_EQ(TallyOf(record).answers, 0U);
}

}  // namespace
}  // namespace conformance
