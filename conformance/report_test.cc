// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports say what the run found, parse as what they claim to be, and are whole or not there.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report_console.h"
#include "conformance/report_coverage.h"
#include "conformance/report_file.h"
#include "conformance/report_json.h"
#include "conformance/report_junit.h"

namespace conformance {
namespace {

using testing::HasSubstr;

RunRecord Record() {
  RunRecord record;
  record.backend = "fault:some";
  record.declared.name = "some";
  record.declared.version = "1";
  record.declared.dialects = {oracle::Dialect::kOpenvinoSpec};
  CaseResult pass;
  pass.suite = "attributes";
  pass.name = "good";
  pass.line = "ConvolutionBackpropData:data=1,1,3:filter=1,1,3";
  pass.outputs = 5;
  pass.worst_ratio = 0.25;
  CaseResult fail = pass;
  fail.name = "bad";
  fail.status = Status::kFail;
  fail.failure = FailureClass::kWrongValue;
  fail.message = "output [0,0,2]: expected 1 < 2 & \x01 \xff";
  fail.clauses = {"P3", "V1"};
  fail.first_wrong = WrongOutput{{0, 0, 2}, "1", "inf", std::numeric_limits<double>::infinity(), 0.5, 3};
  fail.wrong_outputs = 2;
  CaseResult skipped = pass;
  skipped.suite = "layers";
  skipped.name = "large";
  skipped.status = Status::kUndeclared;
  skipped.message = "rank 6 (declared: 3 to 5)";
  record.results = {pass, fail, skipped};
  return record;
}

TEST(JunitReport, CountsAndNamesWhatFailed) {
  const RunRecord record = Record();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(JunitReport({&record, 1}).c_str()));
  const pugi::xml_node suite =
      document.child("testsuites").find_child_by_attribute("testsuite", "name", "fault:some.attributes");
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  const pugi::xml_node bad = suite.find_child_by_attribute("testcase", "name", "bad");
  EXPECT_STREQ(bad.child("failure").attribute("type").value(), "wrong-value");
  EXPECT_THAT(bad.child("failure").attribute("message").value(), HasSubstr("expected 1 < 2 & ?"));
  EXPECT_THAT(bad.child("failure").text().get(), HasSubstr("deconv-cts replay --backend fault:some Convolution"));
  const pugi::xml_node layers =
      document.child("testsuites").find_child_by_attribute("testsuite", "name", "fault:some.layers");
  EXPECT_EQ(layers.attribute("skipped").as_int(), 1);
}

TEST(JsonReport, HasARecordForEachCaseAndASummary) {
  const RunRecord record = Record();
  RunDescription description;
  description.exit_code = 1;
  std::istringstream lines(JsonReport({&record, 1}, description));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 5u);
  EXPECT_EQ(objects[0].at("planned"), 3);
  EXPECT_EQ(objects[2].at("failure"), "wrong-value");
  EXPECT_EQ(objects[2].at("first_wrong").at("coordinate"), (std::vector<int>{0, 0, 2}));
  EXPECT_TRUE(objects[2].at("first_wrong").at("error").is_null());
  EXPECT_EQ(objects[4].at("backends").at(0).at("failed"), 1);
  EXPECT_EQ(objects[4].at("exit_code"), 1);
}

// The two judged cases of the record are one operator in one pair of each of its classes.
TEST(JsonReport, HasTheCoverageOfARunThatHasIt) {
  RunRecord record = Record();
  for (CaseResult& result : record.results) {
    result.dialect = "openvino-spec";
    result.implementation = "loops";
  }
  record.coverage = CoverageOf(record);
  std::istringstream lines(JsonReport({&record, 1}, {}));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 6u);
  const nlohmann::json& coverage = objects[4];
  EXPECT_EQ(coverage.at("record"), "coverage");
  const nlohmann::json& dialect = coverage.at("dialects").at(0);
  EXPECT_EQ(dialect.at("dialect"), "openvino-spec");
  EXPECT_EQ(dialect.at("cases"), 2);  // the third was not judged
  EXPECT_EQ(dialect.at("pairs").at("covered"), 14 * 13 / 2);
  EXPECT_EQ(dialect.at("triples").at("covered"), 14 * 13 * 12 / 6);
  EXPECT_EQ(dialect.at("pairs").at("missing").size(), dialect.at("pairs").at("feasible").get<std::size_t>() - 91);
  EXPECT_EQ(coverage.at("clauses").at("P2"), 2);
  EXPECT_EQ(coverage.at("tap_regimes").at("stride-1").at("border-several"), 2);
  EXPECT_EQ(coverage.at("implementations").at("loops"), 2);
}

