// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that every sentence of the specification has clauses (numbered rules) and cases, that the suites cite every
// clause that the resolvers know, and that a missing part is noticed.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/sweep_cases.h"
#include "conformance/suite/measured_coverage/tested_clauses.h"
#include "conformance/suite/traceability/decisions.h"
#include "conformance/suite/traceability/sentence_page.h"
#include "oracle/cited_clause.h"
#include "oracle/open_point.h"

namespace conformance {
namespace {

using oracle::Clause;
using oracle::Document;
using oracle::RuleKind;
using oracle::Sentence;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<SuiteCase>& GateCases() {
  static const std::vector<SuiteCase> cases = [] {
    std::vector<SuiteCase> all;
    for (const Suite& suite : Suites()) {
      auto some = std::get<std::vector<SuiteCase>>(SuiteCases(suite.name, Level::kGate, 0));
      std::ranges::move(some, std::back_inserter(all));
    }
    return all;
  }();
  return cases;
}

const std::vector<Decision>& GateDecisions() {
  static const auto decisions = std::get<std::vector<Decision>>(DecisionsAt(Level::kGate));
  return decisions;
}

// The documents with one more sentence. `memory` holds the sentences of its document.
std::vector<Document> DocumentsWith(const Sentence& sentence, std::vector<Sentence>& memory) {
  std::vector<Document> documents(oracle::Documents().begin(), oracle::Documents().end());
  Document& document = *std::ranges::find(documents, oracle::DocumentOf(sentence.id)->prefix, &Document::prefix);
  memory.assign(document.sentences.begin(), document.sentences.end());
  memory.push_back(sentence);
  document.sentences = memory;
  return documents;
}

/// The missing links if the specification had this sentence too.
std::vector<std::string> MissingLinksWith(const Sentence& sentence) {
  std::vector<Sentence> memory;
  return MissingLinks(DocumentsWith(sentence, memory), oracle::Clauses(), GateDecisions());
}

std::vector<std::string> MissingLinksWith(const Clause& clause) {
  std::vector<Clause> clauses(oracle::Clauses().begin(), oracle::Clauses().end());
  clauses.push_back(clause);
  return MissingLinks(oracle::Documents(), clauses, GateDecisions());
}

TEST(Traceability, EverySentenceHasClausesAndCases) {
  const std::vector<std::string> missing_links = MissingLinks(oracle::Documents(), oracle::Clauses(), GateDecisions());
  EXPECT_THAT(missing_links, IsEmpty()) << fmt::format("{}\n", fmt::join(missing_links, "\n"));
}

TEST(Traceability, ASentenceWithoutClauseIsNoticed) {
  const Sentence sentence{.id = "CBD-900", .line = 1, .kind = RuleKind::kRequired, .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: no clause takes it up"));
}

TEST(Traceability, AnInformativeSentenceWithAClauseIsNoticed) {
  const Sentence sentence{.id = "CBD-900", .line = 1, .clauses = "P1", .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: informative, but has clauses"));
}

TEST(Traceability, ASentenceWithAnUnknownClauseIsNoticed) {
  const Sentence sentence{.id = "CBD-900", .line = 1, .kind = RuleKind::kRequired, .clauses = "P99", .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: there is no clause P99"));
}

// P12 is a clause of oneDNN, so that no case of ConvolutionBackpropData decides it.
TEST(Traceability, ASentenceWithoutCasesOfItsOperatorIsNoticed) {
  const Sentence sentence{.id = "CBD-900", .line = 1, .kind = RuleKind::kRequired, .clauses = "P12", .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: no case of level gate decides P12 for it"));
}

TEST(Traceability, ASentenceOnATopicWithoutCasesIsNoticed) {
  Sentence sentence{.id = "CBD-900", .line = 1, .kind = RuleKind::kRequired, .clauses = "A2", .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), IsEmpty());
  sentence.topic = "dilations";  // A2 is about strides
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: no case of level gate decides A2 for it"));
  sentence.topic = "padding";
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: there is no topic \"padding\""));
}

TEST(Traceability, AnOpenSentenceWithoutOpenClauseIsNoticed) {
  const Sentence sentence{.id = "CBD-900", .line = 1, .kind = RuleKind::kOpen, .clauses = "P1", .quotation = "x"};
  EXPECT_THAT(MissingLinksWith(sentence), Contains("CBD-900: open, but none of its clauses is open"));
}

TEST(Traceability, AClauseWithoutCasesIsNoticed) {
  EXPECT_THAT(MissingLinksWith(Clause{"P99", "title", "reading: none", RuleKind::kRequired, ""}),
              Contains("P99: required, and no case of level gate decides it"));
  std::vector<Decision> decisions = GateDecisions();
  for (Decision& decision : decisions) decision.clauses.erase("S15");
  EXPECT_THAT(MissingLinks(oracle::Documents(), oracle::Clauses(), decisions),
              Contains("S15: required, and no case of level gate decides it"));
}

TEST(Traceability, AClauseWithoutSentenceIsNoticed) {
  EXPECT_THAT(MissingLinksWith(Clause{"P99", "title", "GCBD, \"words\"", RuleKind::kRequired, ""}),
              Contains("P99: its source names GCBD, but it rests on no sentence of it"));
  EXPECT_THAT(MissingLinksWith(Clause{"P99", "title", "reading: of CBW", RuleKind::kRequired, ""}),
              Not(Contains(HasSubstr("its source names"))));
  EXPECT_THAT(MissingLinksWith(Clause{"P99", "title", "CBD, \"words\"", RuleKind::kRequired, "CBD-999"}),
              Contains("P99: there is no sentence CBD-999"));
  EXPECT_THAT(MissingLinksWith(Clause{"P99", "title", "CBD, \"words\"", RuleKind::kRequired, "CBD-1"}),
              Contains("P99: rests on CBD-1, which does not list it"));
}

DecidedClauses DecidedByLine(const std::string& line) { return ClausesDecidedBy(std::get<Case>(ParseCaseLine(line))); }

Topics Topic(std::string_view name) { return FindTopic(name).value(); }

TEST(DecidedClauses, HaveTheTopicsOfTheOperator) {
  const std::string line =
      "ConvolutionBackpropData:data=1,2,3:filter=2,3,3:strides=2:dilations=1:pads_begin=0:pads_end=1";
  const DecidedClauses decided = DecidedByLine(line);
  ASSERT_TRUE(decided.contains("P2"));
  EXPECT_FALSE(decided.contains("P4"));
  EXPECT_FALSE(decided.contains("A2"));
  EXPECT_EQ(decided.at("P2"), kAnything | Topic("strides") | Topic("pads_end") | Topic("output_padding absent") |
                                  Topic("auto_pad absent") | Topic("output_shape absent") | Topic("f32") |
                                  Topic("1 axis"));
  EXPECT_TRUE(DecidedByLine(line + ":auto_pad=Same_Upper").at("P3") & Topic("auto_pad=same_upper"));
}

TEST(DecidedClauses, HaveTheTopicOfTheRefusal) {
  const DecidedClauses decided =
      DecidedByLine("ConvolutionBackpropData:data=1,2,3:filter=2,3,3:strides=0:dilations=1:pads_begin=0:pads_end=1");
  EXPECT_EQ(decided, (DecidedClauses{{"A2", kAnything | Topic("strides")}}));
}

TEST(DecidedClauses, OfASweepAreThoseOfItsOperators) {
  const DecidedClauses geometry = DecidedByLine("sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData");
  for (const char* clause : {"P2", "P3", "P4", "P5", "P6"}) EXPECT_TRUE(geometry.contains(clause)) << clause;
  EXPECT_FALSE(geometry.contains("V1"));
  EXPECT_TRUE(DecidedByLine("sweep:of=axes:bounds=small:operator=ConvolutionBackpropData").contains("V1"));
}

TEST(DecidedClauses, HaveTheTopicsOfTheOpenPoints) {
  const std::string line = "ConvolutionBackpropData:data=1,2,3:filter=2,3,3:dilations=1:pads_begin=0:pads_end=-1";
  const DecidedClauses decided = DecidedByLine(line + ":auto_pad=valid");
  EXPECT_TRUE(decided.at("A6") & Topic("strides absent"));
  EXPECT_FALSE(decided.at("A6") & Topic("dilations absent"));
  EXPECT_TRUE(decided.at("A15") & Topic("pads_end"));
  EXPECT_FALSE(decided.at("A15") & Topic("pads_begin"));
}

// With one channel and one axis, every order of the dimensions gives the same elements.
TEST(DecidedClauses, NeedDimensionsWhoseOrderMatters) {
  EXPECT_FALSE(DecidedByLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2").contains("S4"));
  EXPECT_TRUE(DecidedByLine("ConvolutionBackpropData:data=1,2,3:filter=2,1,3:strides=2").contains("S4"));
}

TEST(DecidedClauses, NeedAnOutputUnlikeTheDataToTellSrcFromDst) {
  const std::string line =
      "ConvolutionBackwardData:data=1,4,1:filter=1,1,1:pads_begin=0:pads_end=0:dilations=1:auto_pad=valid:";
  EXPECT_FALSE(DecidedByLine(line + "strides=1:dst_shape=1,4,1").contains("D4"));
  EXPECT_TRUE(DecidedByLine(line + "strides=2:dst_shape=1,7,1").contains("D4"));
}

TEST(DecidedClauses, NeedSumsThatAreRounded) {
  const std::string line = "ConvolutionBackpropData:data=1,2,3:filter=2,1,3:strides=2";
  EXPECT_FALSE(DecidedByLine(line).contains("V4"));
  EXPECT_TRUE(DecidedByLine(line + ":values=reals").contains("V4"));
}

/// The clauses that steps of resolutions and refusals cite.
struct CitedClauses {
  std::set<std::string_view> steps, refusals;
};

void AddCitedClauses(const Case& test_case, CitedClauses& cited) {
  const auto resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
  for (const oracle::Step& step : resolution.steps) cited.steps.insert(step.clause);
  if (resolution.refusal) cited.refusals.insert(resolution.refusal->clause);
}

/// The clauses that cases of level gate cite. `without_dst_shape` leaves out cases with the attribute dst_shape.
CitedClauses CitedAtGate(bool without_dst_shape = false) {
  CitedClauses cited;
  for (const SuiteCase& suite_case : GateCases()) {
    if (without_dst_shape && suite_case.test_case.op.dst_shape) continue;
    AddCitedClauses(suite_case.test_case, cited);  // a sweep counts as its first valid operator
  }
  return cited;
}

/// The clauses that steps cite and no refusal can cite.
std::set<std::string_view> StepClauses(const CitedClauses& cited) {
  std::set<std::string_view> clauses = cited.steps;
  for (const std::string_view clause : oracle::kRefusingClauses) clauses.erase(clause);
  return clauses;
}

// The lists of cited_clause.h must not keep a clause that no resolver cites any more.
TEST(CitedClauses, AreThoseThatTheSuitesMeet) {
  const CitedClauses cited = CitedAtGate();
  EXPECT_THAT(StepClauses(cited), testing::UnorderedElementsAreArray(oracle::kStepClauses));
  std::set<std::string_view> refusing(oracle::kRefusingClauses.begin(), oracle::kRefusingClauses.end());
  std::erase_if(refusing, IsUntestable);
  std::set<std::string_view> refusals = cited.refusals;
  std::erase_if(refusals, IsUntestable);
  EXPECT_THAT(refusals, testing::ContainerEq(refusing));
}

TEST(CitedClauses, AStepThatIsCitedNoMoreIsNoticed) {
  std::set<std::string_view> missing(oracle::kStepClauses.begin(), oracle::kStepClauses.end());
  for (const std::string_view clause : StepClauses(CitedAtGate(true))) missing.erase(clause);
  EXPECT_THAT(missing, testing::ElementsAre("S15"));
}

// Each open point needs a case, or nothing tests it.
TEST(OpenPoints, AreThoseThatTheSuitesMeet) {
  std::set<std::string_view> met;
  for (const SuiteCase& suite_case : GateCases()) {
    const auto resolution =
        oracle::Resolve(suite_case.test_case.op, suite_case.test_case.EffectiveDialect(), oracle::StepTexts::kLeftOut);
    for (const oracle::OpenPoint& point : resolution.open) met.insert(point.point);
  }
  std::set<std::string_view> all;
  for (const oracle::OpenPointName& point : oracle::kOpenPoints) all.insert(point.phrase);
  EXPECT_THAT(met, testing::ContainerEq(all));
}

TEST(SentenceText, NamesTheCases) {
  const Sentence& sentence = *oracle::FindSentence("CBW-91");
  const std::string text = SentenceText(sentence, GateDecisions(), Level::kGate, 2);
  EXPECT_THAT(text, HasSubstr("CBW-91: ConvolutionBackwardData of oneDNN Graph, line 221, required"));
  EXPECT_THAT(text, HasSubstr("dst_shape input will precede over dst_shape attribute"));
  EXPECT_THAT(text, HasSubstr("S15  required The dst_shape input has precedence over the attribute"));
  EXPECT_THAT(text, HasSubstr(" more of level gate; see all with --most "));
  const std::string informative = SentenceText(*oracle::FindSentence("CBD-1"), GateDecisions(), Level::kGate, 2);
  EXPECT_THAT(informative, HasSubstr("it states no rule, so that no case decides it"));
}

/// The sentences whose quotation is not in their line of the document.
std::vector<std::string> Misquoted(std::span<const Sentence> sentences, std::istream& document) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(document, line);) lines.push_back(line);
  std::vector<std::string> wrong;
  for (const Sentence& sentence : sentences) {
    const auto at = static_cast<std::size_t>(sentence.line);
    if (at < 1 || at > lines.size() || lines[at - 1].find(sentence.quotation) == std::string::npos) {
      wrong.emplace_back(sentence.id);
    }
  }
  return wrong;
}

TEST(Quotations, AWrongQuotationIsNoticed) {
  std::istringstream document("first line\nsecond line\n");
  const std::vector<Sentence> sentences = {{.id = "CBD-1", .line = 1, .quotation = "first"},
                                           {.id = "CBD-2", .line = 1, .quotation = "second"},
                                           {.id = "CBD-3", .line = 2, .quotation = "second line"},
                                           {.id = "CBD-4", .line = 3, .quotation = "line"}};
  EXPECT_THAT(Misquoted(sentences, document), testing::ElementsAre("CBD-2", "CBD-4"));
}

// The documents are not part of this tree. Name a folder that holds their five texts, in the order of Documents().
TEST(Quotations, AreInTheDocuments) {
  const char* folder = std::getenv("DECONV_DOCUMENTS");
  if (folder == nullptr) GTEST_SKIP() << "DECONV_DOCUMENTS names no folder with the documents";
  std::set<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.insert(entry.path());
  ASSERT_EQ(files.size(), oracle::Documents().size());
  auto file = files.begin();
  for (const Document& document : oracle::Documents()) {
    std::ifstream text(*file++);
    EXPECT_THAT(Misquoted(document.sentences, text), IsEmpty()) << document.name;
  }
}

}  // namespace
}  // namespace conformance
