// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that level gate, the default list of cases, has every feasible triple of classes (such as symmetric pads,
// stride 1 and f16), and that the counter notices missing cases.

#include "conformance/suite/measured_coverage/coverage.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/property/property.h"
#include "conformance/suite/covering/array.h"
#include "conformance/suite/suite.h"
#include "oracle/clause.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::OperatorKind;

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

std::string NameOf(const OperatorCoverage& entry) {
  return std::string(OperatorKindName(entry.kind)) + " " + std::string(DialectName(entry.dialect)) + " ";
}

Coverage CoverageOf(const std::vector<SuiteCase>& cases) {
  CoverageCounter counter;
  for (const SuiteCase& suite_case : cases) counter.Add(suite_case.test_case, suite_case.test_case.EffectiveDialect());
  return counter.Count();
}

const Coverage& GateCoverage() {
  static const Coverage coverage = CoverageOf(GateCases());
  return coverage;
}

Coverage CoverageOfAttributes(Level level) {
  return CoverageOf(std::get<std::vector<SuiteCase>>(SuiteCases("attributes", level, 0)));
}

constexpr std::size_t kOperatorsInDialects = 11;  // four kinds of operators in 2, 2, 2 and 5 dialects

/// Every operator in every dialect has all feasible combinations of this kind.
template <typename Counted>
void ExpectComplete(const Coverage& coverage, Counted OperatorCoverage::* counted) {
  ASSERT_EQ(coverage.operators.size(), kOperatorsInDialects);
  for (const OperatorCoverage& entry : coverage.operators) {
    EXPECT_TRUE((entry.*counted).complete()) << NameOf(entry) << ToText((entry.*counted).missing.front());
  }
}

TEST(Coverage, LevelGateHasEveryFeasibleTripleOfEveryOperatorInEveryDialect) {
  ExpectComplete(GateCoverage(), &OperatorCoverage::pairs);
  ExpectComplete(GateCoverage(), &OperatorCoverage::triples);
}

TEST(Coverage, LevelGateHasEveryFeasiblePairOfClassesOfTwoAxes) {
  ExpectComplete(GateCoverage(), &OperatorCoverage::axes);
}

TEST(Coverage, LevelFullHasTheCoreWithEachOtherClass) {
  ExpectComplete(CoverageOfAttributes(Level::kFull), &OperatorCoverage::core);
}

TEST(Coverage, LevelSmokeHasEveryFeasiblePair) {
  ExpectComplete(CoverageOfAttributes(Level::kSmoke), &OperatorCoverage::pairs);
}

// The coverage of the cases of ConvolutionBackpropData in its default dialect that `stays` keeps.
template <typename Stays>
OperatorCoverage CoverageWithout(Stays stays) {
  std::vector<SuiteCase> rest;
  for (const SuiteCase& suite_case : GateCases()) {
    const Case& test_case = suite_case.test_case;
    if (test_case.op.kind != OperatorKind::kConvolutionBackpropData) continue;
    if (test_case.EffectiveDialect() != Dialect::kOpenvinoSpec) continue;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, Dialect::kOpenvinoSpec);
    const auto row = resolution.ok() ? Classify(test_case.op, *resolution.geometry) : std::nullopt;
    if (!row || stays(*row, ClassifyAxes(test_case.op, *resolution.geometry))) rest.push_back(suite_case);
  }
  const Coverage coverage = CoverageOf(rest);
  EXPECT_EQ(coverage.operators.size(), 1U);
  return coverage.operators.front();
}

// The test removes all cases with one combination. The counter must report the combinations that only these cases had.
TEST(Coverage, ARemovedCombinationIsNoticed) {
  ClassRow hole;
  hole.Set(Property::kAutoPad, AutoPadClass::kSameUpper);
  hole.Set(Property::kOutputShape, OutputShapeClass::kNegativeOdd);
  hole.Set(Property::kPads, PadsClass::kAsymmetric);
  const OperatorCoverage coverage = CoverageWithout([](const ClassRow& row, const std::vector<ClassRow>&) {
    return !row.Is(Property::kAutoPad, AutoPadClass::kSameUpper) ||
           !row.Is(Property::kOutputShape, OutputShapeClass::kNegativeOdd) ||
           !row.Is(Property::kPads, PadsClass::kAsymmetric);
  });
  const std::vector<ClassRow>& missing = coverage.triples.missing;
  EXPECT_TRUE(std::ranges::find(missing, hole) != missing.end());
  EXPECT_TRUE(coverage.pairs.complete());
}

