// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the JSON and JUnit reports: they state the verdicts and failures of the run, and the JSON report can be read
// again. Also tests the replay command of a failure, and that every report has the warnings.

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/report/console.h"
#include "conformance/report/json.h"
#include "conformance/report/report_formats.h"
#include "conformance/testing/test_cases.h"
#include "conformance/testing/test_records.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

using testing::HasSubstr;

TEST(JunitReport, CountsAndNamesWhatFailed) {
  const RunRecord record = PlainRecord();
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(JunitReport(SummariesOf({&record, 1}), {}).c_str()));
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
  const RunRecord record = PlainRecord();
  RunDescription description;
  description.exit_code = 1;
  std::istringstream lines(JsonReport(SummariesOf({&record, 1}), description));
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
  RunRecord record = PlainRecord();
  record.declared.fast_algorithm = true;
  record.declared.operators = 1U << DECONV_ID_CONV_TRANSPOSE;
  record.declared.element_types = 1U << DECONV_ID_F32 | 1U << DECONV_ID_U8;
  const std::string text = JsonReport(SummariesOf({&record, 1}), {});
  const nlohmann::json declared = nlohmann::json::parse(text.substr(0, text.find('\n'))).at("declared");
  EXPECT_EQ(declared.at("algorithm"), "fast");
  EXPECT_EQ(declared.at("accumulator"), "f32");
  EXPECT_EQ(declared.at("dialects"), nlohmann::json::array({"openvino-spec"}));
  EXPECT_EQ(declared.at("operators"), nlohmann::json::array({"ConvTranspose"}));
  EXPECT_EQ(declared.at("element_types"), nlohmann::json::array({"f32", "u8"}));
}

constexpr const char* kRelated = "ConvolutionBackpropData:data=1,1,2:filter=1,1,3:strides=2:dilations=1";

