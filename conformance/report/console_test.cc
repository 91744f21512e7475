// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the console output of a run: failures with their replay commands, the summary, and the words of each verdict.

#include "conformance/report/console.h"

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::HasSubstr;

/// The text that `print` writes with a console report, which prints to a file here.
std::string TextOf(const std::function<void(ConsoleReport&)>& print) {
  std::FILE* file = std::tmpfile();
  ConsoleReport console(file);
  print(console);
  EXPECT_EQ(std::fseek(file, 0, SEEK_SET), 0);
  std::string text(8192, '\0');  // more than any test prints
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

void PrintResults(ConsoleReport& console, const std::vector<CaseResult>& results) {
  std::size_t done = 0;
  for (const CaseResult& result : results) console.OnResult(result, ++done);
}

TEST(ConsoleReport, PrintsFailuresAndTheSummary) {
  const RunRecord record = PlainRecord();
  const std::string text = TextOf([&](ConsoleReport& console) {
    console.Begin(record.backend, record.results.size());
    PrintResults(console, record.results);
    console.End(record);
  });
  EXPECT_THAT(text, HasSubstr("FAIL attributes/bad wrong-value: output [0,0,2]"));
  EXPECT_THAT(text, HasSubstr("       P3   "));
  EXPECT_THAT(text, HasSubstr("replay: deconv-cts replay --backend fault:some ConvolutionBackpropData:"));
  EXPECT_THAT(text, HasSubstr("explain: deconv-cts explain ConvolutionBackpropData:"));
  EXPECT_THAT(text, HasSubstr("does not conform: 1 passed, 1 failed, 1 not run"));
  EXPECT_THAT(text, HasSubstr("rank 6 (declared: 3 to 5)"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\x1b"))) << "a file is no terminal";
}

/// The lines that are printed for these failures, one after the other. `by_hand`: the user gave the cases, so the
/// report prints more of each.
std::string Printed(const std::vector<CaseResult>& failures, bool by_hand) {
  return TextOf([&](ConsoleReport& console) {
    if (by_hand) console.PrintRefusals();
    console.Begin("oracle", failures.size());
    PrintResults(console, failures);
  });
}

CaseResult FailureNamed(const char* name, FailureClass failure, std::vector<std::string> clauses) {
  CaseResult result;
  result.origin.suite = "attributes";
  result.origin.name = name;
  result.verdict.status = Status::kFail;
  result.verdict.failure = failure;
  result.judged.dialect = "onnx-11";
  result.judged.clauses = std::move(clauses);
  return result;
}

TEST(ConsoleReport, ShowsTheClausesOnceForFailuresThatShareThem) {
  const std::string text = Printed({FailureNamed("first", FailureClass::kWrongValue, {"P3", "O1"}),
                                    FailureNamed("second", FailureClass::kWrongValue, {"P3", "O1"}),
                                    FailureNamed("third", FailureClass::kWrongShape, {"P3", "O1"}),
                                    FailureNamed("fourth", FailureClass::kWrongValue, {"P3"})},
                                   false);
  std::size_t lists = 0;
  for (std::size_t at = text.find("       P3   "); at != std::string::npos; at = text.find("       P3   ", at + 1))
    ++lists;
  EXPECT_EQ(lists, 3U) << text;
  EXPECT_THAT(text,
              HasSubstr("FAIL attributes/second wrong-value: \n     onnx-11, by the clauses of attributes/first\n"));
}

TEST(ConsoleReport, ShowsNoClausesOfAnError) {
  const std::string text = Printed({FailureNamed("one", FailureClass::kError, {"P3"})}, true);
  EXPECT_THAT(text, testing::AllOf(HasSubstr("FAIL attributes/one error"), testing::Not(HasSubstr("P3"))));
}

TEST(ConsoleReport, ShowsTheStandardErrorOfCasesGivenByHand) {
  CaseResult failure = FailureNamed("one", FailureClass::kError, {});
  failure.trace.stderr_tail = "Traceback (most recent call last):\n  File \"mine.py\", line 4\x1b\n";
  EXPECT_THAT(Printed({failure}, true), HasSubstr("     the backend's standard error:\n"
                                                  "       Traceback (most recent call last):\n"
                                                  "         File \"mine.py\", line 4\uFFFD\n"));
  EXPECT_THAT(Printed({failure}, false), testing::Not(HasSubstr("Traceback")));
}

/// The lines of a run's summary.
std::string Summary(RunRecord record, std::size_t stale_expectations = 0) {
  record.stale_expectations = stale_expectations;
  return TextOf([&](ConsoleReport& console) {
    console.SetSelectionText("level gate; shard 0 of 2");
    console.Begin(record.backend, record.results.size());
    console.End(record);
  });
}

TEST(ConsoleReport, SaysWhichShareOfTheListWasJudged) {
  RunRecord record = PlainRecord();
  EXPECT_THAT(Summary(record), HasSubstr("judged 2 of the 3 cases of the case list (67 %)\n"));
  record.results[1].verdict.failure = FailureClass::kSuiteError;
  record.case_list_size = 1000;  // cases of all shards
  EXPECT_THAT(Summary(record), HasSubstr("judged 1 of the 1000 cases of the case list (0.1 %)\n"));
  record.replay = true;
  EXPECT_THAT(Summary(record), testing::Not(HasSubstr("of the case list")));
}

TEST(ConsoleReport, SaysToWhatABackendConforms) {
  RunRecord record = PlainRecord();
  record.results.resize(1);
  record.results[0].judged.dialect = "openvino-spec";
  EXPECT_THAT(Summary(record),
              HasSubstr("judged by openvino-spec; level gate; shard 0 of 2\nfault:some (some 1) conforms: "));
  EXPECT_THAT(Summary(PlainRecord()), testing::Not(HasSubstr("judged by")));
}

TEST(ConsoleReport, HasAWordForEachVerdict) {
  RunRecord record = PlainRecord();
  for (CaseResult& result : record.results) {
    if (result.verdict.status == Status::kFail) result.verdict.known_failure = "known";
  }
  EXPECT_THAT(Summary(record), HasSubstr("fault:some (some 1) meets its expectations: 1 passed, "));
  EXPECT_THAT(Summary(record), HasSubstr("judged by"));
  EXPECT_THAT(Summary(record), testing::Not(HasSubstr("conforms")));
  record = PlainRecord();
  record.results.resize(1);
  EXPECT_THAT(Summary(record, 1), HasSubstr("but its expectations are stale or expired: 1 passed"));
  EXPECT_THAT(Summary(record, 1), testing::Not(HasSubstr("conforms")));
  record.unjudged = 3;
  EXPECT_THAT(Summary(record), HasSubstr("has not failed so far: 1 passed"));
  EXPECT_THAT(Summary(record), HasSubstr("incomplete: 3 cases of the run were not judged"));
  record = PlainRecord();
  EXPECT_THAT(Summary(record, 1), HasSubstr("does not conform"));
  record.results.erase(record.results.begin(), record.results.begin() + 2);
  EXPECT_THAT(Summary(record), HasSubstr("was not judged: "));
  record.shard = {1, 2};
  EXPECT_THAT(Summary(record), HasSubstr("was not judged in this shard: "));
  record.results.clear();
  EXPECT_THAT(Summary(record), HasSubstr("has no cases in this shard: "));
}

}  // namespace
}  // namespace conformance
