// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests updates of the file of known failures (--update-expectations): an update writes few entries, the same run
// conforms to them, and no more of the file changes than necessary.

#include "conformance/run/update_expectations.h"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suite/case_lists/case_lists.h"

namespace conformance {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::chrono::year_month_day kToday = 2030y / 6 / 15;

constexpr const char* kFile = R"(# Of our library.

# Known for long.
[[expect]]
pattern = "attributes/odd-*"
failure = "wrong-value"
reason = "the odd element: größer"
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
    ADD_FAILURE() << *error << " in\n" << text;
    return {};
  }
  return std::get<std::vector<Expectation>>(std::move(read));
}

CaseResult Result(const std::string& suite, const std::string& name, FailureClass failure, const std::string& line) {
  CaseResult result;
  result.origin.suite = suite;
  result.origin.name = name;
  result.judged.line = line;
  result.judged.output_dims = {1};
  result.verdict.status = failure == FailureClass::kNone ? Status::kPass : Status::kFail;
  if (failure == FailureClass::kNone) return result;
  result.verdict.failure = failure;
  result.verdict.message = "is \"wrong\"";
  if (failure == FailureClass::kWrongValue) {
    result.outputs.wrong = 1;
    result.outputs.largest_error = 0.5;
  }
  return result;
}

Reconciled MarkAndReconcile(const std::vector<Expectation>& expectations, RunRecord& run) {
  for (std::size_t i = 0; i < run.results.size(); ++i) run.results[i].origin.case_index = i;
  for (CaseResult& result : run.results) MarkExpected(expectations, result);
  return Reconcile(expectations, kToday, {&run, 1});
}

/// The file after an update. The same run must conform to it.
std::string Updated(const std::string& file, RunRecord& run, Reach reach) {
  const std::vector<Expectation> before = Read(file);
  const Reconciled reconciled = MarkAndReconcile(before, run);
  const ExpectationsUpdate update = PlanUpdate(before, reconciled, {&run, 1}, reach);
  std::string text = UpdatedExpectations(file, before, update);
  const std::vector<Expectation> after = Read(text);
  EXPECT_THAT(after, SizeIs(update.SizeAfter(before.size())));
  const Reconciled again = MarkAndReconcile(after, run);
  EXPECT_THAT(again.unexpected, IsEmpty()) << text;
  if (reach == Reach::kAll) EXPECT_THAT(again.complaints, IsEmpty()) << text;
  return text;
}

/// The pattern or the clause of each entry in the text of a file.
std::vector<std::string> PatternsOf(const std::string& text) {
  std::vector<std::string> patterns;
  for (const Expectation& entry : Read(text)) patterns.push_back(entry.pattern + entry.clause);
  return patterns;
}

/// A run of 4 types times 4 strides times 4 dilations, in two suites. `fails` says which cases fail.
RunRecord Grid(const auto& fails) {
  RunRecord run;
  for (const char* suite : {"attributes", "numerics"}) {
    for (const char* type : {"f32", "f16", "i8", "f64"}) {
      for (int stride = 1; stride <= 4; ++stride) {
        for (int dilation = 1; dilation <= 4; ++dilation) {
          const std::string name = fmt::format("s{}.{}.d{}", stride, type, dilation);
          const std::string line = fmt::format("ConvTranspose:data=1,1,3:filter=1,1,3:type={}:strides={}:dilations={}",
                                               type, stride, dilation);
          run.results.push_back(Result(suite, name, fails(suite, type, stride, dilation), line));
        }
      }
    }
  }
  return run;
}

TEST(Update, FindsTheFieldsThatTheFailuresHave) {
  RunRecord run = Grid([](const char*, std::string type, int, int) {
    return type == "f16" ? FailureClass::kCrash : FailureClass::kNone;
  });
  const std::string text = Updated("", run, Reach::kAll);
  EXPECT_THAT(PatternsOf(text), ElementsAre("*.f16.*"));
  EXPECT_THAT(text, HasSubstr("reason = \"not explained yet: is \\\"wrong\\\"; and 31 more failures of this kind\""));
}

TEST(Update, FindsConjunctionsInTheOrderOfTheLine) {
  RunRecord run = Grid([](const char*, const std::string&, int stride, int dilation) {
    return stride > 1 && dilation > 1 ? FailureClass::kWrongRefusal : FailureClass::kNone;
  });
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kAll)), ElementsAre("*:strides=[2-9]*:dilations=[2-9]*"));
}