// Cases of another operator in the same dialect do not count for the removed operator.
TEST(Coverage, ARemovedOperatorIsNoticed) {
  std::vector<SuiteCase> rest;
  for (const SuiteCase& suite_case : GateCases()) {
    const Case& test_case = suite_case.test_case;
    const bool planar = test_case.op.data.dims.size() == 4;
    if (test_case.op.kind != OperatorKind::kConvolutionBackpropData || !planar) rest.push_back(suite_case);
  }
  for (const OperatorCoverage& entry : CoverageOf(rest).operators) {
    EXPECT_EQ(entry.pairs.complete(), entry.kind != OperatorKind::kConvolutionBackpropData) << NameOf(entry);
  }
}

TEST(Coverage, ARemovedPairOfAxesIsNoticed) {
  const OperatorCoverage coverage = CoverageWithout([](const ClassRow&, const std::vector<ClassRow>& axes) {
    return axes.size() != 2 || !axes[0].Is(Property::kKernel, KernelClass::kEven) ||
           !axes[1].Is(Property::kKernel, KernelClass::kOdd);
  });
  std::vector<std::string> missing;
  for (const AxisPair& pair : coverage.axes.missing) missing.push_back(ToText(pair));
  for (const char* shape : {"with", "without"}) {
    for (const char* pads : {"used", "ignored"}) {
      const std::string pair =
          std::string("axes 0 and 1 of 2, ") + shape + " output shape, pads " + pads + ": kernel=even,odd";
      EXPECT_TRUE(std::ranges::find(missing, pair) != missing.end()) << pair;
    }
  }
}

// The test removes one row of the array. Each row was added for a triple that no earlier row has.
TEST(Coverage, AMissingRowIsNoticed) {
  const std::vector<ClassRow>& rows = TriplesOf(OperatorKind::kConvTranspose, Dialect::kOnnx11);
  CombinationCounter counter(OperatorKind::kConvTranspose, Dialect::kOnnx11);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) counter.Add(rows[i]);
  EXPECT_FALSE(counter.Count(Strength::kTriples).complete());
  counter.Add(rows.back());
  EXPECT_TRUE(counter.Count(Strength::kTriples).complete());
}

TEST(Coverage, LevelGateMeetsEveryClause) {
  const Coverage& coverage = GateCoverage();
  for (const std::string_view clause : coverage.missing_clauses) ADD_FAILURE() << clause;
  EXPECT_EQ(coverage.clauses_within + 4, oracle::Clauses().size());  // all but D1, D5, T7 and P17
}

TEST(Coverage, AClauseWithoutCasesIsNoticed) {
  std::vector<SuiteCase> cases = GateCases();
  std::erase_if(cases, [](const SuiteCase& suite_case) { return suite_case.test_case.op.dst_shape.has_value(); });
  const Coverage coverage = CoverageOf(cases);
  EXPECT_TRUE(std::ranges::find(coverage.missing_clauses, "S15") != coverage.missing_clauses.end());
}

TEST(Coverage, LevelGateMeetsEveryTapRegimeInEveryPhase) {
  const Coverage& coverage = GateCoverage();
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      const auto phase = static_cast<PhaseClass>(p);
      const auto regime = static_cast<TapRegime>(r);
      EXPECT_EQ(coverage.regimes.count(phase, regime) != 0, Exists(phase, regime))
          << kPhaseClassNames[p] << " " << kTapRegimeNames[r];
    }
  }
}

// One operator is in one class of each of 13 parameters, which makes 13 * 12 * 11 / 6 triples.
TEST(CoverageText, SumsAndLists) {
  using testing::HasSubstr;
  SuiteCase suite_case;
  suite_case.test_case = std::get<Case>(ParseCaseLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,3"));
  const Coverage coverage = CoverageOf({suite_case});
  EXPECT_EQ(coverage.clauses.at("P2"), 1U);
  EXPECT_THAT(CoverageSummary(coverage), HasSubstr("ConvolutionBackpropData in openvino-spec triples of classes 286/"));
  const std::string list = CoverageList(coverage);
  EXPECT_THAT(list, HasSubstr("openvino-spec: uncovered auto_pad=valid rank=5\n"));
  EXPECT_THAT(list, HasSubstr("ConvolutionBackpropData in openvino-spec: infeasible by clause S6: "
                              "ConvolutionBackpropData has one group\n"));
  EXPECT_THAT(list, HasSubstr("uncovered clause P7 ("));
  EXPECT_THAT(list, HasSubstr("uncovered phase last, gap\n"));
  EXPECT_THAT(list, testing::Not(HasSubstr("uncovered auto_pad=absent rank=3\n")));
}

}  // namespace
}  // namespace conformance
