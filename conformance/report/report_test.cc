// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the JSON and JUnit reports: they state what the run found, and the JSON report can be read again.

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

#include "conformance/report/console.h"
#include "conformance/report/coverage_text.h"
#include "conformance/report/json.h"
#include "conformance/report/json_reader.h"
#include "conformance/report/junit.h"
#include "conformance/report/report_file.h"

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
  for (std::size_t i = 0; i < record.results.size(); ++i) record.results[i].place = i;
  record.case_list_size = 3;
  record.case_list_hash = "0123456789abcdef";
  return record;
}

TEST(JunitReport, CountsAndNamesWhatFailed) {
  const RunRecord record = Record();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(JunitReport({&record, 1}, {}).c_str()));
  const pugi::xml_node suite =
      document.child("testsuites").find_child_by_attribute("testsuite", "name", "fault:some.attributes");
  EXPECT_EQ(suite.attribute("tests").as_int(), 2);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  const pugi::xml_node bad = suite.find_child_by_attribute("testcase", "name", "bad");
  EXPECT_STREQ(bad.child("failure").attribute("type").value(), "wrong-value");
  EXPECT_THAT(bad.child("failure").attribute("message").value(), HasSubstr("expected 1 < 2 & \uFFFD \uFFFD"));
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

TEST(JsonReport, SaysWhatTheBackendDeclares) {
  RunRecord record = Record();
  record.declared.fast_algorithm = true;
  record.declared.operators = 1U << DECONV_ID_CONV_TRANSPOSE;
  record.declared.element_types = 1U << DECONV_ID_F32 | 1U << DECONV_ID_U8;
  const std::string text = JsonReport({&record, 1}, {});
  const nlohmann::json declared = nlohmann::json::parse(text.substr(0, text.find('\n'))).at("declared");
  EXPECT_EQ(declared.at("algorithm"), "fast");
  EXPECT_EQ(declared.at("accumulator"), "f32");
  EXPECT_EQ(declared.at("dialects"), nlohmann::json::array({"openvino-spec"}));
  EXPECT_EQ(declared.at("operators"), nlohmann::json::array({"ConvTranspose"}));
  EXPECT_EQ(declared.at("element_types"), nlohmann::json::array({"f32", "u8"}));
}

/// A record in which nothing is as by default.
RunRecord FullRecord() {
  RunRecord record = Record();
  record.declared.operators = 5;
  record.declared.element_types = 0x802;
  record.declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  record.declared.faithful_rounding = true;
  record.declared.subnormals = DECONV_SUBNORMALS_FLUSHED;
  record.declared.overflow = DECONV_OVERFLOW_SATURATES;
  record.declared.deterministic = DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS;
  record.declared.fast_algorithm = true;
  record.declared.max_threads = 3;
  record.declared.max_bytes = std::uint64_t{1} << 60;
  record.declared.resolves = true;
  CaseResult& loose = record.results[0];
  loose.status = Status::kLoose;
  loose.reason = "why";
  loose.dialect = "openvino-spec";
  loose.output_dims = {1, 1, 5};
  loose.first_loose = WrongOutput{{0, 0, 1}, "1", "1.25", 0.25, 0.5, 3, 0.125};
  loose.loose_outputs = 1;
  loose.deciding = true;
  loose.fits = {"openvino-spec"};
  loose.implementation = "loops";
  loose.backtrace = "frame 1\nframe 2\n";
  loose.tuples = 7;
  loose.replay_options = "--timeout 0.5";
  loose.refused = true;
  loose.backend_seconds = 0.5;
  loose.oracle_seconds = 0.25;
  loose.seconds = 1.5;
  record.results[1].message = "no longer <printable> & plain";
  record.results[1].output_dims = {1, 1, 4};
  record.results[1].wrong_grid = WrongGrid{{0, 0, 2}, 2, 2, 1, 4, 1, 2, {0, 1}};
  record.results[1].file = "list.txt";
  record.results[1].file_line = 3;
  record.causes = FailureCauses{.causes = {{.title = "a cause",
                                            .hypotheses = {"filter_flipped"},
                                            .details = {"one", "two"},
                                            .failures = {1},
                                            .presumed = 1,
                                            .smallest = 1}},
                                .failures = 1,
                                .tried = 1,
                                .seconds = 0.5,
                                .out_of_time = true,
                                .not_looked_for = "no time"};
  record.results[1].worst_ratio = std::numeric_limits<double>::infinity();
  record.unjudged = 2;
  record.case_list_size = 9;
  record.shard = {1, 2};
  record.seconds = 12.25;
  return record;
}

RunDescription FullDescription() {
  RunDescription description;
  description.suite_version = "1.2";
  description.level = "smoke";
  description.suites = {"attributes", "layers"};
  description.seed = 9;
  description.case_list = "cases given by hand";
  description.key = "fedcba9876543210";
  description.exit_code = 1;
  description.errors = {"other.so: no such file"};
  return description;
}

