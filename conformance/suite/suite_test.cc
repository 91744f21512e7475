// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the promises of the suites (named lists of cases): valid cases are valid, each refusal cites its clause and has
// a neighbour that is computed, levels contain one another, names and lines are unique, and the work fits the level.

#include "conformance/suite/suite.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/cases_of_suites.h"
#include "oracle/open_point.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

/// Sizes, strides and pads of the case, or why its dialect (reading of the attributes) refuses the operator.
oracle::Resolution Resolved(const Case& test_case) {
  return oracle::Resolve(test_case.op, test_case.EffectiveDialect());
}

bool IsInvalid(const SuiteCase& suite_case) { return suite_case.name.ends_with(".invalid"); }

TEST(Suites, NamesAndSentences) {
  std::set<std::string_view> names;
  for (const Suite& suite : Suites()) {
    EXPECT_TRUE(names.insert(suite.name).second) << suite.name;
    EXPECT_TRUE(suite.proves.ends_with('.')) << suite.name;
  }
  EXPECT_TRUE(names.contains("spec-examples"));
  EXPECT_TRUE(names.contains("layers"));
}

TEST(Suites, AnUnknownNameIsAnErrorWithTheNearest) {
  const auto result = SuiteCases("spec-exmples", Level::kGate, 0);
  ASSERT_TRUE(std::holds_alternative<ReadError>(result));
  EXPECT_THAT(std::get<ReadError>(result).message, testing::HasSubstr("did you mean spec-examples?"));
}

TEST(Suites, LevelsHaveNames) {
  for (const Level level : {Level::kSmoke, Level::kGate, Level::kFull}) EXPECT_EQ(ParseLevel(LevelName(level)), level);
  EXPECT_EQ(ParseLevel("ful"), std::nullopt);
}

TEST(Suites, EachLevelContainsTheOneBefore) {
  for (const Suite& suite : Suites()) {
    std::set<std::string> before;
    for (const Level level : {Level::kSmoke, Level::kGate, Level::kFull}) {
      std::set<std::string> now;
      for (const SuiteCase& suite_case : CasesOf(suite.name, level)) now.insert(ToLine(suite_case.test_case));
      // Suites of sweeps begin at level gate, because even small sweeps take too long for level smoke.
      const bool of_sweeps = suite.name == "exhaustive" || suite.name == "dense";
      EXPECT_EQ(now.empty(), of_sweeps && level == Level::kSmoke) << suite.name;
      for (const std::string& line : before) EXPECT_TRUE(now.contains(line)) << suite.name << ": " << line;
      before = std::move(now);
    }
  }
}

TEST(Suites, EveryCaseHasItsOwnNameALineThatParsesBackAndAReason) {
  for (const Suite& suite : Suites()) {
    std::set<std::string> names;
    std::map<std::string, std::string> lines;
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kFull)) {
      const std::string line = ToLine(suite_case.test_case);
      EXPECT_EQ(suite_case.suite, suite.name);
      EXPECT_TRUE(names.insert(suite_case.name).second) << suite_case.name;
      EXPECT_THAT(suite_case.name, testing::MatchesRegex("[a-z0-9_.-]+"));
      EXPECT_FALSE(suite_case.reason.empty()) << suite_case.name;
      const auto [other, is_new] = lines.emplace(line, suite_case.name);
      EXPECT_TRUE(is_new) << suite_case.name << " and " << other->second << ": " << line;
      const auto parsed = ParseCaseLine(line);
      ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << line << "\n" << std::get<ParseError>(parsed).message;
      EXPECT_TRUE(std::get<Case>(parsed) == suite_case.test_case) << line;
    }
  }
}

