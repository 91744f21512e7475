// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests `deconv-cts doctor` on correct adapters and on adapters with one fault each: it must name the failing step and
// give advice. The faulty adapters are mutants, built-in backends "fault:NAME" that are wrong on purpose.

#include "conformance/cli/doctor/doctor.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/serve_process.h"
#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/arithmetic_cases.h"
#include "conformance/cli/doctor/arithmetic_check.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/verdict/excusing_word.h"
#include "conformance/verdict/judge/judge.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Mark = ExaminedStep::Mark;

/// The result and the steps of an examination.
struct Report {
  Examination examination;
  std::vector<ExaminedStep> steps;

  /// Findings with this mark, as text.
  std::string Text(Mark mark) const {
    std::string text;
    for (const ExaminedStep& step : steps) {
      if (step.mark == mark) {
        text += fmt::format("{}: {} | {}\n", step.name, step.text, fmt::join(step.advice, " | "));
      }
    }
    return text;
  }
};

Report ReportOn(const std::string& backend) {
  Report report;
  report.examination = Examine(backend, 2, [&](const ExaminedStep& step) { report.steps.push_back(step); });
  return report;
}

TEST(Advice, OfACrashFitsTheInterface) {
  EXPECT_THAT(std::string(AdviceFor(FailureClass::kCrash, "./libvendor.so")), HasSubstr("debugger"));
  EXPECT_THAT(std::string(AdviceFor(FailureClass::kCrash, "cmd:python3 adapter.py")), HasSubstr("standard error"));
}

TEST(DoctorTest, HealthyBackendsHaveNoFault) {
  for (const std::string& backend :
       {std::string("kernel"), std::string("oracle"), std::string("fault:small"), ServedBackendName("oracle")}) {
    const Report report = ReportOn(backend);
    EXPECT_EQ(report.examination.end, Examination::End::kDone);
    EXPECT_EQ(report.Text(Mark::kFault), "") << backend;
    EXPECT_GT(report.examination.judged, 0);
    EXPECT_THAT(report.Text(Mark::kGood),
                AllOf(HasSubstr("self-check: mutants through the same interface get the right verdicts: none, echo, "
                                "wrong_shape, nan, garbage, "),
                      HasSubstr("first cases: "), HasSubstr("refuses: "), HasSubstr("sizes: ")))
        << backend;
  }
}

TEST(DoctorTest, ASingleRankGivesANoteAndNoWarning) {
  const Report report = ReportOn("fault:small");
  EXPECT_EQ(report.examination.warnings, 0) << report.Text(Mark::kWarning);
  EXPECT_THAT(report.Text(Mark::kNotAsked),
              AllOf(HasSubstr("only rank 4 is declared"), HasSubstr("right for a library of 2 spatial axes only")));
}

TEST(DoctorTest, TypesThatAreNotDeclaredAreNamedIfTheyAreRight) {
  EXPECT_THAT(ReportOn("fault:small").Text(Mark::kNotAsked),
              HasSubstr("types: f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64 computed rightly"));
  EXPECT_THAT(ReportOn("fault:small+f16_operands_in_bf16").Text(Mark::kNotAsked),
              HasSubstr("types: f64, f16, bf16, "));  // small integers are right in any type
  EXPECT_THAT(ReportOn("fault:small+filter_flipped").Text(Mark::kNotAsked),
              testing::Not(HasSubstr("computed rightly without being declared")));
}

TEST(DoctorTest, TheStepOfLimitsNamesWhatItDidNotRun) {
  EXPECT_THAT(ReportOn(DECONV_LIMITED_FUNCTION_EVERYTHING).Text(Mark::kGood),
              AllOf(HasSubstr("lie outside the declared capabilities: "), HasSubstr("a batch of 0; ")));
}

TEST(DoctorTest, TheDeclaredTypesAreNamed) {
  EXPECT_THAT(ReportOn("fault:small").Text(Mark::kGood), HasSubstr("; types f32; ranks 4 to 4;"));
}