TEST(JsonReader, ReadsWhatTheReportSays) {
  const RunRecord record = FullRecord();
  const std::string text = JsonReport({&record, 1}, FullDescription());
  const auto read = ReadJsonReport(text);
  ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
  const auto& content = std::get<ReportContent>(read);
  EXPECT_TRUE(content.complete);
  EXPECT_EQ(JsonReport(content.runs, content.description), text);
  EXPECT_EQ(content.runs.at(0).unjudged, 2u);
  EXPECT_EQ(content.runs.at(0).results.at(0).first_loose->probable, 0.125);
  EXPECT_EQ(content.runs.at(0).results.at(1).wrong_grid->wrong, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(content.runs.at(0).results.at(1).file_line, 3);
  EXPECT_EQ(content.runs.at(0).causes->causes.at(0).details.at(1), "two");
}

TEST(JsonReader, TakesAReportThatEndsEarly) {
  const RunRecord record = FullRecord();
  const std::string text = JsonReport({&record, 1}, FullDescription());
  const std::size_t second = text.find('\n', text.find('\n') + 1);
  for (const std::size_t size :
       {second + 1, second + 30}) {  // behind the first case, and in the middle of the next one
    const auto read = ReadJsonReport(std::string_view(text).substr(0, size));
    ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
    EXPECT_FALSE(std::get<ReportContent>(read).complete);
    EXPECT_EQ(std::get<ReportContent>(read).runs.at(0).results.size(), 1u);
    EXPECT_EQ(std::get<ReportContent>(read).runs.at(0).unjudged, 4u);
  }
}

TEST(JsonReader, SaysWhichLineIsWrong) {
  const RunRecord record = FullRecord();
  const std::string text = JsonReport({&record, 1}, FullDescription());
  const auto complaint = [&](const std::string& found, const std::string& replacement) {
    std::string spoilt = text;
    const std::size_t at = spoilt.find(found);
    EXPECT_NE(at, std::string::npos) << found;
    const auto read = ReadJsonReport(spoilt.replace(at, found.size(), replacement));
    const auto* words = std::get_if<std::string>(&read);
    return words == nullptr ? std::string("none") : *words;
  };
  EXPECT_THAT(complaint("{\"record\":\"run\"", "{\"record\":\"walk\""), HasSubstr("line 1: record: found 'walk'"));
  EXPECT_THAT(complaint("\"planned\":5", "\"planned\":2"),
              HasSubstr("fault:some: 3 cases, the record 'run' has planned 2"));
  EXPECT_THAT(complaint("\"place\":1", "\"place\":9"), HasSubstr("line 3: place: found 9, the plan has 9 cases"));
  EXPECT_THAT(complaint("\"place\":1", "\"place\":0"), HasSubstr("attributes/good: two records"));
  EXPECT_THAT(complaint("\"status\":\"loose\"", "\"status\":\"lost\""), HasSubstr("line 2: status: found 'lost'"));
  EXPECT_THAT(complaint("wrong-value", "wronger"), HasSubstr("line 3: failure: found 'wronger'"));
  EXPECT_THAT(complaint("attributes/good", "good"), HasSubstr("line 2: id: found 'good'"));
  EXPECT_THAT(complaint("\"saturates\"", "\"soaks\""),
              HasSubstr("line 1: overflow: found 'soaks', expected one of wraps"));
  EXPECT_THAT(complaint("\"outputs\":5", "\"outputs\":\"5\""),
              HasSubstr("line 2: outputs: found \"5\", expected an integer"));
  EXPECT_THAT(complaint("\"outputs\":5", "\"outputs\":1.7e38"), HasSubstr("line 2: outputs: found 1.7e+38"));
  EXPECT_THAT(complaint("\"outputs\":5", "\"outputs\":9223372036854775808"), HasSubstr("line 2: outputs: found 9223"));
  EXPECT_THAT(complaint("\"outputs\":5", "\"outputs\":5.5"), HasSubstr("line 2: outputs: found 5.5"));
  EXPECT_THAT(complaint("\"min_rank\":", "\"min_rank\":6e78,\"rank\":"), HasSubstr("line 1: min_rank: found 6e+78"));
  EXPECT_THAT(complaint("\"file_line\":3", "\"file_line\":2147483648"), HasSubstr("line 3: file_line: found 2147"));
  EXPECT_THAT(complaint("{\"record\":\"case\"", "\"record\":\"case\""), HasSubstr("line 2: "));
  EXPECT_THAT(complaint("\"wrong\":[0,1]", "\"wrong\":[0]"), HasSubstr("line 3: wrong_grid: found 1 cells"));
  EXPECT_THAT(complaint("\"column_axis\":2", "\"column_axis\":7"), HasSubstr("line 3: wrong_grid: "));
  EXPECT_THAT(complaint("\"rows\":1,\"columns\":4", "\"rows\":4294967296,\"columns\":4294967296"),
              HasSubstr("line 3: wrong_grid: "));
  EXPECT_THAT(complaint("\"column_step\":2", "\"column_step\":9223372036854775807"), HasSubstr("line 3: wrong_grid: "));
  EXPECT_THAT(complaint("\"failures\":[1]", "\"failures\":[0]"),
              HasSubstr("the record 'causes' has place 0, expected one of a failure"));
  EXPECT_THAT(std::get<std::string>(ReadJsonReport("")), HasSubstr("no record 'run'"));
}

TEST(JunitReport, SaysWhatTheVerdictsRestOn) {
  RunRecord record = Record();
  record.declared.fast_algorithm = true;
  EXPECT_THAT(JunitReport({&record, 1}, {}), HasSubstr("name=\"plan\" value=\"3 cases, hash 0123456789abcdef\""));
  EXPECT_THAT(JunitReport({&record, 1}, {}), HasSubstr("name=\"algorithm\" value=\"fast: judged by the norms"));
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

/// What the summary of a run says.
std::string Summary(RunRecord record, std::size_t stale_expectations = 0) {
  record.stale_expectations = stale_expectations;
  std::FILE* out = std::tmpfile();
  ConsoleReport console(out);
  console.TellSelection("level gate; shard 0 of 2");
  console.Begin(record.backend, record.results.size());
  console.End(record);
  std::fseek(out, 0, SEEK_SET);
  std::string text(8192, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);
  return text;
}

TEST(ConsoleReport, SaysToWhatABackendConforms) {
  RunRecord record = Record();
  record.results.resize(1);
  record.results[0].dialect = "openvino-spec";
  EXPECT_THAT(Summary(record),
              HasSubstr("judged by openvino-spec; level gate; shard 0 of 2\nfault:some (some 1) conforms: "));
  EXPECT_THAT(Summary(Record()), testing::Not(HasSubstr("judged by")));
}

TEST(ConsoleReport, HasAWordForEachVerdict) {
  RunRecord record = Record();
  record.results.resize(1);
  EXPECT_THAT(Summary(record, 1), HasSubstr("but its expectations are stale or have expired: 1 passed"));
  EXPECT_THAT(Summary(record, 1), testing::Not(HasSubstr("conforms")));
  record.unjudged = 3;
  EXPECT_THAT(Summary(record), HasSubstr("has failed nowhere so far: 1 passed"));
  EXPECT_THAT(Summary(record), HasSubstr("not whole: 3 of the planned cases were not judged"));
  record = Record();
  EXPECT_THAT(Summary(record, 1), HasSubstr("does not conform"));
  record.results.erase(record.results.begin(), record.results.begin() + 2);
  EXPECT_THAT(Summary(record), HasSubstr("was not judged: "));
  record.shard = {1, 2};
  EXPECT_THAT(Summary(record), HasSubstr("was not judged in this shard: "));
  record.results.clear();
  EXPECT_THAT(Summary(record), HasSubstr("has nothing in this shard: "));
}

TEST(ConsoleReport, WarnsWhereMemoryLeavesMuchOut) {
  RunRecord record = Record();
  EXPECT_THAT(Summary(record), testing::Not(HasSubstr("--memory")));
  record.results[2].status = Status::kTooLarge;
  EXPECT_THAT(Summary(record), HasSubstr("warning: 1 of 3 cases need more memory than --memory grants"));
}

TEST(ConsoleReport, SaysWhatADecidingCaseIs) {
  RunRecord record = Record();
  EXPECT_THAT(Summary(record), testing::Not(HasSubstr("deciding")));
  record.results[0].deciding = true;
  record.results[0].dialect = "openvino-spec";
  record.results[0].fits = {"openvino-spec"};
  EXPECT_THAT(Summary(record), HasSubstr("fits openvino-spec on 1 of 1 deciding cases\n(deciding: "));
}

TEST(ReplayCommand, HasTheLimitsThatAFailureHangsOn) {
  CaseResult result = Record().results[1];
  result.replay_options = "--timeout 0.5";
  EXPECT_EQ(ReplayCommand("./it's.so", result),
            "deconv-cts replay --backend './it'\\''s.so' --timeout 0.5 " + result.line);
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
  ASSERT_TRUE(document.load_string(JunitReport({&record, 1}, {}).c_str()));
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

TEST_F(ReportFileTest, TakesAwayWhatKilledRunsLeft) {
  std::ofstream(Path("report.partial-123")) << "abandoned";
  std::ofstream(Path("report.partial-123.txt")) << "somebody's own";
  std::ofstream(Path("other.partial-123")) << "of another report";
  ReportFile first;
  ASSERT_EQ(first.Open(Path("report")), "");
  EXPECT_FALSE(std::filesystem::exists(Path("report.partial-123")));
  EXPECT_EQ(FileCount(), 3u);
  ReportFile second;  // another run of the same report at the same time
  ASSERT_EQ(second.Open(Path("report")), "");
  EXPECT_EQ(first.Commit("text"), "") << "what is being written is not taken away";
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
