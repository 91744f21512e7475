// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the model of the covering arrays, which says which combinations of classes (such as stride 1 with no pads) an
// operator can have. Each combination that it calls feasible can be built, and the operator has these classes. Random
// operators never have a combination that it calls infeasible.

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "conformance/case/property/property.h"
#include "conformance/suite/covering/array.h"
#include "conformance/suite/covering/build.h"
#include "conformance/suite/covering/operators_in_dialects.h"
#include "conformance/suite/measured_coverage/combinations.h"
#include "oracle/clause.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::OperatorKind;

class EveryOperator : public testing::TestWithParam<OperatorInDialect> {
 protected:
  static OperatorKind kind() { return GetParam().kind; }
  static Dialect dialect() { return GetParam().dialect; }
};

INSTANTIATE_TEST_SUITE_P(Covering, EveryOperator, testing::ValuesIn(OperatorsInDialects()), OperatorTestName());

TEST_P(EveryOperator, ConstraintsCiteAClauseOrTheDefinition) {
  for (const Constraint& constraint : ModelOf(kind(), dialect()).constraints()) {
    EXPECT_FALSE(constraint.reason.empty());
    if (!constraint.clause.empty()) {
      EXPECT_NE(oracle::FindClause(constraint.clause), nullptr) << constraint.clause;
    }
  }
}

TEST_P(EveryOperator, EachRowOfTheArrayIsAllowed) {
  const Model& model = ModelOf(kind(), dialect());
  for (const ClassRow& row : TriplesOf(kind(), dialect())) {
    EXPECT_EQ(model.Forbidden(row), nullptr) << ToText(row);
    for (std::size_t i = 0; i < kParameters; ++i) {
      const auto parameter = static_cast<Property>(i);
      EXPECT_EQ(row.Has(parameter), !model.classes(parameter).empty()) << PropertyName(parameter);
    }
  }
}

TEST_P(EveryOperator, EachRowIsBuiltInExactlyItsClasses) {
  for (std::uint64_t variant = 0; variant < 4; ++variant) {
    for (const ClassRow& row : TriplesOf(kind(), dialect())) {
      const auto draft = DraftOf(row, dialect(), variant);
      ASSERT_TRUE(draft) << ToText(row);
      const oracle::Operator op = Spelled(Build(*draft), dialect());
      const oracle::Resolution resolution = oracle::Resolve(op, dialect());
      ASSERT_TRUE(resolution.ok()) << ToText(row) << "\n" << resolution.refusal->message;
      const auto classes = Classify(op, *resolution.geometry);
      ASSERT_TRUE(classes) << ToText(row);
      EXPECT_EQ(ToText(*classes), ToText(row));
      EXPECT_TRUE(IsDefinedFor(DataSetOf(row, variant), draft->type));
    }
  }
}

TEST_P(EveryOperator, OtherVariantsHaveOtherValues) {
  std::size_t same = 0;
  const std::vector<ClassRow>& rows = TriplesOf(kind(), dialect());
  for (const ClassRow& row : rows) {
    same += Build(*DraftOf(row, dialect(), 0)) == Build(*DraftOf(row, dialect(), 1)) ? 1 : 0;
  }
  EXPECT_LT(same, rows.size() / 20);
}

TEST_P(EveryOperator, TheArrayHoldsEveryFeasibleCombination) {
  CombinationCounter pairs(kind(), dialect());
  for (const ClassRow& row : PairsOf(kind(), dialect())) pairs.Add(row);
  EXPECT_TRUE(pairs.Count(Strength::kPairs).complete());
  EXPECT_FALSE(pairs.Count(Strength::kTriples).complete());
  CombinationCounter triples(kind(), dialect());
  for (const ClassRow& row : TriplesOf(kind(), dialect())) triples.Add(row);
  EXPECT_TRUE(triples.Count(Strength::kPairs).complete());
  EXPECT_TRUE(triples.Count(Strength::kTriples).complete());
}

TEST_P(EveryOperator, TheTriplesBeginWithThePairs) {
  const std::vector<ClassRow>& pairs = PairsOf(kind(), dialect());
  ASSERT_LE(pairs.size(), TriplesOf(kind(), dialect()).size());
  EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), TriplesOf(kind(), dialect()).begin()));
}

// Draws random operators. Each field has two to four possible values and is drawn without regard to classes.
class OperatorDrawer {
 public:
  explicit OperatorDrawer(std::uint64_t seed) : random_(seed) {}

