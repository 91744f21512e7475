// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which failures the entries of a file of known failures cover, and which entries no longer hold after a run.

#include "conformance/run/expectations.h"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/case_lists/case_lists.h"

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
  result.origin.suite = "attributes";
  result.origin.name = name;
  result.judged.line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3";
  result.verdict.status = failure == FailureClass::kNone ? Status::kPass : Status::kFail;
  if (failure == FailureClass::kNone) return result;
  result.verdict.failure = failure;
  result.verdict.message = "is \"wrong\"";
  result.outputs.wrong = 1;
  result.outputs.largest_error = error;
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

TEST(Expectations, InMalformedFilesSayWhichLineIsWrong) {
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
  EXPECT_THAT(complaint(entry + "failures = 3\n"), HasSubstr("line 5: failures: needs the level of the run"));
  EXPECT_THAT(complaint(entry + "level = \"gate\"\n"), HasSubstr("line 5: level: belongs to a number of failures"));
  for (const char* number : {"0", "-1", "1.5", "\"3\"", "99999999999999999999"}) {
    EXPECT_THAT(complaint(entry + "failures = " + number + "\nlevel = \"gate\"\n"), HasSubstr("line 5: "));
  }
  EXPECT_THAT(complaint(entry + "failures = 3\nlevel = \"high\"\n"), HasSubstr("line 6: level: expected \"smoke\","));
  EXPECT_THAT(complaint(entry + "failures = 3\nlevel = \"gate\"\ncause = \"c\"\n"),
              HasSubstr("line 5: failures: not allowed beside cause"));
  EXPECT_EQ(complaint(entry + "failures = 3\nlevel = \"gate\"\nsometimes = true\n"), "none");
  EXPECT_THAT(complaint("[[expect]]\npattern = \"a\"\nfailure = \"crush\"\nreason = \"b\"\n"),
              HasSubstr("line 3: failure: 'crush' is not a failure class (did you mean crash?)"));
  EXPECT_THAT(complaint(entry + "clause = \"S177\"\n"), HasSubstr("clause (did you mean S17?); expected S1, S2, "));
  EXPECT_THAT(complaint("[[expect]]\npattern = \"a\"\nfailure = \"crash\"\n"), HasSubstr("line 1: reason is missing"));
  EXPECT_THAT(complaint("[[expect]]\nfailure = \"crash\"\nreason = \"b\"\n"),
              HasSubstr("line 1: pattern is missing; an entry needs a pattern or a clause"));
  EXPECT_THAT(complaint("expect = [{pattern = \"a\", failure = \"crash\", reason = \"b\"}]\n"),
              HasSubstr("expected a header [[expect]] before each entry"));
}

Reconciled MarkAndReconcile(const std::vector<Expectation>& expectations, std::chrono::year_month_day today,
                            RunRecord& run) {
  for (CaseResult& result : run.results) MarkExpected(expectations, result);
  return Reconcile(expectations, today, {&run, 1});
}

TEST(Expectations, AreMetByTheFailuresThatTheyDescribe) {
  RunRecord run;
  CaseResult transpose = Result("any", FailureClass::kCrash);
  transpose.judged.line = "ConvTranspose:data=1,1,3:filter=1,1,3";
  run.results = {Result("odd-1", FailureClass::kWrongValue), Result("odd-2", FailureClass::kWrongValue, 2), transpose,
                 Result("even", FailureClass::kNone)};
  const std::vector<Expectation> expectations = Read(kFile);
  const Reconciled reconciled = MarkAndReconcile(expectations, kToday, run);
  EXPECT_THAT(reconciled.unexpected, IsEmpty());
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_EQ(run.results[0].verdict.known_failure, "the odd element");
  EXPECT_EQ(TallyOf(run).expected, 3U);
}

TEST(Expectations, AreNotMetByOtherFailures) {
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
  EXPECT_THAT(reconciled.stale, ElementsAre(0U));  // no case fails as the entry says, so the entry is stale
}