TEST(DoctorTest, ForgottenLimitsAreFoundWithTheWordsThatDeclareThem) {
  const std::string faults = ReportOn(DECONV_LIMITED_FUNCTION_NOTHING).Text(Mark::kFault);
  EXPECT_THAT(faults, AllOf(HasSubstr("declare min_rank 4, max_rank 4:"),
                            HasSubstr("declare unsupported DECONV_UNSUPPORTED_DILATIONS | DECONV_UNSUPPORTED_GROUPS | "
                                      "DECONV_UNSUPPORTED_ASYMMETRIC_PADS:"),
                            HasSubstr("declare unsupported DECONV_UNSUPPORTED_EMPTY_TENSORS | DECONV_UNSUPPORTED_NXC | "
                                      "DECONV_UNSUPPORTED_XIO, max_attribute 2147483647:")));
  const Report declared = ReportOn(DECONV_LIMITED_FUNCTION_EVERYTHING);
  EXPECT_EQ(declared.Text(Mark::kFault), "");
  EXPECT_THAT(declared.Text(Mark::kGood), HasSubstr("limits: 8 cases are right"));
}

TEST(DoctorTest, ForgottenLimitsOfACommandHaveTheWordsOfTheProtocol) {
  const std::string faults = ReportOn(ServedBackendName(DECONV_LIMITED_FUNCTION_NOTHING)).Text(Mark::kFault);
  EXPECT_THAT(faults, AllOf(HasSubstr(R"(declare "min_rank":4, "max_rank":4:)"),
                            HasSubstr(R"(declare "unsupported":["dilations","groups","asymmetric-pads"]:)"),
                            HasSubstr(R"("max_attribute":2147483647:)")));
}

TEST(DoctorTest, AFaultInEveryCaseIsNoLimit) {
  const std::string faults = ReportOn("fault:filter_flipped").Text(Mark::kFault);
  EXPECT_THAT(faults, testing::Not(HasSubstr("if the library cannot do these")));
}

/// The findings of the step "arithmetic", as text.
std::string ArithmeticOf(const std::string& backend) {
  Report report = ReportOn(backend);
  std::erase_if(report.steps, [](const ExaminedStep& step) { return step.name != "arithmetic"; });
  return report.Text(Mark::kFault);
}

TEST(Arithmetic, MissingDeclarationsAreProposed) {
  const std::string flushed_words = "description.subnormals = DECONV_SUBNORMALS_FLUSHED; | replay";
  const std::string structural_nan_words = "description.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN; | replay";
  const struct {
    const char* mutant;
    std::string words;
  } cases[] = {
      {"f16_sums_in_f16",
       "static const deconv_type_arithmetic rows[] = {{sizeof(deconv_type_arithmetic), DECONV_ID_F16, "
       "DECONV_ACCUMULATOR_STORAGE, DECONV_ROUNDING_NEAREST, DECONV_SUBNORMALS_KEPT}}; | description.arithmetic = "
       "rows; "
       "| description.arithmetic_count = 1; | replay"},
      {"bf16_truncated", "DECONV_ID_BF16, DECONV_ACCUMULATOR_F32, DECONV_ROUNDING_FAITHFUL, DECONV_SUBNORMALS_KEPT}};"},
      {"subnormals_flushed", flushed_words},
      {"subnormal_operands_flushed", flushed_words},
      {"structural_zeros_multiply", structural_nan_words},
      {"border_zeros_multiply", structural_nan_words},
      {"dilation_zeros_multiply", structural_nan_words},
      {"f32_infinity_clamped", "description.known_deviations = DECONV_DEVIATION_CLAMPED_INFINITY; | replay"},
      {"i8_saturates", "description.saturating_types = 1u << DECONV_ID_I8; | replay"},
      {"integers_in_f32",
       "description.types_in_f32 = 1u << DECONV_ID_I16 | 1u << DECONV_ID_I32 | 1u << DECONV_ID_I64 | 1u << "
       "DECONV_ID_U16 | 1u << DECONV_ID_U32 | 1u << DECONV_ID_U64; | replay"},
      {"f64_operands_in_f32+f64_sums_in_f32", "description.types_in_f32 = 1u << DECONV_ID_F64; | replay"},
  };
  for (const auto& test : cases) {
    const std::string faults = ArithmeticOf(fmt::format("fault:{}", test.mutant));
    EXPECT_THAT(faults, HasSubstr("by which all of them are right: | ")) << test.mutant;
    EXPECT_THAT(faults, HasSubstr(test.words)) << test.mutant;
    EXPECT_THAT(faults, testing::Not(HasSubstr("no declaration"))) << test.mutant;
  }
}