TEST(Suites, ValidCasesResolveToTheDeclaredShape) {
  for (const Suite& suite : Suites()) {
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kFull)) {
      if (IsInvalid(suite_case)) continue;
      const oracle::Resolution resolution = Resolved(suite_case.test_case);
      if (suite.name == "open") {
        EXPECT_FALSE(resolution.open.empty()) << suite_case.name;
        EXPECT_THAT(suite_case.reason, testing::HasSubstr(std::string(resolution.open.front().point)));
        if (resolution.required_answer() == oracle::RequiredAnswer::kUndefined) continue;
      }
      ASSERT_TRUE(resolution.ok()) << suite.name << "/" << suite_case.name << ": " << resolution.refusal->message
                                   << "\n"
                                   << ToLine(suite_case.test_case);
      if (!suite_case.declared_output.empty()) {
        EXPECT_EQ(resolution.geometry->OutputDims(), suite_case.declared_output) << suite_case.name;
      }
      EXPECT_TRUE(IsDefinedFor(suite_case.test_case.values, resolution.geometry->type)) << suite_case.name;
    }
  }
}

TEST(Suites, RefusalsCiteTheClauseThatTheReasonNames) {
  std::set<std::string_view> clauses;
  for (const Suite& suite : Suites()) {
    for (const SuiteCase& suite_case : CasesOf(suite.name, Level::kFull)) {
      if (!IsInvalid(suite_case)) continue;
      const oracle::Resolution resolution = Resolved(suite_case.test_case);
      ASSERT_FALSE(resolution.ok()) << suite_case.name << "\n" << ToLine(suite_case.test_case);
      EXPECT_FALSE(resolution.refusal->undefined) << suite_case.name << ": nothing may demand a refusal there";
      if (suite.name == "invalid") clauses.insert(resolution.refusal->clause);
      EXPECT_TRUE(suite_case.reason.starts_with("clause " + std::string(resolution.refusal->clause) + ":"))
          << suite_case.name << ": " << resolution.refusal->clause << " " << resolution.refusal->message << "; "
          << suite_case.reason;
    }
  }
  for (const char* clause : {"T2",  "T3",  "T4",  "T5",  "T6", "S1", "S2",  "S3",  "S5",  "S6",  "S7",  "S9",  "S10",
                             "S11", "S12", "S13", "S14", "A1", "A2", "A3",  "A4",  "A5",  "A9",  "A10", "A11", "A13",
                             "A14", "A16", "P16", "O1",  "O2", "D3", "A17", "A19", "P21", "P26", "S16", "S18", "S19"}) {
    EXPECT_TRUE(clauses.contains(clause)) << clause;
  }
}

// The number of fields that differ between the lines of two cases.
int DifferingFields(const Case& one, const Case& other) {
  std::set<std::string> fields;
  for (const Case* test_case : {&one, &other}) {
    std::istringstream line(ToLine(*test_case));
    for (std::string field; std::getline(line, field, ':');) {
      if (!fields.insert(field).second) fields.erase(field);
    }
  }
  std::set<std::string> names;
  for (const std::string& field : fields) names.insert(field.substr(0, field.find('=')));
  return static_cast<int>(names.size());
}

