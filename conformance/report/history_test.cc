// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the lines and pictures of histories, also with text that looks like markup. Also tests that the CTRF report (a
// JSON format that CI tools read) has the members that its schema requires.

#include "conformance/report/history.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/report_formats.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// The entries of a history; none if it cannot be read.
std::vector<HistoryEntry> EntriesOf(const std::string& text) {
  const auto read = ReadHistory(text);
  const auto* entries = std::get_if<std::vector<HistoryEntry>>(&read);
  return entries == nullptr ? std::vector<HistoryEntry>() : *entries;
}

/// The error of a history that cannot be read, or an empty string.
std::string ErrorOf(const std::string& text) {
  const auto read = ReadHistory(text);
  const auto* error = std::get_if<std::string>(&read);
  return error == nullptr ? "" : *error;
}

HistoryEntry EntryOfTest(const std::string& revision) {
  return {.time = "2030-01-31T12:00:00Z",
          .revision = revision,
          .backend = "kernel",
          .version = "1",
          .level = "smoke",
          .passed = 90,
          .failed = 10,
          .expected = 4,
          .not_run = 3,
          .seconds = 1.5,
          .exit_code = 1};
}

TEST(Ctrf, HasWhatTheSchemaRequires) {
  RunRecord run = EveryFailure();
  run.results[1].verdict.known_failure = "known";
  run.seconds = 2;
  const std::vector<RunRecord> runs = {run};
  const json report = json::parse(CtrfReport(SummariesOf(runs), DescriptionOfTest()));
  EXPECT_EQ(report["reportFormat"], "CTRF");
  EXPECT_TRUE(report["specVersion"].is_string());
  const json& results = report["results"];
  EXPECT_EQ(results["tool"]["name"], "deconv-cts");
  std::map<std::string, std::size_t> counts;
  for (const json& test : results["tests"]) {
    EXPECT_TRUE(test["name"].is_string() && test["duration"].is_number_integer());
    ++counts[test["status"].get<std::string>()];
  }
  EXPECT_EQ(results["tests"].size(), run.results.size());
  EXPECT_EQ(counts["passed"], 1u);
  EXPECT_EQ(counts["skipped"], 1u);
  EXPECT_EQ(counts["failed"], run.results.size() - 2);
  const json& summary = results["summary"];
  for (const char* status : {"passed", "failed", "skipped", "pending", "other"})
    EXPECT_EQ(summary[status], counts[status]);
  EXPECT_EQ(summary["tests"], run.results.size());
  EXPECT_EQ(summary["stop"].get<std::int64_t>() - summary["start"].get<std::int64_t>(), 2000);
  EXPECT_THAT(results["tests"][2]["trace"].get<std::string>(), HasSubstr("replay: deconv-cts replay"));
  EXPECT_THAT(results["tests"][1]["message"].get<std::string>(), HasSubstr("expected to fail: known"));
}

TEST(History, CountsARunAndReadsItAgain) {
  RunRecord run = EveryFailure();
  run.results[1].verdict.known_failure = "known";
  run.unjudged = 2;
  run.backend = kHostile;
  const std::vector<RunRecord> runs = {run};
  const auto written = HistoryOf(SummariesOf(runs), DescriptionOfTest(), "2030-01-31T12:00:00Z", "abc");
  const auto read = EntriesOf(HistoryLines(written) + "\n" + HistoryLines(written));
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].passed, 1u);
  EXPECT_EQ(read[0].failed, run.results.size() - 1);
  EXPECT_EQ(read[0].expected, 1u);
  EXPECT_EQ(read[0].not_run, 2u);
  EXPECT_EQ(read[0].exit_code, 1);
}

TEST(History, SaysWhichLineIsWrong) {
  const std::string line = HistoryLines(std::vector{EntryOfTest("a")});
  EXPECT_EQ(ErrorOf(line), "");
  EXPECT_THAT(ErrorOf(line + "{\n"), HasSubstr("line 2: expected a JSON object"));
  EXPECT_THAT(ErrorOf("[1]\n"), HasSubstr("line 1: expected a JSON object"));
  for (const auto& [member, value] : std::map<std::string, json>{{"passed", -1},
                                                                 {"failed", 1e300},
                                                                 {"expected_failures", 11},
                                                                 {"not_run", "3"},
                                                                 {"seconds", -1.0},
                                                                 {"exit_code", 256},
                                                                 {"backend", nullptr},
                                                                 {"time", std::string(5000, 'x')}}) {
    json object = json::parse(line);
    object[member] = value;
    EXPECT_THAT(ErrorOf(object.dump()), HasSubstr("the member " + member + " is missing or wrong"));
    object.erase(member);
    EXPECT_THAT(ErrorOf(object.dump()), HasSubstr("the member " + member));
  }
}

TEST(History, DrawsTheLastRunsOfEachBackend) {
  std::vector<HistoryEntry> entries(kMostShownRuns + 5, EntryOfTest("0123456789abcdef"));
  entries.back().backend = kHostile;
  entries.back().revision = kHostile;
  pugi::xml_document document;
  const std::string svg = HistorySvg(entries);
  ASSERT_TRUE(document.load_string(svg.c_str())) << svg;
  // A bar (g) for each run with a part (rect) for each kind of verdict, and a line of times for each of the 2 backends.
  EXPECT_EQ(document.select_nodes("//g").size(), kMostShownRuns + 1);
  EXPECT_EQ(document.select_nodes("//polyline").size(), 2u);
  EXPECT_EQ(document.select_nodes("//g[1]/rect").size(), 3u);
  EXPECT_THAT(svg, HasSubstr("90 passed, 10 failed (4 of them expected), 3 not run, 1.5 s, exit code 1"));
  const std::string page = HistoryHtml(entries);
  EXPECT_THAT(page, Not(HasSubstr("</script>")));
  EXPECT_THAT(page, HasSubstr("<svg"));
  entries.assign(1, EntryOfTest(""));
  entries[0].passed = entries[0].failed = entries[0].expected = 0;
  EXPECT_TRUE(document.load_string(HistorySvg(entries).c_str()));
}

TEST(History, MendsTheHalfLineOfAKilledRun) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "history_test.jsonl";
  std::filesystem::remove(path);
  const std::string line = HistoryLines(std::vector{EntryOfTest("a")});
  EXPECT_EQ(AppendHistory(path, line), "");
  std::ofstream(path, std::ios::app) << "{\"record\"";
  EXPECT_EQ(AppendHistory(path, line), "");
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text, line + "{\"record\"\n" + line);
  EXPECT_THAT(AppendHistory("/no/such/folder/file", line), HasSubstr("cannot be opened"));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace conformance