// All cases of floating types fail in the first step. The later steps must not report the same fault again.
TEST(DoctorTest, AFailingPlainCaseIsNotRepeated) {
  const Report report = ReportOn("fault:nan");
  std::vector<std::string> faults;
  for (const ExaminedStep& step : report.steps) {
    if (step.mark == Mark::kFault) faults.push_back(step.name);
  }
  EXPECT_THAT(faults, testing::Contains("first cases"));
  EXPECT_THAT(faults, testing::Not(testing::Contains("dilations")));
  EXPECT_THAT(faults, testing::Not(testing::Contains("arithmetic")));
}

TEST(Arithmetic, ProposalsHaveTheWordsOfTheInterface) {
  EXPECT_THAT(ArithmeticOf(ServedBackendName("fault:f16_sums_in_f16")),
              HasSubstr(R"(| "arithmetic":[{"element_type": "f16", "accumulator": "storage"}], | replay)"));
}

TEST(Arithmetic, DeclaredArithmeticIsNoFault) {
  for (const char* mutant : {"structural_zeros_multiply+declares_structural_nan", "i8_saturates+declares_saturating_i8",
                             "f32_infinity_clamped+declares_clamped_infinity", "integers_in_f32+declares_in_f32"}) {
    EXPECT_EQ(ArithmeticOf(fmt::format("fault:{}", mutant)), "") << mutant;
  }
}

TEST(Arithmetic, ADefectGetsNoProposal) {
  for (const char* mutant :
       {"f16_operands_in_bf16", "f32_operands_in_tf32", "f32_sums_in_bf16", "wide_types_in_bf16", "i64_sums_in_i32",
        "nan_stored_as_zero", "f16_overflow_to_nan", "cropped_border_tap_dropped"}) {
    const std::string faults = ArithmeticOf(fmt::format("fault:{}", mutant));
    EXPECT_THAT(faults, HasSubstr("no declaration of arithmetic makes these right")) << mutant;
    EXPECT_THAT(faults, testing::Not(HasSubstr("declare these words"))) << mutant;
  }
}

/// Judges the cases of f16 on a mutant, and keeps their outputs.
std::unique_ptr<ArithmeticCheck> CheckOfF16Cases(const std::string& mutant) {
  std::vector<Bytes> outputs;
  JudgeLimits limits;
  limits.on_run = [&](const RunObservation& run) { outputs.emplace_back(run.output.begin(), run.output.end()); };
  Judge judge(mutant, limits);
  EXPECT_FALSE(judge.Start());
  auto check = std::make_unique<ArithmeticCheck>(judge.capabilities());
  for (const ArithmeticCase& tried :
       ArithmeticCases(oracle::OperatorKind::kConvTranspose, 4, oracle::ElementType::kF16)) {
    outputs.clear();
    const CaseResult result = judge.JudgeCase(tried.suite_case);
    check->Add(tried, IsRight(result.verdict.status), std::move(outputs));
  }
  return check;
}

TEST(ArithmeticCheck, RefusesAWrongProposal) {
  const auto check = CheckOfF16Cases("fault:f16_sums_in_f16");
  const Capabilities declared = Capabilities{};
  const Capabilities right =
      WithArithmetic(declared, oracle::ElementType::kF16, {.accumulator = DECONV_ACCUMULATOR_STORAGE});
  EXPECT_TRUE(check->Test(right).Supports());
  const Capabilities wrong =
      WithArithmetic(declared, oracle::ElementType::kF16, {.subnormals = DECONV_SUBNORMALS_FLUSHED});
  EXPECT_LT(check->Test(wrong).excused.size(), check->Test(right).excused.size());
  const Capabilities other_type =
      WithArithmetic(declared, oracle::ElementType::kBf16, {.accumulator = DECONV_ACCUMULATOR_STORAGE});
  EXPECT_FALSE(check->Test(other_type).Supports());
  // A stricter declaration makes right sums wrong.
  const auto right_backend = CheckOfF16Cases("fault:none");
  EXPECT_FALSE(right_backend->Test(right).Supports());
}

// A backend that is wrong in every buffer is not tried with a buffer of another size.
TEST(DoctorTest, SizesAreTriedOnARightCaseOnly) {
  EXPECT_THAT(ReportOn("fault:filter_flipped").Text(Mark::kNotAsked), HasSubstr("sizes: no plain case is right"));
}