TEST(Expectations, NeverCoverErrorsOfTheSuite) {
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

TEST(Expectations, AreComplainedOfIfCasesPassOrTheyExpire) {
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
  // A case that was not run does not make an entry stale.
  for (CaseResult& result : run.results) result.verdict.status = Status::kUndeclared;
  EXPECT_THAT(MarkAndReconcile(expectations, kToday + std::chrono::months(1), run).complaints, IsEmpty());
}

TEST(Expectations, WithSometimesLetCasesPass) {
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kNone), Result("odd-2", FailureClass::kGapNotZero)};
  const std::string entry = "[[expect]]\npattern = \"attributes/odd-*\"\nfailure = \"gap-not-zero\"\nreason = \"b\"\n";
  EXPECT_THAT(MarkAndReconcile(Read(entry), kToday, run).complaints, SizeIs(1));
  const std::vector<Expectation> sometimes = Read(entry + "sometimes = true\n");
  const Reconciled reconciled = MarkAndReconcile(sometimes, kToday, run);
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_THAT(reconciled.stale, IsEmpty());
  EXPECT_EQ(TallyOf(run).expected, 1U);
  // A failure of another class does not meet the entry.
  run.results[0] = Result("odd-1", FailureClass::kWrongValue);
  EXPECT_THAT(MarkAndReconcile(sometimes, kToday, run).unexpected, SizeIs(1));
}

TEST(Expectations, WithSometimesMayDifferInTheirClass) {
  const std::vector<Expectation> both = Read(
      "[[expect]]\npattern = \"*\"\nfailure = \"crash\"\nreason = \"dies\"\nsometimes = true\n"
      "[[expect]]\npattern = \"attributes/*\"\nfailure = \"hang\"\nreason = \"waits\"\nsometimes = true\n"
      "[[expect]]\npattern = \"attributes/odd-2\"\nfailure = \"wrong-value\"\nreason = \"wrong\"\n");
  RunRecord run;
  run.results = {Result("odd-1", FailureClass::kCrash), Result("odd-2", FailureClass::kHang),
                 Result("odd-2", FailureClass::kWrongValue)};
  const Reconciled reconciled = MarkAndReconcile(both, kToday, run);
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_THAT(reconciled.stale, IsEmpty());
  EXPECT_THAT(reconciled.partly_met, IsEmpty());
  EXPECT_EQ(TallyOf(run).expected, 3U);
  run.results = {Result("odd-1", FailureClass::kWrongNan)};
  EXPECT_THAT(MarkAndReconcile(both, kToday, run).unexpected, SizeIs(1));
}

TEST(Expectations, WithAStarMatchEveryCase) {
  const std::vector<Expectation> every =
      Read("[[expect]]\npattern = \"*\"\nfailure = \"crash\"\nreason = \"b\"\nowner = \"kernel team\"\n");
  RunRecord run;
  run.results = {Result("a", FailureClass::kCrash), Result("b", FailureClass::kCrash)};
  EXPECT_THAT(MarkAndReconcile(every, kToday, run).complaints, IsEmpty());
  run.results.push_back(Result("c", FailureClass::kNone));
  EXPECT_THAT(MarkAndReconcile(every, kToday, run).complaints,
              ElementsAre(HasSubstr("line 1 (owner kernel team): 1 of the 3 cases of '*' do not fail as expected")));
}

CaseResult Invalid(const std::string& name, const std::string& clause, bool refused) {
  CaseResult result = Result(name, refused ? FailureClass::kNone : FailureClass::kAcceptedInvalid);
  result.judged.clauses = {clause};
  result.answer.refused = refused;
  return result;
}

TEST(Expectations, ByClauseMatchTheCasesThatNameIt) {
  const std::vector<Expectation> by_clause =
      Read("[[expect]]\nclause = \"S17\"\nfailure = \"accepted-invalid\"\nreason = \"b\"\n");
  RunRecord run;
  run.results = {Invalid("a", "S17", false), Invalid("b", "S17", false), Invalid("c", "P3", true)};
  const Reconciled reconciled = MarkAndReconcile(by_clause, kToday, run);
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_EQ(TallyOf(run).expected, 2U);
  run.results[1] = Invalid("b", "S17", true);
  run.results[2] = Invalid("c", "P3", false);
  const Reconciled partly = MarkAndReconcile(by_clause, kToday, run);
  EXPECT_THAT(partly.complaints, ElementsAre(HasSubstr("1 of the 2 cases of clause S17")));
  EXPECT_THAT(partly.unexpected, ElementsAre(&run.results[2]));
  // Clause and pattern must both match if an entry has both.
  const std::vector<Expectation> both =
      Read("[[expect]]\npattern = \"*/a\"\nclause = \"S17\"\nfailure = \"accepted-invalid\"\nreason = \"b\"\n");
  EXPECT_THAT(MarkAndReconcile(both, kToday, run).complaints, IsEmpty());
}

