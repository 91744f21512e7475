// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the comparison of an old and a new report: each change is classified correctly, equal cases are paired, and
// reports that cannot be compared are refused.

#include "conformance/report/diff.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/json.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A result of the case with this name.
CaseResult Result(const std::string& name, Status status = Status::kPass, FailureClass failure = FailureClass::kNone) {
  CaseResult result;
  result.origin.suite = "attributes";
  result.origin.name = name;
  result.judged.line = "line-of-" + name;
  result.verdict.status = status;
  result.verdict.failure = failure;
  return result;
}

CaseResult Failure(const std::string& name, FailureClass failure = FailureClass::kWrongValue) {
  return Result(name, Status::kFail, failure);
}

/// A report of one backend with these results.
ReportContent Report(std::vector<CaseResult> results, const std::string& backend = "some") {
  ReportContent content;
  content.description.suite_version = "1.2";
  content.description.level = "gate";
  content.complete = true;
  RunRecord& run = content.runs.emplace_back();
  run.backend = backend;
  run.case_list_size = results.size();
  run.case_list_hash = "0";
  for (std::size_t i = 0; i < results.size(); ++i) results[i].origin.case_index = i;
  run.results = std::move(results);
  return content;
}

/// "fixed a; newly-failing b": what changed, with the names of the cases.
std::string Changes(const ReportContent& old_report, const ReportContent& new_report, const DiffOptions& options = {}) {
  const auto compared = DiffReports(old_report, new_report, options);
  if (const auto* error = std::get_if<std::string>(&compared)) return *error;
  std::string text;
  for (const BackendDiff& backend : std::get<ReportDiff>(compared).backends) {
    for (const ChangeWord& word : kChanges) {
      for (const CasePair& pair : backend.of(word.change)) {
        const CaseResult& one = pair.new_result != nullptr ? *pair.new_result : *pair.old_result;
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", word.name, one.origin.name);
      }
    }
  }
  return text;
}

/// The changes between two reports of one case each.
std::string ChangeOf(const CaseResult& before, const CaseResult& now) {
  return Changes(Report({before}), Report({now}));
}

TEST(Diff, ClassifiesEachChangeOfAVerdict) {
  EXPECT_EQ(ChangeOf(Result("a"), Result("a")), "");
  EXPECT_EQ(ChangeOf(Failure("a"), Failure("a")), "");
  EXPECT_EQ(ChangeOf(Result("a"), Failure("a")), "newly-failing a");
  EXPECT_EQ(ChangeOf(Result("a", Status::kUndeclared), Failure("a")), "newly-failing a");
  EXPECT_EQ(ChangeOf(Failure("a"), Result("a")), "fixed a");
  EXPECT_EQ(ChangeOf(Failure("a"), Result("a", Status::kImprecise)), "fixed a");
  EXPECT_EQ(ChangeOf(Failure("a"), Failure("a", FailureClass::kCrash)), "other-failure a");
  EXPECT_EQ(ChangeOf(Result("a"), Result("a", Status::kImprecise)), "other-status a");
  EXPECT_EQ(ChangeOf(Result("a"), Result("a", Status::kTooLarge)), "no-longer-judged a");
  EXPECT_EQ(ChangeOf(Failure("a"), Result("a", Status::kUndeclared)), "no-longer-judged a") << "that mends nothing";
  EXPECT_EQ(ChangeOf(Result("a", Status::kUndeclared), Result("a")), "newly-judged a");
  EXPECT_EQ(ChangeOf(Result("a", Status::kUndeclared), Result("a", Status::kTooLarge)), "other-status a");
  CaseResult known = Failure("a");
  known.verdict.known_failure = "known";
  EXPECT_EQ(ChangeOf(Result("a"), known), "newly-expected a");
  EXPECT_EQ(ChangeOf(known, Result("a")), "fixed a");
}

