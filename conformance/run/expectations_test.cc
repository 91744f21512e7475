// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which failures expectations excuse and which they do not, and that an update changes no more of the file than
// necessary.

#include "conformance/run/expectations.h"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::chrono::year_month_day kToday = 2030y / 6 / 15;

constexpr const char* kFile = R"(# Of our library.

# Known for long.
[[expect]]
pattern = "attributes/odd-*"
failure = "wrong-value"
largest_error = 2
reason = "the odd element"
link = "https://example.org/1"
expires = 2030-06-15

[[expect]]
pattern = "ConvTranspose:*"
failure = "crash"
reason = "no ConvTranspose"
)";

std::vector<Expectation> Read(const std::string& text) {
  auto read = ReadExpectations(text);
  if (const auto* error = std::get_if<std::string>(&read)) {
    ADD_FAILURE() << *error;
    return {};
  }
  return std::get<std::vector<Expectation>>(std::move(read));
}

CaseResult Result(const std::string& name, FailureClass failure, double error = 1) {
  CaseResult result;
  result.suite = "attributes";
  result.name = name;
  result.line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3";
  if (failure == FailureClass::kNone) return result;
  result.status = Status::kFail;
  result.failure = failure;
  result.message = "is \"wrong\"";
  result.wrong_outputs = 1;
  result.largest_error = error;
  return result;
}

TEST(Expectations, AreRead) {
  const std::vector<Expectation> read = Read(kFile);
  ASSERT_THAT(read, SizeIs(2));
  EXPECT_EQ(read[0].pattern, "attributes/odd-*");
  EXPECT_EQ(read[0].failure, FailureClass::kWrongValue);
  EXPECT_EQ(read[0].largest_error, 2);
  EXPECT_EQ(read[0].link, "https://example.org/1");
  EXPECT_EQ(read[0].expires, 2030y / 6 / 15);
  EXPECT_EQ(read[0].line, 4U);
  EXPECT_EQ(read[1].line, 12U);
  EXPECT_THAT(Read(""), IsEmpty());
}

TEST(Expectations, OfAnotherFormSayWhereAndWhat) {
  const auto complaint = [](const std::string& text) {
    const auto read = ReadExpectations(text);
    const auto* words = std::get_if<std::string>(&read);
    return words == nullptr ? std::string("none") : *words;
  };
  const std::string entry = "[[expect]]\npattern = \"a\"\nfailure = \"crash\"\nreason = \"b\"\n";
  EXPECT_EQ(complaint(entry), "none");
  EXPECT_THAT(complaint("[[expect]\n"), HasSubstr("line 1: "));
  EXPECT_THAT(complaint("[[except]]\npattern = \"a\"\n"),
              HasSubstr("except: not allowed here; the file may hold only [[expect]]"));
  EXPECT_THAT(complaint(entry + "expire = 2030-01-01\n"),
              HasSubstr("line 5: unknown key 'expire' (did you mean expires?)"));
  EXPECT_THAT(complaint(entry + "expires = \"2030-01-01\"\n"), HasSubstr("line 5: expires: expected a date"));
  EXPECT_THAT(complaint(entry + "largest_error = -1\n"), HasSubstr("line 5: largest_error: expected a number"));
  EXPECT_THAT(complaint(entry + "sometimes = 1\n"), HasSubstr("line 5: sometimes: expected true or false"));
  EXPECT_THAT(complaint("[[expect]]\npattern = \"a\"\nfailure = \"crush\"\nreason = \"b\"\n"),
              HasSubstr("line 3: failure: 'crush' is not a failure class (did you mean crash?)"));
  EXPECT_THAT(complaint("[[expect]]\npattern = \"a\"\nfailure = \"crash\"\n"), HasSubstr("line 1: reason is missing"));
  EXPECT_THAT(complaint("expect = [{pattern = \"a\", failure = \"crash\", reason = \"b\"}]\n"),
              HasSubstr("expected a header [[expect]] before each entry"));
}

Reconciled MarkAndReconcile(const std::vector<Expectation>& expectations, std::chrono::year_month_day today,
                            RunRecord& run) {
  for (CaseResult& result : run.results) MarkExpected(expectations, result);
  return Reconcile(expectations, today, {&run, 1});
}

TEST(Expectations, OfWhatFailsSoAreMet) {
  RunRecord run;
  CaseResult transpose = Result("any", FailureClass::kCrash);
  transpose.line = "ConvTranspose:data=1,1,3:filter=1,1,3";
  run.results = {Result("odd-1", FailureClass::kWrongValue), Result("odd-2", FailureClass::kWrongValue, 2), transpose,
                 Result("even", FailureClass::kNone)};
  const std::vector<Expectation> expectations = Read(kFile);
  const Reconciled reconciled = MarkAndReconcile(expectations, kToday, run);
  EXPECT_THAT(reconciled.unexpected, IsEmpty());
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_EQ(run.results[0].expected, "the odd element");
  EXPECT_EQ(TallyOf(run).expected, 3U);
}