TEST(Update, KeepsClassesApart) {
  RunRecord run = Grid([](const std::string& suite, const std::string& type, int, int) {
    if (suite != "numerics") return FailureClass::kNone;
    return type == "i8" ? FailureClass::kHang : FailureClass::kWrongValue;
  });
  const std::vector<Expectation> entries = Read(Updated("", run, Reach::kAll));
  EXPECT_LE(entries.size(), 4U);
  for (const Expectation& entry : entries) {
    EXPECT_EQ(entry.largest_error == 0.5, entry.failure == FailureClass::kWrongValue);
  }
}

TEST(Update, IsOneStarIfEveryCaseFails) {
  RunRecord run = Grid([](const auto&...) { return FailureClass::kCrash; });
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kAll)), ElementsAre("*"));
}

TEST(Update, GroupsAcceptedOperatorsByClause) {
  RunRecord run;
  for (int i = 0; i < 30; ++i) {
    const std::string clause = fmt::format("S{}", i % 3);
    CaseResult result = Result("invalid", fmt::format("n{}", i * 7 % 11),
                               clause == "S1" ? FailureClass::kAcceptedInvalid : FailureClass::kNone,
                               fmt::format("ConvTranspose:data={}:filter=1,1,{}", i, i));
    result.judged.clauses = {clause};
    result.judged.output_dims.clear();
    result.answer.refused = clause != "S1";
    run.results.push_back(result);
  }
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kAll)), ElementsAre("S1"));
}

TEST(Update, GeneralizesNoFurtherThanTheRunReached) {
  const auto fails = [](const char*, std::string type, int, int) {
    return type == "f16" ? FailureClass::kCrash : FailureClass::kNone;
  };
  RunRecord run = Grid(fails);
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kSuite)), ElementsAre("attributes/*.f16.*", "numerics/*.f16.*"));
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kNone)), SizeIs(32));
}

TEST(Update, NamesACaseByHandByItsLine) {
  RunRecord run;
  run.results = {Result("command-line", "1", FailureClass::kCrash, "ConvTranspose:data=1,1,3:filter=1,1,3")};
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kNone)), ElementsAre("ConvTranspose:data=1,1,3:filter=1,1,3"));
}

TEST(Update, DividesAGlobThatOnlySomeCasesMeet) {
  const std::string file =
      "# Ours.\n[[expect]]\npattern = \"attributes/*\"\nfailure = \"wrong-value\"\nreason = \"größer\"\nowner = "
      "\"we\"\n"
      "\n# Next.\n[[expect]]\npattern = \"numerics/*\"\nfailure = \"crash\"\nreason = \"b\"\n";
  RunRecord run = Grid([](const std::string& suite, const std::string& type, int stride, int) {
    if (suite == "numerics") return FailureClass::kCrash;
    if (type == "i8") return FailureClass::kHang;
    return stride == 3 ? FailureClass::kNone : FailureClass::kWrongValue;
  });
  const std::string text = Updated(file, run, Reach::kAll);
  EXPECT_THAT(text, testing::StartsWith("# Ours.\n[[expect]]\n"));
  EXPECT_THAT(text, HasSubstr("\n\n# Next.\n[[expect]]\npattern = \"numerics/*\""));
  EXPECT_THAT(text, HasSubstr("reason = \"größer\"\nowner = \"we\"\n"));
  EXPECT_THAT(text, Not(HasSubstr("\"attributes/*\"\nfailure = \"wrong-value\"")));
  // If only some cases were run, the glob may still hold for the others, so the entry stays.
  EXPECT_THAT(Updated(file, run, Reach::kSuite), HasSubstr("\"attributes/*\"\nfailure = \"wrong-value\""));
}

TEST(Update, DoesNotDivideAnEntryWithSometimes) {
  const std::string entry = "[[expect]]\npattern = \"*\"\nfailure = \"hang\"\nreason = \"slow\"\nsometimes = true\n";
  RunRecord run = Grid([](const std::string& suite, const std::string& type, int stride, int dilation) {
    if (suite == "numerics" || dilation != 1) return FailureClass::kNone;
    if (type == "i8" && stride == 2) return FailureClass::kHang;
    return type == "f16" ? FailureClass::kWrongValue : FailureClass::kNone;
  });
  EXPECT_THAT(Updated(entry, run, Reach::kAll), testing::StartsWith(entry));
}

