// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the merged reports of shards (the parts of a run that several machines judged) equal the report of the
// whole run, and that missing, duplicate and foreign cases are named.

#include "conformance/report/merge.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/json.h"
#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t kCases = 9;  // of the whole run; three shards have three each

/// The result of a case of the run. Case 4 fails, and case 7 decides between dialects; the others pass.
CaseResult ResultAt(std::size_t case_index) {
  CaseResult result;
  result.origin.case_index = case_index;
  result.origin.suite = "attributes";
  result.origin.name = fmt::format("case-{}", case_index);
  result.judged.line = fmt::format("ConvolutionBackpropData:data=1,1,{}:filter=1,1,3", case_index + 3);
  result.verdict.status = Status::kPass;
  result.outputs.count = 5;
  result.judged.dialect = "openvino-spec";
  if (case_index == 4) {
    result.verdict.status = Status::kFail;
    result.verdict.failure = FailureClass::kHang;
    result.verdict.message = "no answer";
    result.trace.replay_options = "--timeout 0.5";
  }
  if (case_index == 7) {
    result.answer.fits = std::vector<std::string>{"openvino-spec"};
  }
  return result;
}

/// The report of shard `index` of `count` on these backends. Its cases are index, index + count, and so on.
NamedReport Report(std::uint64_t index, std::uint64_t count, const std::vector<std::string>& backends = {"some"}) {
  NamedReport report{fmt::format("{}.jsonl", index), {}};
  report.content.description.suite_version = "1.2";
  report.content.description.level = "smoke";
  report.content.description.suites = {"attributes"};
  report.content.description.seed = 7;
  report.content.description.key = fmt::format("{:016x}", index);
  report.content.complete = true;
  ListHash hash;
  for (std::size_t case_index = 0; case_index < kCases; ++case_index)
    hash.Add(ResultAt(case_index).id(), ResultAt(case_index).judged.line);
  for (const std::string& backend : backends) {
    RunRecord run;
    run.backend = backend;
    run.declared.name = backend;
    run.declared.dialects = {oracle::Dialect::kOpenvinoSpec};
    run.shard = {index, count};
    run.case_list_size = kCases;
    run.case_list_hash = hash.Text();
    run.seconds = 1;
    for (std::size_t case_index = index; case_index < kCases; case_index += count)
      run.results.push_back(ResultAt(case_index));
    report.content.runs.push_back(std::move(run));
  }
  return report;
}

/// The reports of all shards.
std::vector<NamedReport> Shards(std::uint64_t count, const std::vector<std::string>& backends = {"some"}) {
  std::vector<NamedReport> shards;
  for (std::uint64_t index = 0; index < count; ++index) shards.push_back(Report(index, count, backends));
  return shards;
}

/// The complaints of the merge, or the error that the reports cannot be merged.
std::vector<std::string> ComplaintsOf(const std::vector<NamedReport>& reports) {
  auto merged = MergeReports(reports);
  if (const auto* error = std::get_if<std::string>(&merged)) return {"incompatible: " + *error};
  return std::get<Merged>(std::move(merged)).complaints;
}

/// The text of a report without the facts that differ from run to run.
std::string TextOf(ReportContent content) {
  for (RunRecord& run : content.runs) {
    run.seconds = 0;
  }
  content.description.key.clear();
  return JsonReport(SummariesOf(content.runs), content.description);
}

TEST(Merge, ShardsAreTheWholeInAnyOrder) {
  const NamedReport whole = Report(0, 1, {"some", "other"});
  for (const std::uint64_t count : {1, 2, 4, 9, 12}) {
    std::vector<NamedReport> shards = Shards(count, {"some", "other"});
    std::ranges::reverse(shards);
    auto merged = MergeReports(shards);
    ASSERT_TRUE(std::holds_alternative<Merged>(merged)) << std::get<std::string>(merged);
    auto& [content, complaints] = std::get<Merged>(merged);
    EXPECT_THAT(complaints, IsEmpty());
    EXPECT_TRUE(content.complete);
    EXPECT_EQ(TextOf(content), TextOf(whole.content)) << count;
    EXPECT_EQ(content.runs.at(0).seconds, static_cast<double>(count));
  }
}

