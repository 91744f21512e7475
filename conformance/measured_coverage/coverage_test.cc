// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that level gate covers what it promises, and that the counter notices missing cases.

#include "conformance/measured_coverage/coverage.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "conformance/covering/array.h"
#include "conformance/measured_coverage/classify.h"
#include "conformance/suite/suite.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

using oracle::Dialect;

const std::vector<SuiteCase>& GateCases() {
  static const std::vector<SuiteCase> cases = [] {
    std::vector<SuiteCase> all;
    for (const Suite& suite : Suites()) {
      auto result = SuiteCases(suite.name, Level::kGate, 0);
      EXPECT_TRUE(std::holds_alternative<std::vector<SuiteCase>>(result));
      std::ranges::move(std::get<std::vector<SuiteCase>>(result), std::back_inserter(all));
    }
    return all;
  }();
  return cases;
}

Coverage CoverageOf(const std::vector<SuiteCase>& cases) {
  CoverageCounter counter;
  for (const SuiteCase& suite_case : cases) counter.Add(suite_case.test_case, suite_case.test_case.EffectiveDialect());
  return counter.Count();
}

TEST(Coverage, LevelGateHasEveryFeasibleTripleOfEveryDialect) {
  const Coverage coverage = CoverageOf(GateCases());
  ASSERT_EQ(coverage.dialects.size(), oracle::kDialects.size());
  for (const DialectCoverage& dialect : coverage.dialects) {
    EXPECT_TRUE(dialect.pairs.complete())
        << DialectName(dialect.dialect) << ": " << ToText(dialect.pairs.missing.front());
    EXPECT_TRUE(dialect.triples.complete())
        << DialectName(dialect.dialect) << ": " << ToText(dialect.triples.missing.front());
    EXPECT_EQ(dialect.triples.covered, dialect.triples.feasible);
    std::printf(
        "%-16s %5zu cases, %5zu classified, pairs %4zu of %4zu (%3zu infeasible), triples %5zu of %5zu "
        "(%4zu infeasible)\n",
        std::string(DialectName(dialect.dialect)).c_str(), dialect.cases, dialect.classified, dialect.pairs.covered,
        dialect.pairs.feasible, dialect.pairs.infeasible, dialect.triples.covered, dialect.triples.feasible,
        dialect.triples.infeasible);
  }
}

TEST(Coverage, LevelSmokeHasEveryFeasiblePair) {
  CoverageCounter counter;
  auto result = SuiteCases("attributes", Level::kSmoke, 0);
  for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(result)) {
    counter.Add(suite_case.test_case, suite_case.test_case.EffectiveDialect());
  }
  const Coverage coverage = counter.Count();
  ASSERT_EQ(coverage.dialects.size(), oracle::kDialects.size());
  for (const DialectCoverage& dialect : coverage.dialects) {
    EXPECT_TRUE(dialect.pairs.complete()) << DialectName(dialect.dialect);
  }
}

// A planted hole: all cases of one combination are taken out, and exactly what only they had is reported.
TEST(Coverage, ARemovedCombinationIsNoticed) {
  ClassRow hole;
  hole.Set(Parameter::kAutoPad, AutoPadClass::kSameUpper);
  hole.Set(Parameter::kOutputShape, OutputShapeClass::kNegativeOdd);
  hole.Set(Parameter::kPads, PadsClass::kAsymmetric);
  std::vector<SuiteCase> rest;
  for (const SuiteCase& suite_case : GateCases()) {
    if (suite_case.test_case.EffectiveDialect() != Dialect::kOpenvinoSpec) continue;
    const oracle::Resolution resolution = oracle::Resolve(suite_case.test_case.op, Dialect::kOpenvinoSpec);
    const auto row = resolution.ok() ? Classify(suite_case.test_case.op, *resolution.geometry) : std::nullopt;
    const bool in_hole = row && row->Is(Parameter::kAutoPad, AutoPadClass::kSameUpper) &&
                         row->Is(Parameter::kOutputShape, OutputShapeClass::kNegativeOdd) &&
                         row->Is(Parameter::kPads, PadsClass::kAsymmetric);
    if (!in_hole) rest.push_back(suite_case);
  }
  const Coverage coverage = CoverageOf(rest);
  ASSERT_EQ(coverage.dialects.size(), 1U);
  const std::vector<ClassRow>& missing = coverage.dialects.front().triples.missing;
  EXPECT_TRUE(std::ranges::find(missing, hole) != missing.end());
  EXPECT_TRUE(coverage.dialects.front().pairs.complete());
}

