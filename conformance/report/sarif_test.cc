// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the SARIF report has the members that the standard requires, the same fingerprints in each run, and a
// suppression for each known failure.

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/report_formats.h"
#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// The first member that breaks SARIF 2.1.0; empty if none does.
std::string FirstViolation(const json& log) {
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  if (log.value("version", "") != "2.1.0") return "version";
  if (!log.contains("runs") || !log["runs"].is_array()) return "runs";
  for (const json& run : log["runs"]) {
    if (!run.contains("tool") || !run["tool"]["driver"]["name"].is_string()) return "tool.driver.name";
    std::set<std::string> ids;
    for (const json& rule : run["tool"]["driver"]["rules"]) {
      if (!rule["id"].is_string() || !ids.insert(rule["id"]).second) return "rule.id";
      if (!rule["shortDescription"]["text"].is_string() || !rule["fullDescription"]["text"].is_string())
        return "rule text";
      if (!levels.contains(rule["defaultConfiguration"]["level"])) return "rule level";
    }
    for (const json& invocation : run["invocations"]) {
      if (!invocation["executionSuccessful"].is_boolean()) return "executionSuccessful";
      for (const json& notification : invocation.value("toolExecutionNotifications", json::array())) {
        if (!notification["message"]["text"].is_string()) return "notification";
      }
    }
    if (!run["results"].is_array()) return "results";
    for (const json& result : run["results"]) {
      if (!result.contains("message") || !result["message"].contains("text")) return "message.text";
      if (!levels.contains(result.value("level", ""))) return "level";
      const auto index = result["ruleIndex"].get<std::size_t>();
      if (run["tool"]["driver"]["rules"].at(index)["id"] != result["ruleId"]) return "ruleIndex";
      for (const auto& [key, value] : result["partialFingerprints"].items()) {
        if (!value.is_string() || key.empty()) return "partialFingerprints";
      }
      if (!result.contains("suppressions")) return "suppressions: some results have them and others do not";
      for (const json& suppression : result["suppressions"]) {
        const auto kind = suppression.value("kind", "");
        if (kind != "external" && kind != "inSource") return "suppression.kind";
      }
      for (const json& location : result["locations"]) {
        if (!location["logicalLocations"].is_array()) return "logicalLocations";
        // GitHub asks for these members beside the standard.
        if (!location.contains("physicalLocation")) return "physicalLocation";
        if (!location["physicalLocation"]["artifactLocation"]["uri"].is_string()) return "uri";
        if (location["physicalLocation"]["region"].value("startLine", 0) < 1) return "startLine";
      }
    }
  }
  return "";
}

TEST(SarifReport, IsWhatTheStandardAsksFor) {
  const std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  const json log = json::parse(SarifReport(SummariesOf(runs), DescriptionOfTest()));
  EXPECT_EQ(FirstViolation(log), "");
  ASSERT_EQ(log["runs"].size(), 2u);
  EXPECT_EQ(log["runs"][0]["results"].size(), kFailureClasses.size());
  EXPECT_EQ(log["runs"][0]["invocations"][0]["exitCode"], 1);
  std::set<std::string> ids;
  for (const json& result : log["runs"][0]["results"]) ids.insert(result["ruleId"].get<std::string>());
  EXPECT_EQ(ids.size(), kFailureClasses.size());
  const json& first = log["runs"][0]["results"][0];
  EXPECT_EQ(first["level"], "error");
  EXPECT_EQ(first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "attributes/bad-wrong-value");
  EXPECT_THAT(first["message"]["text"].get<std::string>(), HasSubstr("replay: deconv-cts replay --backend fault:some"));
  EXPECT_EQ(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "deconv-cts/attributes/bad-wrong-value");
  EXPECT_THAT(first["message"]["text"].get<std::string>(), Not(HasSubstr("](")));
  EXPECT_EQ(first["properties"]["coordinate"], json({0, 0, 1, 2}));
  EXPECT_FALSE(first["properties"].contains("error")) << "an infinity is no number of JSON";
}