TEST(Merge, NamesShardsThatAreMissingOrDoubled) {
  std::vector<NamedReport> shards = Shards(4);
  shards.erase(shards.begin() + 2);
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("shard 2 of 4 is missing", "2 of 9 cases are missing for some"));

  shards = Shards(4);
  shards.push_back(Report(1, 4));
  shards.back().name = "copy.jsonl";
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("shard 1 of 4 is given twice: 1.jsonl and copy.jsonl"));

  shards = Shards(4);
  shards[3].content.complete = false;
  shards[3].content.runs[0].results.pop_back();
  shards[3].content.runs[0].unjudged = 1;
  EXPECT_THAT(ComplaintsOf(shards),
              ElementsAre("shard 3 of 4 is incomplete: 3.jsonl ends before its summary and has no verdict on 1 of its "
                          "cases",
                          "1 of 9 cases are missing for some"));

  shards = Shards(2, {"some", "other"});
  shards[1].content.runs.pop_back();
  EXPECT_THAT(ComplaintsOf(shards),
              ElementsAre("shard 1 of 2 has no run of other: 1.jsonl", "4 of 9 cases are missing for other"));

  // Each shard could not load one of the two backends.
  shards = Shards(2, {"some", "other"});
  shards[0].content.runs.pop_back();
  shards[0].content.description.errors = {"other"};
  shards[1].content.runs.erase(shards[1].content.runs.begin());
  EXPECT_THAT(ComplaintsOf(shards), testing::Contains("shard 0 of 2 has no run of other: 0.jsonl"));

  EXPECT_THAT(ComplaintsOf({Report(5, 1'000'000)}).back(), HasSubstr("cases are missing for some"));
  // The first 20 missing shards are named (kMostNamed of merge.cc); one line counts the rest.
  EXPECT_EQ(ComplaintsOf({Report(5, 1'000'000)}).at(20), "999979 more shards of 1000000 are missing");
}

TEST(Merge, TakesTheMoreCompleteOfTwoReportsOfAShard) {
  std::vector<NamedReport> shards = Shards(2);
  shards.push_back(Report(1, 2));
  shards[1].content.complete = false;
  shards[1].content.runs[0].results.clear();
  shards[1].content.runs[0].unjudged = 4;
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("shard 1 of 2 is given twice: 1.jsonl and 1.jsonl"));
}

TEST(Merge, NamesCasesThatAreMissingOrDoubled) {
  std::vector<NamedReport> shards = Shards(2, {"some", "other"});
  std::erase_if(shards[1].content.runs[0].results,
                [](const CaseResult& result) { return result.origin.case_index == 5; });
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("case 5 of 9 (attributes/case-5) is missing for some"))
      << "known from the other backend";

  shards = Shards(2);
  shards[1].content.runs[0].results.erase(shards[1].content.runs[0].results.begin());
  const auto merged =
      MergeReports(shards, [](std::size_t case_index) { return fmt::format("planned/{}", case_index); });
  EXPECT_THAT(std::get<Merged>(merged).complaints, ElementsAre("case 1 of 9 (planned/1) is missing for some"));
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("case 1 of 9 is missing for some"));
  EXPECT_EQ(std::get<Merged>(merged).content.runs.at(0).unjudged, 1u);

  shards = Shards(2);
  shards[1].content.runs[0].results.push_back(ResultAt(2));
  EXPECT_THAT(ComplaintsOf(shards), ElementsAre("case 2 (attributes/case-2) has two verdicts for some: in 0.jsonl and "
                                                "1.jsonl"));
}

TEST(Merge, SaysWhyReportsAreNoShardsOfOneRun) {
  const auto complaint = [](auto change) {
    std::vector<NamedReport> shards = Shards(2);
    change(shards[1].content);
    const auto merged = MergeReports(shards);
    const auto* words = std::get_if<std::string>(&merged);
    return words == nullptr ? std::string("none") : *words;
  };
  using Content = ReportContent;
  EXPECT_EQ(complaint([](Content& content) { content.description.seed = 8; }),
            "1.jsonl: seed: found 8, expected 7 as in 0.jsonl");
  EXPECT_EQ(complaint([](Content& content) { content.runs[0].backend = "other"; }),
            "1.jsonl: backends: found other, expected some as in 0.jsonl");
  EXPECT_THAT(complaint([](Content& content) { content.description.level = "full"; }), HasSubstr("level: found full"));
  EXPECT_THAT(complaint([](Content& content) { content.description.suites = {}; }), HasSubstr("suites: found "));
  EXPECT_THAT(complaint([](Content& content) { content.description.suite_version = "2"; }),
              HasSubstr("suite version: found 2, expected 1.2"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].case_list_hash = "x"; }),
              HasSubstr("case list hash: found x"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].case_list_size = 8; }),
              HasSubstr("cases in the case list: found 8"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].shard.count = 3; }),
              HasSubstr("number of shards: found 3, expected 2"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].shard = {2, 2}; }), HasSubstr("found 2 of 2"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].declared.max_rank = 9; }),
              HasSubstr("1.jsonl: some declares other capabilities than in 0.jsonl"));
  EXPECT_THAT(complaint([](Content& content) { content.runs[0].results[0].judged.line += ":seed=1"; }),
              HasSubstr("the reports hold other cases"));
}

TEST(Merge, JoinsTheErrorsOfShards) {
  std::vector<NamedReport> shards = Shards(3);
  shards[0].content.description.errors = {"missing.so"};
  shards[2].content.description.errors = {"missing.so", "other.so"};
  EXPECT_THAT(std::get<Merged>(MergeReports(shards)).content.description.errors, ElementsAre("missing.so", "other.so"));
}

}  // namespace
}  // namespace conformance