// The array without one of its rows: each row was taken for a triple that no row before it had.
TEST(Coverage, AMissingRowIsNoticed) {
  const std::vector<ClassRow>& rows = TriplesOf(Dialect::kOnnx11);
  CombinationCounter counter(Dialect::kOnnx11);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) counter.Add(rows[i]);
  EXPECT_FALSE(counter.Count(3).complete());
  counter.Add(rows.back());
  EXPECT_TRUE(counter.Count(3).complete());
}

TEST(Coverage, LevelGateMeetsEveryClause) {
  const Coverage coverage = CoverageOf(GateCases());
  for (const std::string_view clause : coverage.missing_clauses) ADD_FAILURE() << clause;
  EXPECT_EQ(coverage.clauses_within + 5, oracle::Clauses().size());  // all but D1, D5, T7, P17 and P23
}

TEST(Coverage, AClauseWithoutCasesIsNoticed) {
  std::vector<SuiteCase> cases = GateCases();
  std::erase_if(cases, [](const SuiteCase& suite_case) { return suite_case.test_case.op.dst_shape.has_value(); });
  const Coverage coverage = CoverageOf(cases);
  EXPECT_TRUE(std::ranges::find(coverage.missing_clauses, "S15") != coverage.missing_clauses.end());
}

TEST(Coverage, LevelGateMeetsEveryTapRegimeInEveryPhase) {
  const Coverage coverage = CoverageOf(GateCases());
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      const auto phase = static_cast<PhaseClass>(p);
      const auto regime = static_cast<TapRegime>(r);
      EXPECT_EQ(coverage.regimes.count(phase, regime) != 0, Exists(phase, regime))
          << kPhaseClassNames[p] << " " << kTapRegimeNames[r];
    }
  }
}

// What the counter says of one operator, by hand: natural size 7, total 1.
TEST(Classify, AnOperatorByHand) {
  const auto parsed = ParseCaseLine(
      "ConvolutionBackpropData:data=1,2,3:filter=2,3,3:strides=2:pads_begin=1:pads_end=0:dilations=1:auto_pad=SAME_"
      "UPPER:"
      "output_shape=6");
  ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << std::get<ParseError>(parsed).message;
  const Case& test_case = std::get<Case>(parsed);
  const auto row = Classify(test_case.op, *oracle::Resolve(test_case.op, test_case.EffectiveDialect()).geometry);
  ASSERT_TRUE(row);
  EXPECT_EQ(ToText(*row),
            "operator=ConvolutionBackpropData auto_pad=same_upper output_shape=total-odd output_padding=zero rank=3 "
            "groups=one strides=equal dilations=one stride-and-dilation=coprime pads=begin kernel=odd "
            "kernel-and-data=within batch=one type=f32");
}

TEST(Classify, AxesInDifferentClassesHaveNone) {
  const auto parsed = ParseCaseLine(
      "ConvolutionBackpropData:data=1,2,3,3:filter=2,3,3,2:strides=2,3:pads_begin=1,0:pads_end=0,0:dilations=1,1");
  ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << std::get<ParseError>(parsed).message;
  const Case& test_case = std::get<Case>(parsed);
  const auto row = Classify(test_case.op, *oracle::Resolve(test_case.op, Dialect::kOpenvinoSpec).geometry);
  ASSERT_TRUE(row);
  EXPECT_FALSE(row->Has(Parameter::kPads));
  EXPECT_FALSE(row->Has(Parameter::kKernel));
  EXPECT_TRUE(row->Is(Parameter::kStride, StepClass::kDifferent));
}

}  // namespace
}  // namespace conformance
