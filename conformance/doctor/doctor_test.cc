// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the doctor on healthy adapters and on adapters with one fault each: it names the failing step and gives advice.

#include "conformance/doctor/doctor.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/serve_process.h"
#include "conformance/doctor/advice.h"
#include "conformance/doctor/doctor_cases.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Mark = ExaminedStep::Mark;

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

TEST(Advice, OfACrashFitsTheDoor) {
  EXPECT_THAT(std::string(AdviceFor(FailureClass::kCrash, "./libvendor.so")), HasSubstr("debugger"));
  EXPECT_THAT(std::string(AdviceFor(FailureClass::kCrash, "cmd:python3 adapter.py")), HasSubstr("standard error"));
}

TEST(DoctorTest, HealthyBackendsHaveNoFault) {
  for (const std::string& backend :
       {std::string("kernel"), std::string("oracle"), std::string(DECONV_PLANE_BACKEND), ServedBackendName("oracle")}) {
    const Report report = ReportOn(backend);
    EXPECT_EQ(report.examination.end, Examination::End::kDone);
    EXPECT_EQ(report.Text(Mark::kFault), "") << backend;
    EXPECT_GT(report.examination.judged, 0);
    EXPECT_THAT(report.Text(Mark::kGood),
                AllOf(HasSubstr("self-check: mock backends through the same door get the right verdicts: sound, echo, "
                                "wrong-shape, nan, garbage, crash, hang"),
                      HasSubstr("first cases: "), HasSubstr("refuses: "), HasSubstr("sizes: ")))
        << backend;
  }
}

TEST(DoctorTest, AOneRankBackendIsWarnedOf) {
  EXPECT_THAT(ReportOn(DECONV_PLANE_BACKEND).Text(Mark::kWarning), HasSubstr("only rank 4 is declared"));
}

TEST(DoctorTest, FaultsAreNamedWithTheirStep) {
  const struct {
    const char* backend;
    const char* text;
  } cases[] = {
      {"fault:filter_flipped", "first cases: "},
      {"fault:filter_flipped", "replay: deconv-cts replay --backend fault:filter_flipped ConvolutionBackpropData:"},
      {"fault:second_call_reordered", "repeats: nondeterministic"},
      {"mock:nan", "wrong-nan"},
      {"mock:garbage", "answer 5, expected 0 to 4"},
  };
  for (const auto& test : cases) {
    const Report report = ReportOn(test.backend);
    EXPECT_EQ(report.examination.end, Examination::End::kDone);
    EXPECT_GT(report.examination.faults, 0);
    EXPECT_THAT(report.Text(Mark::kFault), HasSubstr(test.text)) << test.backend;
  }
}

TEST(DoctorTest, ABackendThatDoesNothingIsToldToDeclareLess) {
  const Report report = ReportOn(DECONV_BROKEN_BACKEND);
  EXPECT_GT(report.examination.faults, 0);
  EXPECT_EQ(report.examination.judged, 0);
  EXPECT_THAT(report.Text(Mark::kFault), AllOf(HasSubstr("cannot-do"), HasSubstr("declare less")));
}

TEST(DoctorTest, DeclarationsThatDoNotFitAreWarnedOf) {
  EXPECT_THAT(ReportOn(std::string(DECONV_BROKEN_BACKEND) + "?two dialects").Text(Mark::kWarning),
              HasSubstr("dialect onnxruntime defines none of the declared operators"));
}

TEST(DoctorTest, WhatCannotBeOpenedIsToldApart) {
  EXPECT_EQ(ReportOn("kernal").examination.end, Examination::End::kUnknownName);
  EXPECT_EQ(ReportOn("./no/such.so").examination.end, Examination::End::kNotOpened);
  const Report report = ReportOn("cmd:no-such-program-here");
  EXPECT_EQ(report.examination.end, Examination::End::kNotOpened);
  EXPECT_THAT(report.Text(Mark::kFault), HasSubstr("run the command by hand"));
}