TEST(DoctorTest, AReplayHasTheTimeLimitOfTheFailure) {
  std::vector<ExaminedStep> steps;
  (void)Examine("fault:hangs_sometimes", 0.25, [&](const ExaminedStep& step) { steps.push_back(step); });
  const auto hung = std::ranges::find_if(
      steps, [](const ExaminedStep& step) { return step.text.find(": hang: ") != std::string::npos; });
  ASSERT_NE(hung, steps.end());
  EXPECT_THAT(
      hung->advice,
      testing::Contains(HasSubstr("replay: deconv-cts replay --backend fault:hangs_sometimes --timeout 0.25 Conv")));
}

TEST(DoctorTest, FaultsAreNamedWithTheirStep) {
  const struct {
    const char* backend;
    const char* text;
  } cases[] = {
      {"fault:filter_flipped", "first cases: "},
      {"fault:filter_flipped", "replay: deconv-cts replay --backend fault:filter_flipped ConvolutionBackpropData:"},
      {"fault:second_call_reordered", "repeats: nondeterministic"},
      {"fault:nan", "wrong-nan"},
      {"fault:garbage", "answer 5, expected 0 to 4"},
  };
  for (const auto& test : cases) {
    const Report report = ReportOn(test.backend);
    EXPECT_EQ(report.examination.end, Examination::End::kDone);
    EXPECT_GT(report.examination.faults, 0);
    EXPECT_THAT(report.Text(Mark::kFault), HasSubstr(test.text)) << test.backend;
  }
}