// The reason of a refusal names the valid neighbour, which several faults may share.
TEST(Suites, EveryRefusalHasAValidNeighbourNextToIt) {
  const std::vector<SuiteCase> cases = CasesOf("invalid", Level::kFull);
  std::map<std::string, const SuiteCase*> by_name;
  for (const SuiteCase& suite_case : cases) by_name[suite_case.name] = &suite_case;
  std::set<std::string> neighbours;
  for (const SuiteCase& suite_case : cases) {
    if (!IsInvalid(suite_case)) continue;
    const std::string words = ": must be refused, unlike ";
    const std::size_t at = suite_case.reason.find(words);
    ASSERT_NE(at, std::string::npos) << suite_case.name << ": " << suite_case.reason;
    const auto neighbour = by_name.find(suite_case.reason.substr(at + words.size()));
    ASSERT_NE(neighbour, by_name.end()) << suite_case.name << ": " << suite_case.reason;
    neighbours.insert(neighbour->first);
    EXPECT_TRUE(neighbour->first.ends_with(".valid")) << suite_case.name;
    EXPECT_TRUE(Resolved(neighbour->second->test_case).ok()) << neighbour->first;
    EXPECT_EQ(neighbour->second->test_case.EffectiveDialect(), suite_case.test_case.EffectiveDialect());
    const int differing = DifferingFields(suite_case.test_case, neighbour->second->test_case);
    EXPECT_GE(differing, 1) << suite_case.name;
    // An operator of another rank has lists of another length too.
    const bool other_rank = suite_case.name.starts_with("rank-") || suite_case.name.starts_with("library-rank-");
    EXPECT_LE(differing, other_rank ? 9 : 2) << suite_case.name << "\n"
                                             << ToLine(suite_case.test_case) << "\n"
                                             << ToLine(neighbour->second->test_case);
  }
  for (const SuiteCase& suite_case : cases) {
    if (!IsInvalid(suite_case)) {
      EXPECT_TRUE(neighbours.contains(suite_case.name)) << suite_case.name;
    }
  }
}

// Neighbours must be simple, so that libraries with few features compute them. Otherwise a refusal would prove nothing.
TEST(Suites, NeighboursOfRefusalsAreSimple) {
  std::size_t invalid = 0;
  for (const SuiteCase& suite_case : CasesOf("invalid", Level::kFull)) {
    if (!IsInvalid(suite_case)) continue;
    ++invalid;
    ASSERT_TRUE(suite_case.neighbour.has_value()) << suite_case.name;
    const oracle::Resolution resolution =
        oracle::Resolve(*suite_case.neighbour, suite_case.test_case.EffectiveDialect());
    EXPECT_EQ(resolution.required_answer(), oracle::RequiredAnswer::kComputed) << suite_case.name;
    if (suite_case.name.starts_with("library-")) continue;  // their rules are about strides and sizes
    const bool grouped = suite_case.name.find("d.g2.") != std::string::npos;
    EXPECT_EQ(resolution.geometry->groups, grouped ? 2 : 1) << suite_case.name;
    for (const oracle::Axis& axis : resolution.geometry->axes) {
      EXPECT_EQ(axis.stride * axis.dilation, 1) << suite_case.name;
      EXPECT_EQ(axis.pads_begin, axis.pads_end) << suite_case.name;
    }
  }
  EXPECT_GT(invalid, 1000U);
}

// A library may refuse one group, or several groups. The cases with the other number of groups then judge it.
TEST(Suites, RefusalsOfGroupConvolutionHaveOneAndTwoGroups) {
  std::map<std::string, int> groups;
  for (const SuiteCase& suite_case : CasesOf("invalid", Level::kSmoke)) {
    if (!IsInvalid(suite_case) || suite_case.test_case.op.kind != oracle::OperatorKind::kGroupConvolutionBackpropData) {
      continue;
    }
    std::string name = suite_case.name;
    if (const std::size_t at = name.find(".g2"); at != std::string::npos) name.erase(at, 3);
    ++groups[name];
  }
  EXPECT_GT(groups.size(), 100U);
  for (const auto& [name, count] : groups) EXPECT_EQ(count, 2) << name;
}

// A backend must compute the neighbour. Otherwise the backend may refuse the open operator for a reason that has
// nothing to do with its open point.
TEST(Suites, OpenOperatorsHaveANeighbourThatMustBeComputed) {
  std::size_t alone = 0, with_neighbour = 0;
  for (const char* suite : {"open", "limits"}) {
    for (const SuiteCase& suite_case : CasesOf(suite, Level::kGate)) {
      const oracle::Dialect dialect = suite_case.test_case.EffectiveDialect();
      if (oracle::Resolve(suite_case.test_case.op, dialect).required_answer() != oracle::RequiredAnswer::kOpen)
        continue;
      if (!suite_case.neighbour) {
        ++alone;
        continue;
      }
      ++with_neighbour;
      EXPECT_EQ(oracle::Resolve(*suite_case.neighbour, dialect).required_answer(), oracle::RequiredAnswer::kComputed)
          << suite_case.name;
    }
  }
  EXPECT_GT(with_neighbour, 300U);
  EXPECT_LT(alone, 20U);
}