TEST(SarifReport, ItsCheckFailsOnWhatIsMissing) {
  const std::vector<RunRecord> runs = {EveryFailure()};
  const json log = json::parse(SarifReport(SummariesOf(runs), DescriptionOfTest()));
  const auto without = [&](const char* path) {
    json spoilt = log;
    const json::json_pointer pointer(path);
    spoilt.at(pointer.parent_pointer()).erase(pointer.back());
    return FirstViolation(spoilt);
  };
  EXPECT_EQ(without("/version"), "version");
  EXPECT_EQ(without("/runs/0/results/3/message/text"), "message.text");
  EXPECT_EQ(without("/runs/0/results/3/level"), "level");
  EXPECT_THAT(without("/runs/0/results/3/suppressions"), HasSubstr("suppressions"));
  json spoilt = log;
  spoilt["runs"][0]["results"][0]["ruleIndex"] = 1;
  EXPECT_EQ(FirstViolation(spoilt), "ruleIndex");
}

TEST(SarifReport, WarnsAndSuppresses) {
  const std::vector<RunRecord> runs = {EveryWarning()};
  const json log = json::parse(SarifReport(SummariesOf(runs), DescriptionOfTest()));
  EXPECT_EQ(FirstViolation(log), "");
  const json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 3u) << "what was not run is no finding";
  EXPECT_EQ(results[0]["suppressions"][0]["justification"], "known: https://github.com/some/where/issues/3");
  EXPECT_EQ(results[1]["ruleId"], "imprecise");
  EXPECT_EQ(results[1]["level"], "warning");
  EXPECT_EQ(results[1]["suppressions"].size(), 0u);
  EXPECT_EQ(results[2]["level"], "note");
}

TEST(SarifReport, KnowsTheFileOfACase) {
  RunRecord run = EveryFailure();
  run.results[1].origin.file = "my cases/./list.txt";
  run.results[1].origin.file_line = 7;
  const json log = json::parse(SarifReport(SummariesOf({&run, 1}), DescriptionOfTest()));
  const json& location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(location["artifactLocation"]["uri"], "my%20cases/list.txt");
  EXPECT_EQ(location["region"]["startLine"], 7);
}

TEST(SarifReport, FingerprintsStayWhileTheCaseAndItsFailureDo) {
  RunRecord run = EveryFailure();
  const auto fingerprints = [&] {
    std::vector<std::string> found;
    const json log = json::parse(SarifReport(SummariesOf({&run, 1}), DescriptionOfTest()));
    for (const json& result : log["runs"][0]["results"]) {
      found.push_back(result["partialFingerprints"]["ruleAndCase/v1"]);
    }
    return found;
  };
  const std::vector<std::string> before = fingerprints();
  EXPECT_EQ(std::set(before.begin(), before.end()).size(), kFailureClasses.size());
  run.results[1].verdict.message = "other words";
  run.results[1].seconds.total = 9;
  run.results.erase(run.results.begin());
  Number(run);
  EXPECT_EQ(fingerprints(), before);
  run.results[0].verdict.failure = FailureClass::kCrash;
  EXPECT_NE(fingerprints(), before);
}

TEST(SarifReport, IsValidWithoutRunsAndResults) {
  const json none = json::parse(SarifReport({}, DescriptionOfTest()));
  EXPECT_EQ(FirstViolation(none), "");
  EXPECT_EQ(none["runs"].size(), 0u);
  RunDescription description = DescriptionOfTest();
  description.errors = {"other.so: \xFF"};
  RunRecord empty;
  empty.unjudged = 4;
  const json log = json::parse(SarifReport(SummariesOf({&empty, 1}), description));
  EXPECT_EQ(FirstViolation(log), "");
  const json& invocation = log["runs"][0]["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "other.so: \uFFFD");
}

}  // namespace
}  // namespace conformance