/// A record in which every member differs from its default, so that a member that a reader forgets is noticed.
RunRecord FullRecord() {
  RunRecord record = PlainRecord();
  record.declared.operators = 5;  // bits 0 and 2: ConvolutionBackpropData and ConvolutionBackwardData
  record.declared.element_types = 1U << DECONV_ID_F32 | 1U << DECONV_ID_U64;
  record.declared.accumulator = DECONV_ACCUMULATOR_STORAGE;
  record.declared.faithful_rounding = true;
  record.declared.subnormals = DECONV_SUBNORMALS_FLUSHED;
  record.declared.overflow = DECONV_OVERFLOW_SATURATES;
  record.declared.deterministic = DECONV_SAME_BITS_EVERY_RUN | DECONV_SAME_BITS_ANY_THREADS;
  record.declared.fast_algorithm = true;
  record.declared.max_threads = 3;
  record.declared.max_bytes = std::uint64_t{1} << 60;
  record.declared.resolves = true;
  record.declared.arithmetic = {{.type = oracle::ElementType::kBf16,
                                 .arithmetic = {.accumulator = DECONV_ACCUMULATOR_F64_THROUGH_F32,
                                                .rounding = DECONV_ROUNDING_FUSED_SUMS,
                                                .subnormals = DECONV_SUBNORMALS_FLUSHED}}};
  record.declared.known_deviations = DECONV_DEVIATION_STRUCTURAL_NAN | DECONV_DEVIATION_CLAMPED_INFINITY;
  record.declared.saturating_types = 1U << DECONV_ID_I8;
  record.declared.types_in_f32 = 1U << DECONV_ID_F64 | 1U << DECONV_ID_I32;
  record.results[0].outputs.excused = 2;
  record.results[0].outputs.negative_zero_gaps = 1;
  CaseResult& imprecise = record.results[0];
  imprecise.verdict.status = Status::kImprecise;
  imprecise.origin.reason = "why";
  imprecise.judged.dialect = "openvino-spec";
  imprecise.judged.output_dims = {1, 1, 5};
  imprecise.outputs.first_imprecise = WrongOutput{{0, 0, 1}, "1", "1.25", 0.25, 0.5, 3, 0.125};
  imprecise.outputs.imprecise = 1;
  imprecise.answer.fits = std::vector<std::string>{"openvino-spec"};
  imprecise.answer.choices = {{.clause = "S8", .point = "a batch of 0", .computed = true}};
  imprecise.answer.implementation = "loops";
  imprecise.trace.backtrace = "frame 1\nframe 2\n";
  imprecise.sweep.judged = 7;
  imprecise.sweep.skipped = 5;
  imprecise.trace.replay_options = "--timeout 0.5";
  imprecise.answer.refused = true;
  imprecise.seconds.backend = 0.5;
  imprecise.seconds.oracle = 0.25;
  imprecise.seconds.total = 1.5;
  record.results[1].verdict.message = "no longer <printable> & plain";
  record.results[1].judged.output_dims = {1, 1, 4};
  // Plane, row axis, column axis, rows, columns, row step, column step, and the wrong outputs of the two cells.
  record.results[1].outputs.wrong_grid = WrongGrid{{0, 0, 2}, 2, 2, 1, 4, 1, 2, {0, 1}};
  record.results[1].verdict.facts.said = "no";
  record.results[1].verdict.facts.open = true;
  record.results[1].verdict.facts.excusing_word = {"flushed subnormals", "subnormals = flushed for f32"};
  record.results[1].verdict.facts.only_in = "the second run";
  record.results[1].verdict.facts.related = std::make_shared<const Case>(TestCaseOf(kRelated).test_case);
  record.results[1].origin.file = "list.txt";
  record.results[1].origin.file_line = 3;
  record.causes = FailureCauses{.causes = {{.kind = CauseKind::kWrongOutput,
                                            .title = "a cause",
                                            .condition = "stride[0] >= 2",
                                            .wrong_outputs = "the last column",
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
  record.results[1].outputs.worst_ratio = std::numeric_limits<double>::infinity();
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
  const std::string text = JsonReport(SummariesOf({&record, 1}), FullDescription());
  const auto read = ReadJsonReport(text);
  ASSERT_TRUE(std::holds_alternative<ReportContent>(read)) << std::get<std::string>(read);
  const auto& content = std::get<ReportContent>(read);
  EXPECT_TRUE(content.complete);
  EXPECT_EQ(JsonReport(SummariesOf(content.runs), content.description), text);
  EXPECT_EQ(content.runs.at(0).unjudged, 2u);
  EXPECT_EQ(content.runs.at(0).results.at(0).outputs.first_imprecise->probable, 0.125);
  EXPECT_EQ(content.runs.at(0).results.at(1).outputs.wrong_grid->wrong, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(content.runs.at(0).results.at(1).origin.file_line, 3);
  EXPECT_EQ(content.runs.at(0).results.at(1).verdict.facts.said, "no");
  EXPECT_TRUE(content.runs.at(0).results.at(1).verdict.facts.open);
  EXPECT_EQ(content.runs.at(0).results.at(1).verdict.facts.excusing_word,
            record.results[1].verdict.facts.excusing_word);
  EXPECT_EQ(content.runs.at(0).results.at(1).verdict.facts.only_in, "the second run");
  EXPECT_EQ(*content.runs.at(0).results.at(1).verdict.facts.related, TestCaseOf(kRelated).test_case);
  EXPECT_EQ(ToLine(*content.runs.at(0).results.at(0).judged.test_case), content.runs.at(0).results.at(0).judged.line);
  EXPECT_EQ(content.runs.at(0).causes->causes.at(0).details.at(1), "two");
}

TEST(JsonReader, TakesAReportThatEndsEarly) {
  const RunRecord record = FullRecord();
  const std::string text = JsonReport(SummariesOf({&record, 1}), FullDescription());
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
  const std::string text = JsonReport(SummariesOf({&record, 1}), FullDescription());
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
              HasSubstr("fault:some: has 3 cases, but its record 'run' has planned 2"));
  EXPECT_THAT(complaint("\"place\":1", "\"place\":9"), HasSubstr("line 3: place: found 9, the case list has 9 cases"));
  EXPECT_THAT(complaint("\"place\":1", "\"place\":0"), HasSubstr("attributes/good: two records"));
  EXPECT_THAT(complaint("\"status\":\"imprecise\"", "\"status\":\"lost\""), HasSubstr("line 2: status: found 'lost'"));
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
              HasSubstr("the record 'causes' has place 0, expected the place of a failure"));
  EXPECT_THAT(std::get<std::string>(ReadJsonReport("")), HasSubstr("no record 'run'"));
}

TEST(JunitReport, HasTheFactsOfTheRunAsProperties) {
  RunRecord record = PlainRecord();
  record.declared.fast_algorithm = true;
  EXPECT_THAT(JunitReport(SummariesOf({&record, 1}), {}),
              HasSubstr("name=\"plan\" value=\"3 cases, hash 0123456789abcdef\""));
  EXPECT_THAT(JunitReport(SummariesOf({&record, 1}), {}),
              HasSubstr("name=\"algorithm\" value=\"fast: judged by the norms"));
}

TEST(ReplayCommand, HasTheLimitsOnWhichAFailureDepends) {
  CaseResult result = PlainRecord().results[1];
  result.trace.replay_options = "--timeout 0.5";
  EXPECT_EQ(ReplayCommand("./it's.so", result),
            "deconv-cts replay --backend './it'\\''s.so' --timeout 0.5 " + result.judged.line);
}

/// A run with a pass, an imprecise case and a vacuous case (one that a constant output would pass).
RunRecord Warned() {
  RunRecord record = PlainRecord();
  record.results.resize(1);
  CaseResult imprecise = record.results.front();
  imprecise.origin.name = "imprecise";
  imprecise.verdict.status = Status::kImprecise;
  imprecise.verdict.message = "output [0,0,2]: probable up to 1e-6";
  imprecise.outputs.imprecise = 1;
  imprecise.outputs.first_imprecise = WrongOutput{{0, 0, 2}, "1", "1.1", 0.1, 0.5, 3, 0.05};
  CaseResult vacuous = record.results.front();
  vacuous.origin.name = "vacuous";
  vacuous.verdict.status = Status::kVacuous;
  vacuous.verdict.message = "0 written to every output would have passed";
  record.results = {record.results.front(), imprecise, vacuous};
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
  EXPECT_THAT(text, HasSubstr("conforms: 1 passed, 1 imprecise, 1 vacuous, 0 failed"));
  EXPECT_THAT(text, HasSubstr("attributes/vacuous: 0 written to every output"));

  std::istringstream lines(JsonReport(SummariesOf({&record, 1}), {}));
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  EXPECT_EQ(objects.at(2).at("status"), "imprecise");
  EXPECT_EQ(objects.at(2).at("first_imprecise").at("probable"), 0.05);
  EXPECT_EQ(objects.at(3).at("status"), "vacuous");
  EXPECT_EQ(objects.back().at("backends").at(0).at("vacuous"), 1);

  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(JunitReport(SummariesOf({&record, 1}), {}).c_str()));
  const pugi::xml_node suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("failures").as_int(), 0);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 0);
  EXPECT_THAT(suite.find_child_by_attribute("testcase", "name", "vacuous").child("system-out").text().get(),
              HasSubstr("would have passed"));
}

}  // namespace
}  // namespace conformance