// The neighbour of a too large shape input also has a shape input: a backend may not support shape inputs at all.
TEST(Suites, NeighboursOfLimitsDifferInTheSizeAlone) {
  std::size_t shapes = 0;
  for (const SuiteCase& suite_case : CasesOf("limits", Level::kSmoke)) {
    if (!IsInvalid(suite_case) || !suite_case.test_case.op.output_shape) continue;
    ++shapes;
    ASSERT_TRUE(suite_case.neighbour.has_value()) << suite_case.name;
    const oracle::Resolution resolution =
        oracle::Resolve(*suite_case.neighbour, suite_case.test_case.EffectiveDialect());
    EXPECT_EQ(resolution.required_answer(), oracle::RequiredAnswer::kComputed) << suite_case.name;
    Case mended = suite_case.test_case;
    mended.op.output_shape->values = suite_case.neighbour->output_shape->values;
    Case neighbour = suite_case.test_case;
    neighbour.op = *suite_case.neighbour;
    EXPECT_EQ(ToLine(mended), ToLine(neighbour)) << suite_case.name;
  }
  EXPECT_EQ(shapes, 4U);
}

/// Every open point of the oracle has cases, in each dialect that leaves it open.
TEST(Suites, EveryOpenPointHasCases) {
  std::set<std::string_view> met;
  for (const SuiteCase& suite_case : CasesOf("open", Level::kGate)) {
    const oracle::Resolution resolution = Resolved(suite_case.test_case);
    for (const oracle::OpenPoint& point : resolution.open) met.insert(point.point);
  }
  for (const oracle::OpenPointName& name : oracle::kOpenPoints) EXPECT_TRUE(met.contains(name.phrase)) << name.phrase;
}

TEST(Suites, RefusalsHaveNeighboursInEveryOperatorAndDialect) {
  std::map<std::string, std::pair<int, int>> counts;  // operator, rank and dialect: invalid, valid
  for (const SuiteCase& suite_case : CasesOf("invalid", Level::kFull)) {
    const std::string place =
        suite_case.name.substr(suite_case.name.find('.'), suite_case.name.rfind('.') - suite_case.name.find('.'));
    (IsInvalid(suite_case) ? counts[place].first : counts[place].second)++;
  }
  EXPECT_EQ(counts.size(), 39U);  // (2 + 2 * 2 + 2 + 5) dialects of operators, those of groups twice, three ranks each
  for (const auto& [place, count] : counts) {
    EXPECT_GT(count.first, 30) << place;
    EXPECT_GE(count.second, 8) << place;  // many faults share a simple neighbour
  }
}

// On two cores the limits keep level smoke below 10 s and gate below a minute. Suite `common` takes 0.2e9 at smoke.
TEST(Suites, WorkFitsTheLevel) {
  for (const auto& [level, limit] : {std::pair{Level::kSmoke, 0.55e9}, std::pair{Level::kGate, 8e9}}) {
    double sum = 0;
    for (const Suite& suite : Suites()) {
      double work_of_suite = 0;
      std::size_t count = 0;
      for (const SuiteCase& suite_case : CasesOf(suite.name, level)) {
        ++count;
        if (!IsInvalid(suite_case)) work_of_suite += MultiplyAdds(suite_case.test_case.op);
      }
      RecordProperty(std::string(suite.name) + "." + std::string(LevelName(level)), std::to_string(work_of_suite));
      std::printf("%-14s %-6s %6zu cases %8.3fe9 multiply-adds\n", std::string(suite.name).c_str(),
                  std::string(LevelName(level)).c_str(), count, work_of_suite / 1e9);
      sum += work_of_suite;
    }
    EXPECT_LT(sum, limit) << LevelName(level);
  }
}