TEST(Expectations, IgnoreCasesThatCannotFailInTheirClass) {
  const std::vector<Expectation> refusals =
      Read("[[expect]]\npattern = \"attributes/*\"\nfailure = \"wrong-refusal\"\nreason = \"b\"\n");
  RunRecord run;
  run.results = {Result("a", FailureClass::kWrongRefusal), Invalid("b", "S17", true)};
  EXPECT_THAT(MarkAndReconcile(refusals, kToday, run).complaints, IsEmpty());
  run.results[1].answer.refused = false;
  EXPECT_THAT(MarkAndReconcile(refusals, kToday, run).complaints, SizeIs(1));
}

RunRecord RunWithCause(const std::string& hypothesis) {
  RunRecord run;
  run.results = {Result("a", FailureClass::kWrongValue), Result("b", FailureClass::kWrongValue),
                 Result("c", FailureClass::kNone)};
  for (std::size_t i = 0; i < run.results.size(); ++i) run.results[i].origin.case_index = i;
  Cause cause;
  cause.title = "the filter is flipped";
  cause.hypotheses = {hypothesis};
  cause.failures = {0, 1};
  run.causes.emplace().causes = {cause};
  return run;
}

TEST(Expectations, ByCauseMatchTheFailuresThatTheCauseExplains) {
  const std::vector<Expectation> by_cause =
      Read("[[expect]]\npattern = \"*\"\ncause = \"filter_flipped*\"\nfailure = \"wrong-value\"\nreason = \"b\"\n");
  const auto mark_and_reconcile = [](const std::vector<Expectation>& expectations, RunRecord& run) {
    for (CaseResult& result : run.results) MarkExpected(expectations, result);
    MarkExpectedByCause(expectations, run);
    return Reconcile(expectations, kToday, {&run, 1});
  };
  RunRecord run = RunWithCause("filter_flipped_on_last_axis");
  const Reconciled reconciled = mark_and_reconcile(by_cause, run);
  EXPECT_EQ(TallyOf(run).expected, 2U);
  EXPECT_THAT(reconciled.complaints, IsEmpty());
  EXPECT_THAT(reconciled.unexpected, IsEmpty());
  // A result of a shard keeps its mark, because the diagnosis of the shard knew its cause.
  run.causes.reset();
  for (CaseResult& result : run.results) MarkExpected(by_cause, result);
  EXPECT_THAT(Reconcile(by_cause, kToday, {&run, 1}).complaints, IsEmpty());
  EXPECT_EQ(TallyOf(run).expected, 2U);

  for (RunRecord other : {RunWithCause("dilation_ignored"), RunWithCause("flipped")}) {
    const Reconciled missed = mark_and_reconcile(by_cause, other);
    EXPECT_THAT(missed.unexpected, SizeIs(2));
    EXPECT_THAT(missed.stale, ElementsAre(0U));
    EXPECT_THAT(missed.differences.front(), HasSubstr("expected it from the cause 'filter_flipped*' (line 1)"));
  }
  // An entry may name a cause by its title, too.
  const std::vector<Expectation> by_title =
      Read("[[expect]]\npattern = \"*\"\ncause = \"*flipped\"\nfailure = \"wrong-value\"\nreason = \"b\"\n");
  RunRecord near = RunWithCause("dilation_ignored");
  EXPECT_THAT(mark_and_reconcile(by_title, near).unexpected, IsEmpty());
  // If no diagnosis looked for causes, no entry is stale.
  RunRecord unknown = RunWithCause("filter_flipped");
  unknown.causes.reset();
  EXPECT_THAT(mark_and_reconcile(by_cause, unknown).stale, IsEmpty());
  // The entry is not stale either if other entries expect all failures: then nobody looks for causes.
  std::vector<Expectation> both = Read("[[expect]]\npattern = \"*\"\nfailure = \"wrong-value\"\nreason = \"a\"\n");
  both.push_back(by_cause.front());
  EXPECT_THAT(mark_and_reconcile(both, unknown).stale, IsEmpty());
  // A run without failures makes the entry stale.
  unknown.results = {Result("a", FailureClass::kNone)};
  EXPECT_THAT(mark_and_reconcile(by_cause, unknown).stale, ElementsAre(0U));
}

/// A run of all cases of the frozen list, by its hash.
RunRecord CompleteRun(Level level, const std::string& suite) {
  RunRecord run;
  for (const CaseList& list : BuiltInFrozenLists().lists) {
    if (list.level == level && list.suite == suite) run.case_list_hash = list.hash;
  }
  EXPECT_NE(run.case_list_hash, "");
  run.results = {Result("odd-1", FailureClass::kWrongValue), Result("odd-2", FailureClass::kWrongValue),
                 Result("odd-3", FailureClass::kNone), Result("even", FailureClass::kNone)};
  run.case_list_size = run.results.size();
  return run;
}