TEST(CoverageReport, SumsAndLists) {
  RunRecord record = Record();
  for (CaseResult& result : record.results) result.dialect = "openvino-spec";
  const Coverage coverage = CoverageOf(record);
  EXPECT_THAT(CoverageSummary(coverage), HasSubstr("triples of classes openvino-spec 364/"));
  const std::string list = CoverageList(coverage);
  EXPECT_THAT(list, HasSubstr("openvino-spec: uncovered auto_pad=valid rank=5\n"));
  EXPECT_THAT(list, HasSubstr("openvino-spec: infeasible by clause S6: ConvolutionBackpropData has one group\n"));
  EXPECT_THAT(list, HasSubstr("uncovered clause P7 ("));
  EXPECT_THAT(list, HasSubstr("uncovered phase last, gap\n"));
  EXPECT_THAT(list, testing::Not(HasSubstr("uncovered auto_pad=absent rank=3\n")));
}

TEST(ConsoleReport, NamesFailuresAndSums) {
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  const RunRecord record = Record();
  ConsoleReport console(out);
  console.Begin(record.backend, record.results.size());
  std::size_t done = 0;
  for (const CaseResult& result : record.results) console.OnResult(result, ++done);
  console.End(record);
  ASSERT_EQ(std::fseek(out, 0, SEEK_SET), 0);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);
  EXPECT_THAT(text, HasSubstr("FAIL attributes/bad wrong-value: output [0,0,2]"));
  EXPECT_THAT(text, HasSubstr("       P3   "));
  EXPECT_THAT(text, HasSubstr("replay: deconv-cts replay --backend fault:some ConvolutionBackpropData:"));
  EXPECT_THAT(text, HasSubstr("explain: deconv-cts explain ConvolutionBackpropData:"));
  EXPECT_THAT(text, HasSubstr("does not conform: 1 passed, 1 failed, 1 not run"));
  EXPECT_THAT(text, HasSubstr("rank 6 (declared: 3 to 5)"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\x1b"))) << "a file is no terminal";
}

RunRecord Warned() {
  RunRecord record = Record();
  record.results.resize(1);
  CaseResult loose = record.results.front();
  loose.name = "loose";
  loose.status = Status::kLoose;
  loose.message = "output [0,0,2]: probable up to 1e-6";
  loose.loose_outputs = 1;
  loose.first_loose = WrongOutput{{0, 0, 2}, "1", "1.1", 0.1, 0.5, 3, 0.05};
  CaseResult powerless = record.results.front();
  powerless.name = "powerless";
  powerless.status = Status::kPowerless;
  powerless.message = "0 written to every output would have passed";
  record.results = {record.results.front(), loose, powerless};
  return record;
}

TEST(Warnings, AreCountedAndCarriedByEveryReport) {
  const RunRecord record = Warned();
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  ConsoleReport console(out);
  console.Begin(record.backend, record.results.size());
  console.End(record);
  ASSERT_EQ(std::fseek(out, 0, SEEK_SET), 0);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);
  EXPECT_THAT(text, HasSubstr("conforms: 1 passed, 1 loose, 1 powerless, 0 failed"));
  EXPECT_THAT(text, HasSubstr("attributes/powerless: 0 written to every output"));

  std::istringstream lines(JsonReport({&record, 1}, {}));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  EXPECT_EQ(objects.at(2).at("status"), "loose");
  EXPECT_EQ(objects.at(2).at("first_loose").at("probable"), 0.05);
  EXPECT_EQ(objects.at(3).at("status"), "powerless");
  EXPECT_EQ(objects.back().at("backends").at(0).at("powerless"), 1);

  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(JunitReport({&record, 1}).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("failures").as_int(), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 0);
  EXPECT_THAT(suite.find_child_by_attribute("testcase", "name", "powerless").child("system-out").text().get(),
              HasSubstr("would have passed"));
}

class ReportFileTest : public testing::Test {
 protected:
  ReportFileTest() : folder_(std::filesystem::path(testing::TempDir()) / "report_file_test") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ReportFileTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const char* name) const { return (folder_ / name).string(); }
  std::size_t FileCount() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  std::filesystem::path folder_;
};

TEST_F(ReportFileTest, IsThereAfterCommit) {
  ReportFile file;
  ASSERT_EQ(file.Open(Path("report")), "");
  EXPECT_FALSE(std::filesystem::exists(Path("report")));
  EXPECT_EQ(file.Commit("text"), "");
  std::ifstream in(Path("report"));
  std::string text;
  std::getline(in, text);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReportFileTest, WithoutCommitTheOldOneStays) {
  std::ofstream(Path("report")) << "old";
  {
    ReportFile file;
    ASSERT_EQ(file.Open(Path("report")), "");
  }
  EXPECT_EQ(std::filesystem::file_size(Path("report")), 3u);
  EXPECT_EQ(FileCount(), 1u);
}

TEST_F(ReportFileTest, SaysWhatIsWrongWithAPath) {
  ReportFile file;
  EXPECT_THAT(file.Open(Path("no/such/folder")), HasSubstr("cannot be written: No such file or directory"));
  EXPECT_THAT(file.Open(folder_.string()), HasSubstr("is a directory"));
}

TEST_F(ReportFileTest, AFullDiskIsAnError) {
  ReportFile file;
  ASSERT_EQ(file.Open("/dev/full"), "");
  EXPECT_THAT(file.Commit("text"), HasSubstr("/dev/full: cannot be written: No space left on device"));
}

}  // namespace
}  // namespace conformance