TEST(Suites, TheSeedIsAddedToEachCase) {
  const auto listed = CasesOf("spec-examples", Level::kSmoke);
  const auto moved = std::get<std::vector<SuiteCase>>(SuiteCases("spec-examples", Level::kSmoke, 7));
  ASSERT_EQ(listed.size(), moved.size());
  for (std::size_t i = 0; i < listed.size(); ++i) {
    EXPECT_EQ(moved[i].test_case.seed, listed[i].test_case.seed + 7);
    EXPECT_EQ(moved[i].name, listed[i].name);
  }
}

TEST(Suites, SpecExamplesHaveThePrintedShapes) {
  std::map<std::string, oracle::Dims> shapes;
  for (const SuiteCase& suite_case : CasesOf("spec-examples", Level::kFull)) {
    shapes[suite_case.name] = suite_case.declared_output;
  }
  EXPECT_EQ(shapes["convolution_2020"], (oracle::Dims{1, 10, 447, 447}));
  EXPECT_EQ(shapes["convolution_example1"], (oracle::Dims{1, 10, 447, 447}));
  EXPECT_EQ(shapes["convolution_example2"], (oracle::Dims{1, 10, 8, 8}));
  EXPECT_EQ(shapes["convolution_example3"], (oracle::Dims{1, 10, 450, 450}));
  EXPECT_EQ(shapes["convolution_example3.openvino-runtime"], (oracle::Dims{1, 10, 450, 450}));
  EXPECT_EQ(shapes["group_1d"], (oracle::Dims{1, 8, 447}));
  EXPECT_EQ(shapes["group_2d"], (oracle::Dims{1, 8, 447, 447}));
  EXPECT_EQ(shapes["group_3d"], (oracle::Dims{1, 8, 447, 447, 447}));
}

TEST(Suites, Example3StartsWhereItsDialectSays) {
  for (const SuiteCase& suite_case : CasesOf("spec-examples", Level::kFull)) {
    if (!suite_case.name.starts_with("convolution_example3")) continue;
    const bool runtime = suite_case.test_case.EffectiveDialect() == oracle::Dialect::kOpenvinoRuntime;
    const oracle::Resolution resolution = Resolved(suite_case.test_case);
    for (const oracle::Axis& axis : resolution.geometry->axes) {
      // Half of the total: 226 - 450, and 58 - 114 for 56 data elements.
      const std::int64_t half = suite_case.name.find(".data56") == std::string::npos ? -112 : -28;
      EXPECT_EQ(axis.pads_begin, runtime ? 0 : half) << suite_case.name;
    }
  }
}

TEST(Suites, AMissingCorpusIsOneClearLine) {
  const char* const before = std::getenv("DECONV_CORPUS");
  const std::string saved = before == nullptr ? "" : before;
  setenv("DECONV_CORPUS", "/nowhere/at/all", 1);
  for (const char* suite : {"spec-examples", "layers"}) {
    const auto result = SuiteCases(suite, Level::kSmoke, 0);
    ASSERT_TRUE(std::holds_alternative<ReadError>(result)) << suite;
    const std::string& message = std::get<ReadError>(result).message;
    EXPECT_THAT(message, testing::HasSubstr("/nowhere/at/all"));
    EXPECT_THAT(message, testing::HasSubstr("DECONV_CORPUS"));
    EXPECT_THAT(message, testing::Not(testing::HasSubstr("\n")));
  }
  if (before == nullptr) {
    unsetenv("DECONV_CORPUS");
  } else {
    setenv("DECONV_CORPUS", saved.c_str(), 1);
  }
}

}  // namespace
}  // namespace conformance