TEST(Diff, ReportsErrorsThatGrew) {
  const auto ratio = [](double value) {
    CaseResult result = Result("a");
    result.outputs.worst_ratio = value;
    return result;
  };
  // By default an error must become twice as large, and exceed a twentieth of the bound.
  EXPECT_EQ(ChangeOf(ratio(0.1), ratio(0.25)), "error-drift a");
  EXPECT_EQ(ChangeOf(ratio(0.25), ratio(0.1)), "");
  EXPECT_EQ(ChangeOf(ratio(0.1), ratio(0.19)), "");
  EXPECT_EQ(ChangeOf(ratio(0), ratio(0.06)), "error-drift a");
  EXPECT_EQ(ChangeOf(ratio(0), ratio(0.04)), "") << "less than one rounding may take";
  EXPECT_EQ(Changes(Report({ratio(0.1)}), Report({ratio(0.25)}), {.drift = 3}), "");
}

TEST(Diff, ReportsAnotherImplementation) {
  CaseResult before = Result("a");
  before.answer.implementation = "gemm";
  CaseResult now = before;
  now.answer.implementation = "direct";
  EXPECT_EQ(ChangeOf(before, now), "other-implementation a");
  now.verdict.status = Status::kFail;
  EXPECT_EQ(ChangeOf(before, now), "newly-failing a; other-implementation a");
  now.verdict.status = Status::kUndeclared;
  EXPECT_EQ(ChangeOf(before, now), "no-longer-judged a") << "nothing ran";
}

TEST(Diff, FindsCasesByIdAndLine) {
  EXPECT_EQ(Changes(Report({Result("a"), Result("gone")}), Report({Result("a"), Failure("come")})),
            "new come; vanished gone");
  // The case `renamed` is an old one under another id.
  CaseResult renamed = Failure("b");
  renamed.judged.line = Result("a").judged.line;
  EXPECT_EQ(Changes(Report({Result("a")}), Report({renamed})), "newly-failing b; renamed b");
  // The case `other` has the id of an old case, but a line that no old case has.
  CaseResult other = Failure("a");
  other.judged.line = "another line";
  EXPECT_EQ(Changes(Report({Result("a")}), Report({other})), "newly-failing a; other-case a");
  // All ids are shifted by one. The pairing must follow the lines.
  CaseResult moved = Failure("b");
  moved.judged.line = Result("a").judged.line;
  CaseResult last = Result("c");
  last.judged.line = Result("b").judged.line;
  EXPECT_EQ(Changes(Report({Failure("a"), Result("b")}), Report({moved, last})), "renamed b; renamed c");
  // Cases from the command line have the same id and must be paired by line.
  CaseResult first = Result("case");
  CaseResult second = Failure("case");
  second.judged.line = "second";
  EXPECT_EQ(Changes(Report({first, second}), Report({second, first})), "");
  first.origin.suite = second.origin.suite = "command-line";
  EXPECT_EQ(Changes(Report({first}), Report({second})), "no case is in both reports");
}

TEST(Diff, PairsBackends) {
  EXPECT_EQ(Changes(Report({Result("a")}, "old/lib.so"), Report({Failure("a")}, "new/lib.so")), "newly-failing a")
      << "one with one";
  ReportContent two = Report({Failure("a")}, "kernel");
  two.runs.push_back(Report({Result("a")}, "oracle").runs[0]);
  EXPECT_EQ(Changes(two, Report({Result("a")}, "kernel")), "fixed a");
  EXPECT_EQ(Changes(two, Report({Result("a")}, "third")),
            "no backend is in both reports: kernel, oracle before, third now");
  EXPECT_EQ(Changes(Report({Result("a")}), Report({Result("b")})), "no case is in both reports");
}