TEST(Expectations, OfOtherFailuresAreNotMet) {
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kHang), Result("odd-2", FailureClass::kWrongValue, 2.5),
                 Result("even", FailureClass::kWrongValue)};
  const std::vector<Expectation> expectations = Read(kFile);
  const Reconciled reconciled = MarkAndReconcile(expectations, kToday, run);
  EXPECT_EQ(TallyOf(run).expected, 0U);
  EXPECT_THAT(reconciled.unexpected, ElementsAre(&run.results[0], &run.results[1], &run.results[2]));
  EXPECT_THAT(reconciled.differences,
              ElementsAre(HasSubstr("odd-1: hang, expected wrong-value (line 4)"),
                          HasSubstr("odd-2: wrong-value, expected an error of at most 2 (line 4)")));
  EXPECT_THAT(reconciled.stale, ElementsAre(0U));  // nothing fails so: the entry would hide a hang that became one
}

TEST(Expectations, OfTheSuitesOwnTroublesAreNone) {
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kSuiteError)};
  EXPECT_THAT(MarkAndReconcile({}, kToday, run).unexpected, IsEmpty());
  EXPECT_TRUE(std::holds_alternative<std::string>(
      ReadExpectations("[[expect]]\npattern = \"*\"\nfailure = \"suite-error\"\nreason = \"b\"\n")));
}

TEST(Expectations, MayServeSeveralBackends) {
  std::vector<RunRecord> runs(2);
  runs[0].results = {Result("odd-1", FailureClass::kWrongValue)};
  runs[1].results = {Result("odd-1", FailureClass::kNone)};
  const std::vector<Expectation> expectations = Read(kFile);
  MarkExpected(expectations, runs[0].results.front());
  EXPECT_THAT(Reconcile(expectations, kToday, runs).complaints, IsEmpty());
  EXPECT_THAT(Reconcile(expectations, kToday, {&runs[1], 1}).complaints, SizeIs(1));
}

TEST(Expectations, OfWhatPassesAndWhatExpiredAreComplainedOf) {
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kNone), Result("odd-2", FailureClass::kWrongValue)};
  const std::vector<Expectation> expectations = Read(kFile);
  const Reconciled some = MarkAndReconcile(expectations, kToday + std::chrono::months(1), run);
  EXPECT_EQ(TallyOf(run).expected, 1U);
  EXPECT_THAT(some.complaints,
              ElementsAre(HasSubstr("line 4: 1 of the 2 cases of 'attributes/odd-*' do not fail as expected, the "
                                    "first is attributes/odd-1"),
                          HasSubstr("line 4: 'attributes/odd-*' expired on 2030-06-15")));
  EXPECT_THAT(some.stale, IsEmpty());
  run.results[1] = Result("odd-2", FailureClass::kNone);
  EXPECT_THAT(MarkAndReconcile(expectations, kToday, run).stale, ElementsAre(0U));
  // What was not run says nothing.
  for (CaseResult& result : run.results) result.status = Status::kUndeclared;
  EXPECT_THAT(MarkAndReconcile(expectations, kToday + std::chrono::months(1), run).complaints, IsEmpty());
}

TEST(Expectations, OfWhatFailsSometimesMayPass) {
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kNone), Result("odd-2", FailureClass::kGapNotZero)};
  const std::string entry = "[[expect]]\npattern = \"attributes/odd-*\"\nfailure = \"gap-not-zero\"\nreason = \"b\"\n";
  EXPECT_THAT(MarkAndReconcile(Read(entry), kToday, run).complaints, SizeIs(1));
  const std::vector<Expectation> sometimes = Read(entry + "sometimes = true\n");
  const Reconciled reconciled = MarkAndReconcile(sometimes, kToday, run);
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_THAT(reconciled.stale, IsEmpty());
  EXPECT_EQ(TallyOf(run).expected, 1U);
  // In another class it does not.
  run.results[0] = Result("odd-1", FailureClass::kWrongValue);
  EXPECT_THAT(MarkAndReconcile(sometimes, kToday, run).unexpected, SizeIs(1));
}

TEST(Expectations, AreUpdatedAndNothingElseIs) {
  const std::vector<Expectation> expectations = Read(kFile);
  const std::string file = kFile;
  EXPECT_EQ(UpdatedExpectations(file, expectations, {}, {}), file);
  const std::vector<std::size_t> first = {0};
  EXPECT_EQ(UpdatedExpectations(file, expectations, first, {}),
            "# Of our library.\n\n[[expect]]\npattern = \"ConvTranspose:*\"\nfailure = \"crash\"\nreason = \"no "
            "ConvTranspose\"\n");
  // Headers may be written with spaces.
  std::string spaced = file;
  spaced.replace(spaced.rfind("[[expect]]"), 10, "  [[ expect ]]");
  EXPECT_THAT(UpdatedExpectations(spaced, Read(spaced), first, {}),
              HasSubstr("[[ expect ]]\npattern = \"ConvTranspose:*"));
  const CaseResult failed = Result("new", FailureClass::kWrongValue, 0.5);
  const std::vector<const CaseResult*> unexpected = {&failed};
  const std::string updated = UpdatedExpectations(file, expectations, {}, unexpected);
  EXPECT_EQ(updated, file +
                         "\n[[expect]]\npattern = \"attributes/new\"\nfailure = \"wrong-value\"\nlargest_error = 0.5\n"
                         "reason = \"not explained yet: is \\\"wrong\\\"\"\n");
  RunRecord run;
  run.results = {failed};
  MarkExpected(Read(updated), run.results.front());
  EXPECT_EQ(TallyOf(run).expected, 1U);
}

}  // namespace
}  // namespace conformance