TEST(Update, AClauseMatchesNoRightCaseThatNamesItForAnotherReason) {
  RunRecord run;
  for (int i = 0; i < 12; ++i) {
    const bool refused = i % 3 == 0;
    CaseResult result =
        Result("limits", fmt::format("n{}", i * 7 % 13), refused ? FailureClass::kCrash : FailureClass::kNone,
               fmt::format("ConvTranspose:data={}:filter=1,1,{}", i, i));
    result.judged.clauses = {"O1"};
    if (refused) result.judged.output_dims.clear();
    if (!refused) result.judged.clauses.emplace_back("S4");
    run.results.push_back(result);
  }
  EXPECT_THAT(PatternsOf(Updated("", run, Reach::kAll)), Not(testing::Contains("O1")));
}

TEST(Update, CorrectsNumbersInPlace) {
  const auto file_with = [](const std::string& number) {
    return "# Ours.\n[[expect]]\npattern = \"attributes/*\"\nfailure = \"wrong-value\"\n"
           "reason = \"\"\"\nfailures = 5\n\"\"\"\nsometimes = true\n  failures =  " +
           number + "  # counted = by hand\nlevel = \"gate\"\nlink = \"größer\"\n\n# Next.\n";
  };
  RunRecord run = Grid([](const std::string& suite, const std::string& type, int, int) {
    return suite == "attributes" && type == "i8" ? FailureClass::kWrongValue : FailureClass::kNone;
  });
  for (const CaseList& list : BuiltInFrozenLists().lists) {
    if (list.level == Level::kGate && list.suite == kAllSuites) run.case_list_hash = list.hash;
  }
  run.case_list_size = run.results.size();
  EXPECT_EQ(Updated(file_with("1_000"), run, Reach::kAll), file_with("16"));
  EXPECT_EQ(Updated(file_with("0x10"), run, Reach::kAll), file_with("0x10"));
  // An entry that no case meets any more is removed.
  for (CaseResult& result : run.results)
    result = Result("attributes", result.origin.name, FailureClass::kNone, result.judged.line);
  EXPECT_THAT(Updated(file_with("16"), run, Reach::kAll), Not(HasSubstr("attributes/*")));
}

TEST(Update, CountsTheFailuresOfThePartsOfAnEntry) {
  RunRecord run = Grid([](const std::string& suite, const std::string& type, int, int) {
    return suite == "attributes" && type != "f64" ? FailureClass::kWrongValue : FailureClass::kNone;
  });
  for (const CaseList& list : BuiltInFrozenLists().lists) {
    if (list.level == Level::kGate && list.suite == kAllSuites) run.case_list_hash = list.hash;
  }
  run.case_list_size = run.results.size();
  const std::string file =
      "[[expect]]\npattern = \"attributes/*\"\nfailure = \"wrong-value\"\nreason = \"b\"\nfailures = 64\n"
      "level = \"gate\"\n";
  std::int64_t failures = 0;
  for (const Expectation& part : Read(Updated(file, run, Reach::kAll))) failures += part.failures.value_or(1000);
  EXPECT_EQ(failures, 48);
  // The run is not of the entry's level, so the numbers of failures of the parts are unknown.
  run.case_list_hash = "0123456789abcdef";
  for (const Expectation& part : Read(Updated(file, run, Reach::kAll))) EXPECT_FALSE(part.failures);
}

TEST(Update, ChangesNothingElse) {
  const std::vector<Expectation> expectations = Read(kFile);
  const std::string file = kFile;
  EXPECT_EQ(UpdatedExpectations(file, expectations, {}), file);
  const ExpectationsUpdate first = {.removed = {0}, .divided = {}, .recounted = {}, .added = {}};
  EXPECT_EQ(UpdatedExpectations(file, expectations, first),
            "# Of our library.\n\n[[expect]]\npattern = \"ConvTranspose:*\"\nfailure = \"crash\"\nreason = \"no "
            "ConvTranspose\"\n");
  // Headers may be written with spaces.
  std::string spaced = file;
  spaced.replace(spaced.rfind("[[expect]]"), 10, "  [[ expect ]]");
  EXPECT_THAT(UpdatedExpectations(spaced, Read(spaced), first), HasSubstr("[[ expect ]]\npattern = \"ConvTranspose:*"));
  RunRecord run;
  run.results = {Result("attributes", "new", FailureClass::kWrongValue, "ConvolutionBackpropData:data=1")};
  EXPECT_EQ(Updated(file, run, Reach::kNone),
            file +
                "\n[[expect]]\npattern = \"attributes/new\"\nfailure = \"wrong-value\"\nlargest_error = 0.5\n"
                "reason = \"not explained yet: is \\\"wrong\\\"\"\n");
}

}  // namespace
}  // namespace conformance