TEST(DoctorTest, AFaultOfAnAttributeFailsTheCaseOfThisAttribute) {
  const struct {
    const char* fault;
    const char* name;
  } cases[] = {
      {"output_padding_zero", "output_padding"},     {"output_padding_ignored", "output_padding"},
      {"output_padding_reversed", "output_padding"}, {"dilations_reversed", "dilations"},
      {"strides_reversed", "strides that differ"},   {"pads_of_other_axis", "pads_begin"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(ReportOn(fmt::format("fault:{}", test.fault)).Text(Mark::kFault),
                HasSubstr(fmt::format("fail; ConvolutionBackpropData, {}: ", test.name)))
        << test.fault;
  }
}

TEST(DoctorTest, ABackendThatSupportsNothingIsToldToDeclareLess) {
  const Report report = ReportOn("fault:refuses_everything+unsupported");
  EXPECT_GT(report.examination.faults, 0);
  EXPECT_EQ(report.examination.judged, 0);
  EXPECT_THAT(report.Text(Mark::kFault), AllOf(HasSubstr("cannot-do"), HasSubstr("declare less")));
}

TEST(DoctorTest, DeclarationsThatDoNotFitAreWarnedOf) {
  EXPECT_THAT(ReportOn("fault:declares_two_dialects").Text(Mark::kWarning),
              HasSubstr("dialect onnxruntime defines none of the declared operators"));
}

TEST(DoctorTest, UnknownNamesAndFailedOpensAreToldApart) {
  EXPECT_EQ(ReportOn("kernal").examination.end, Examination::End::kUnknownName);
  EXPECT_EQ(ReportOn("./no/such.so").examination.end, Examination::End::kNotOpened);
  const Report report = ReportOn("cmd:no-such-program-here");
  EXPECT_EQ(report.examination.end, Examination::End::kNotOpened);
  EXPECT_THAT(report.Text(Mark::kFault), HasSubstr("run the command by hand"));
}

TEST(Advice, OfAMissingModuleNamesTheRemedy) {
  EXPECT_THAT(std::string(AdviceForFailedOpen("cmd:python3 mine.py",
                                              "stderr: the Python module 'my_library' is missing", false)),
              HasSubstr("install the module for this Python"));
  EXPECT_THAT(std::string(AdviceForFailedOpen("cmd:python3 jax.py",
                                              "the Python module 'jax' is hidden by the adapter jax.py", false)),
              HasSubstr("rename the adapter's file"));
}

TEST(DoctorTest, ACommandWithoutItsPrefixIsRecognised) {
  EXPECT_THAT(ReportOn("./mine.py --fast").Text(Mark::kFault), AllOf(HasSubstr("did you mean 'cmd:./mine.py --fast'?"),
                                                                     HasSubstr("give a command with the prefix cmd:")));
}

TEST(DoctorTest, EachBrokenPromiseHasALineAndAdvice) {
  const std::string not_stdout = "write nothing but answers to standard output";
  const struct {
    std::string backend;
    std::string fault;
    std::string advice;
  } cases[] = {
      {"fault:fickle", "supports() changed its mind", "answer supports from the operator alone"},
      {"fault:unfaithful", "supports() said yes, and run() answered unsupported", "answer supports with no"},
      {"fault:supports_5", "supports() returned 5, expected 0 or 1", "return 1 or 0 from supports"},
      {"fault:resolved_dims", "wrong-shape: expected output dimensions [1,1,6], got [7,7,7]", "leave output_rank 0"},
      {ServedBackendName("fault:protocol_text"), "is no line of JSON: 'computing ...'", not_stdout},
      {ServedBackendName("fault:protocol_twice"), "it wrote more than was asked for", not_stdout},
      {ServedBackendName("fault:protocol_other_length"), "\"output_bytes\" is", "as many bytes as the dims take"},
      {ServedBackendName("fault:protocol_text_before_description"), "is no line of JSON: 'loading the model ...'",
       not_stdout},
      {ServedBackendName("fault:protocol_no_description"),
       "exited with status 9 before it described itself; stderr: no licence was found", "ended at its start"},
  };
  for (const auto& test : cases) {
    const std::string faults = ReportOn(test.backend).Text(Mark::kFault);
    EXPECT_THAT(faults, AllOf(HasSubstr(test.fault), HasSubstr(test.advice))) << test.backend;
  }
}

TEST(DoctorTest, LimitsAreNoFaults) {
  const Report limited = ReportOn("fault:limited");
  EXPECT_EQ(limited.Text(Mark::kFault), "");
  EXPECT_THAT(limited.Text(Mark::kGood), AllOf(HasSubstr("operators are supported; asked twice"),
                                               HasSubstr("are not supported, as the backend says")));
  const Report resolved = ReportOn("fault:resolved");
  EXPECT_EQ(resolved.Text(Mark::kFault), "");
  EXPECT_THAT(resolved.Text(Mark::kGood), HasSubstr("takes resolved geometry"));
  EXPECT_THAT(resolved.Text(Mark::kNotAsked), HasSubstr("refuses invalid operators itself"));
}

TEST(DoctorTest, ItsCasesAreValidOrInvalidAsTheirFunctionsSay) {
  int tried = 0;
  int defined = 0;
  for (const auto kind : oracle::kOperatorKinds) {
    for (const std::size_t rank : {3, 4, 5, 10}) {
      for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
        const bool at_most_3d = dialect == oracle::Dialect::kOnednnRuntime ||
                                dialect == oracle::Dialect::kOpenvinoRuntime || dialect == oracle::Dialect::kTensorflow;
        if (at_most_3d && rank > 5) continue;
        const auto resolve = [&](const SuiteCase& suite_case) {
          return oracle::Resolve(WithRequiredShape(dialect, suite_case).test_case.op, dialect);
        };
        std::vector<SuiteCase> valid = VariedCases(kind, rank, oracle::ElementType::kF32);
        valid.push_back(PlainCase(kind, rank, oracle::ElementType::kF32));
        for (const SuiteCase& suite_case : LimitCases(kind, rank, oracle::ElementType::kF32)) {
          ++tried;
          defined += resolve(suite_case).ok() ? 1 : 0;
        }
        for (const SuiteCase& suite_case : valid) {
          const oracle::Resolution resolution = resolve(suite_case);
          EXPECT_TRUE(resolution.ok()) << DialectName(dialect) << " " << ToLine(suite_case.test_case) << ": "
                                       << (resolution.refusal ? resolution.refusal->message : "");
        }
        for (const SuiteCase& suite_case : InvalidCases(kind, rank, oracle::ElementType::kF32)) {
          EXPECT_FALSE(resolve(suite_case).ok()) << DialectName(dialect) << " " << ToLine(suite_case.test_case);
        }
      }
    }
  }
  EXPECT_GT(defined, tried * 3 / 4) << "limits that few dialects have show little";
}

}  // namespace
}  // namespace conformance