TEST(Diff, WarnsOfOtherSettingsAndDeclarations) {
  const ReportContent before = Report({Result("a")});
  const auto warnings = [&](auto change) {
    ReportContent now = Report({Result("a")});
    change(now);
    return std::get<ReportDiff>(DiffReports(before, now)).warnings;
  };
  using Content = ReportContent;
  EXPECT_THAT(warnings([](Content&) {}), IsEmpty());
  EXPECT_THAT(warnings([](Content& now) { now.description.seed = 3; }), ElementsAre("seed: 0 before, 3 now"));
  EXPECT_THAT(warnings([](Content& now) { now.description.level = "full"; }),
              ElementsAre("level: gate before, full now"));
  EXPECT_THAT(warnings([](Content& now) { now.description.suites = {"layers"}; }),
              ElementsAre("suites: all before, layers now"));
  EXPECT_THAT(warnings([](Content& now) { now.runs[0].case_list_hash = "1"; }),
              ElementsAre(HasSubstr("the case lists differ")));
  EXPECT_THAT(warnings([](Content& now) { now.complete = false; }),
              ElementsAre("the new report ends before its summary"));
  EXPECT_THAT(warnings([](Content& now) { now.runs[0].declared.max_rank = 9; }), ElementsAre(HasSubstr("max_rank")));
  EXPECT_THAT(warnings([](Content& now) { now.description.errors = {"no.so"}; }), ElementsAre("the new report: no.so"));
}

TEST(DiffText, CountsTheChangesAndNamesTheirCases) {
  const ReportContent before = Report({Result("a"), Failure("b")});
  CaseResult worse = Failure("a");
  worse.verdict.message = "output [0]: expected 1, got 2";
  worse.trace.replay_options = "--timeout 0.5";
  const ReportContent now = Report({worse, Result("b")});
  const auto compared = DiffReports(before, now);
  const auto& diff = std::get<ReportDiff>(compared);
  const std::string text = DiffText(diff);
  EXPECT_THAT(text, HasSubstr("some: 2 cases compared\n"));
  EXPECT_THAT(text, HasSubstr("1 newly-failing"));
  EXPECT_THAT(text, HasSubstr("attributes/a: pass -> wrong-value: output [0]: expected 1, got 2\n"));
  EXPECT_THAT(text, HasSubstr("replay: deconv-cts replay --backend some --timeout 0.5 line-of-a\n"));
  EXPECT_THAT(text, HasSubstr("attributes/b: wrong-value -> pass\n"));
  const auto json = nlohmann::json::parse(DiffJson(diff, 1));
  EXPECT_EQ(json.at("backends").at(0).at("changes").at("fixed").at(0).at("old").at("failure"), "wrong-value");
  EXPECT_EQ(json.at("exit_code"), 1);
  const auto same = DiffReports(now, now);
  EXPECT_THAT(DiffText(std::get<ReportDiff>(same)), HasSubstr("nothing changed"));
}

TEST(DiffText, ListsAtMostTwentyFailures) {
  std::vector<CaseResult> right;
  std::vector<CaseResult> wrong;
  for (int i = 0; i < 30; ++i) {
    right.push_back(Result(fmt::format("case-{}", i)));
    wrong.push_back(Failure(fmt::format("case-{}", i)));
  }
  const ReportContent before = Report(right);
  const ReportContent now = Report(wrong);
  const auto compared = DiffReports(before, now);
  const std::string text = DiffText(std::get<ReportDiff>(compared));
  EXPECT_THAT(text, HasSubstr("attributes/case-19: "));
  EXPECT_THAT(text, Not(HasSubstr("attributes/case-20: ")));
  EXPECT_THAT(text, HasSubstr("... and 10 more\n"));
}

TEST(Diff, ListsTheChoicesThatChanged) {
  CaseResult computed = Result("empty");
  computed.answer.choices = {{.clause = "S8", .point = "a batch of 0", .computed = true}};
  CaseResult refused = Result("empty");
  refused.answer.choices = {{.clause = "S8", .point = "a batch of 0", .computed = false}};
  const auto choices = [](const CaseResult& before, const CaseResult& now) {
    const ReportContent old_report = Report({before});
    const ReportContent new_report = Report({now});
    return DiffText(std::get<ReportDiff>(DiffReports(old_report, new_report)));
  };
  EXPECT_THAT(choices(computed, refused),
              HasSubstr("open point S8: a batch of 0: \"computes\" before, \"refuses\" now\n"));
  EXPECT_THAT(choices(refused, refused), HasSubstr("nothing changed"));
  EXPECT_THAT(choices(Result("empty"), refused), HasSubstr("nothing changed"));
}

}  // namespace
}  // namespace conformance