std::vector<Expectation> Numbered(int failures, const std::string& pattern = "attributes/odd-*") {
  return Read("[[expect]]\npattern = \"" + pattern + "\"\nfailure = \"wrong-value\"\nreason = \"b\"\n" +
              "sometimes = true\nfailures = " + std::to_string(failures) + "\nlevel = \"gate\"\n");
}

TEST(Expectations, WithANumberAreStaleIfAnotherNumberFails) {
  for (const char* suite : {"all", "attributes"}) {
    RunRecord run = CompleteRun(Level::kGate, suite);
    EXPECT_THAT(MarkAndReconcile(Numbered(2), kToday, run).complaints, IsEmpty());
    const Reconciled more = MarkAndReconcile(Numbered(1), kToday, run);
    EXPECT_THAT(more.complaints, ElementsAre("line 1: 2 cases of 'attributes/odd-*' fail, expected 1"));
    ASSERT_THAT(more.recounted, SizeIs(1));
    EXPECT_EQ(more.recounted[0].failures, 2);
    EXPECT_THAT(MarkAndReconcile(Numbered(3), kToday, run).complaints, SizeIs(1));
    // Cases that are no longer supported do not fail: the number has changed.
    run.results[1].verdict.status = Status::kUnsupported;
    EXPECT_THAT(MarkAndReconcile(Numbered(2), kToday, run).complaints, SizeIs(1));
    for (CaseResult& result : run.results) result.verdict.status = Status::kUndeclared;
    EXPECT_THAT(MarkAndReconcile(Numbered(2), kToday, run).complaints,
                ElementsAre("line 1: 0 cases of 'attributes/odd-*' fail, expected 2"));
  }
}

TEST(Expectations, WithANumberAreNotCheckedByIncompleteRuns) {
  const auto complaints_of = [](RunRecord run, const std::string& pattern = "attributes/odd-*") {
    return MarkAndReconcile(Numbered(1, pattern), kToday, run).complaints;
  };
  const RunRecord whole = CompleteRun(Level::kGate, "all");
  ASSERT_THAT(complaints_of(whole), SizeIs(1));
  EXPECT_THAT(complaints_of(CompleteRun(Level::kSmoke, "all")), IsEmpty());
  EXPECT_THAT(complaints_of(CompleteRun(Level::kGate, "numerics")), IsEmpty());
  // The pattern also matches cases of other suites, which were not run.
  EXPECT_THAT(complaints_of(CompleteRun(Level::kGate, "attributes"), "*"), IsEmpty());
  RunRecord shard = whole;
  shard.shard = {0, 2};
  EXPECT_THAT(complaints_of(shard), IsEmpty());
  RunRecord filtered = whole;
  filtered.case_list_hash = "0123456789abcdef";
  EXPECT_THAT(complaints_of(filtered), IsEmpty());
  RunRecord interrupted = whole;
  interrupted.unjudged = 1;
  EXPECT_THAT(complaints_of(interrupted), IsEmpty());
  for (const Status status : {Status::kTooLarge, Status::kSkippedAfterHangs}) {
    RunRecord left_out = whole;
    left_out.results[2].verdict.status = status;
    EXPECT_THAT(complaints_of(left_out), IsEmpty());
    left_out.results[2].origin.name = "even";  // no case of the pattern
    EXPECT_THAT(complaints_of(left_out), SizeIs(1));
  }
  // The number of failures counts those of one backend, so it is not compared with two runs.
  std::vector<RunRecord> two = {whole, whole};
  for (RunRecord& run : two) {
    for (CaseResult& result : run.results) MarkExpected(Numbered(1), result);
  }
  EXPECT_THAT(Reconcile(Numbered(1), kToday, two).complaints, IsEmpty());
}

TEST(Expectations, MatchAFieldWhereverItStands) {
  CaseResult result = Result("a", FailureClass::kCrash);
  EXPECT_TRUE(MatchesCase("*:filter=1,1,3:*", result));
  EXPECT_TRUE(MatchesCase("*:data=1,1,3:*", result));
  EXPECT_FALSE(MatchesCase("*:filter=1,1:*", result));
}

}  // namespace
}  // namespace conformance