  std::int64_t DrawBetween(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
  }

  oracle::Operator Operator(OperatorKind kind, Dialect dialect) {
    OperatorDraft draft;
    draft.kind = kind;
    const bool is_cropped = DrawBetween(0, 1) != 0;
    const bool has_output_shape = DrawBetween(0, 2) != 0;
    const std::int64_t axes = DrawBetween(0, 9) < 6 ? 1 : DrawBetween(2, 4);
    for (std::int64_t j = 0; j < axes; ++j) {
      AxisDraft axis{.data = DrawBetween(2, 4),
                     .kernel = DrawBetween(1, 5),
                     .stride = DrawBetween(1, 5),
                     .dilation = DrawBetween(1, 3)};
      if (DrawBetween(0, 1) != 0) axis.pads_begin = DrawBetween(0, 3);
      if (DrawBetween(0, 1) != 0) axis.pads_end = DrawBetween(0, 3);
      if (DrawBetween(0, 2) == 0) axis.output_padding = DrawBetween(0, 6);
      // Near the natural size, on either side of it.
      if (has_output_shape)
        axis.output = std::max<std::int64_t>(1, axis.Natural() + (is_cropped ? -DrawBetween(0, 8) : DrawBetween(0, 4)));
      draft.axes.push_back(axis);
    }
    if (DrawBetween(0, 3) != 0) draft.auto_pad = static_cast<AutoPad>(DrawBetween(0, 3));
    if (draft.kind != OperatorKind::kConvolutionBackpropData) draft.groups = DrawBetween(1, 2);
    draft.in = DrawBetween(1, 2);
    draft.out = DrawBetween(1, 2);
    draft.batch = DrawBetween(1, 2);
    draft.type = oracle::kNumericTypes[static_cast<std::size_t>(DrawBetween(0, 11))];
    draft.dst_shape_is_input = DrawBetween(0, 1) != 0;
    if (draft.kind == OperatorKind::kConvolutionBackwardData) {
      draft.data_format = static_cast<DataFormat>(DrawBetween(0, 2));
      draft.weights_format = static_cast<WeightsFormat>(DrawBetween(0, 2));
    }
    return Spelled(Build(As(draft.kind, draft)), dialect);
  }

 private:
  std::mt19937_64 random_;
};

TEST_P(EveryOperator, NoConstraintForbidsWhatTheOracleTakes) {
  const Model& model = ModelOf(kind(), dialect());
  OperatorDrawer drawer(7);
  std::size_t valid_operators = 0;
  CombinationCounter met(kind(), dialect());
  for (int i = 0; i < 60'000; ++i) {
    const oracle::Operator op = drawer.Operator(kind(), dialect());
    const oracle::Resolution resolution = oracle::Resolve(op, dialect());
    if (!resolution.ok()) continue;
    const auto row = Classify(op, *resolution.geometry);
    ASSERT_TRUE(row);
    ++valid_operators;
    const Constraint* constraint = model.Forbidden(*row);
    ASSERT_EQ(constraint, nullptr) << constraint->clause << ": " << constraint->reason << "\n" << ToText(*row);
    met.Add(*row);
  }
  EXPECT_GT(valid_operators, 5000U);
  // The random operators have most of the feasible combinations. So they would also have most combinations that a wrong
  // constraint forbids.
  const CombinationCoverage pairs = met.Count(Strength::kPairs);
  EXPECT_GT(pairs.covered * 10, pairs.feasible() * 9);
}

// A constraint that is false. The test above would refute it, because its random operators are the same.
TEST(MadeUpOperators, RefuteAConstraintThatIsNone) {
  const auto forbids_valid = [](const ClassRow& row) {
    return row.Is(Property::kAutoPad, AutoPadClass::kSameUpper) &&
           row.Is(Property::kOutputShape, OutputShapeClass::kNegativeOdd) &&
           row.Is(Property::kPads, PadsClass::kAsymmetric);
  };
  OperatorDrawer drawer(7);
  bool met = false;
  for (int i = 0; i < 60'000 && !met; ++i) {
    const oracle::Operator op = drawer.Operator(OperatorKind::kConvolutionBackpropData, Dialect::kOpenvinoSpec);
    const oracle::Resolution resolution = oracle::Resolve(op, Dialect::kOpenvinoSpec);
    if (!resolution.ok()) continue;
    met = forbids_valid(*Classify(op, *resolution.geometry));
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace conformance