TEST(DoctorTest, EachLieOfAnAdapterHasALineAndAdvice) {
  const std::string lying = DECONV_LYING_BACKEND "?";
  const std::string not_stdout = "write nothing but answers to standard output";
  const struct {
    std::string backend;
    std::string fault;
    std::string advice;
  } cases[] = {
      {"mock:fickle", "supports() changed its mind", "answer supports from the operator alone"},
      {"mock:unfaithful", "supports() said yes, and run() answered unsupported", "answer supports with no"},
      {lying + "number", "supports() returned 5, expected 0 or 1", "return 1 or 0 from supports"},
      {lying + "resolved-dims", "wrong-shape: expected output dimensions [1,1,6], got [7,7,7]", "leave output_rank 0"},
      {ServedBackendName("oracle", "text"), "is no line of JSON: 'computing ...'", not_stdout},
      {ServedBackendName("oracle", "twice"), "it wrote more than was asked for", not_stdout},
      {ServedBackendName("oracle", "other-length"), "\"output_bytes\" is", "as many bytes as the dims take"},
      {ServedBackendName("oracle", "text-before-description"), "is no line of JSON: 'loading the model ...'",
       not_stdout},
      {ServedBackendName("oracle", "no-description"),
       "exited with status 9 before it described itself; stderr: no licence was found", "ended at its start"},
  };
  for (const auto& test : cases) {
    const std::string faults = ReportOn(test.backend).Text(Mark::kFault);
    EXPECT_THAT(faults, AllOf(HasSubstr(test.fault), HasSubstr(test.advice))) << test.backend;
  }
}

TEST(DoctorTest, LimitsAreNoFaults) {
  const Report limited = ReportOn("mock:limited");
  EXPECT_EQ(limited.Text(Mark::kFault), "");
  EXPECT_THAT(limited.Text(Mark::kGood), AllOf(HasSubstr("operators are supported; asked twice"),
                                               HasSubstr("are not supported, as the backend says")));
  const Report resolved = ReportOn("mock:resolved");
  EXPECT_EQ(resolved.Text(Mark::kFault), "");
  EXPECT_THAT(resolved.Text(Mark::kGood), HasSubstr("takes resolved geometry"));
  EXPECT_THAT(resolved.Text(Mark::kNotAsked), HasSubstr("refuses invalid operators itself"));
}

TEST(DoctorTest, ItsOwnCasesAreWhatTheyAreSaidToBe) {
  for (const auto kind : oracle::kOperatorKinds) {
    for (const std::size_t rank : {3, 4, 5, 10}) {
      for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
        const bool at_most_3d =
            dialect == oracle::Dialect::kOnednnRuntime || dialect == oracle::Dialect::kOpenvinoRuntime;
        if (at_most_3d && rank > 5) continue;
        const auto resolve = [&](const SuiteCase& suite_case) {
          return oracle::Resolve(suite_case.test_case.op, dialect);
        };
        std::vector<SuiteCase> valid = VariedCases(kind, rank, oracle::ElementType::kF32);
        valid.push_back(PlainCase(kind, rank, oracle::ElementType::kF32));
        for (const SuiteCase& suite_case : valid) {
          const oracle::Resolution resolution = resolve(suite_case);
          // Consistency of an odd crop is demanded by two libraries' dialects.
          EXPECT_TRUE(resolution.ok()) << DialectName(dialect) << " " << ToLine(suite_case.test_case) << ": "
                                       << (resolution.refusal ? resolution.refusal->message : "");
        }
        for (const SuiteCase& suite_case : InvalidCases(kind, rank, oracle::ElementType::kF32)) {
          EXPECT_FALSE(resolve(suite_case).ok()) << DialectName(dialect) << " " << ToLine(suite_case.test_case);
        }
      }
    }
  }
}

}  // namespace
}  // namespace conformance
