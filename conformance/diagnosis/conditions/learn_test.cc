// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which conjunctions of statements are learned from rows with one feature, which remainders and numbers they
// name, and the text of the conjunctions.

#include "conformance/diagnosis/conditions/learn.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

FeatureTable Names() {
  FeatureTable names;
  names.whole.push_back({.name = "batch"});
  names.axis.push_back({.name = "kernel"});
  names.axis.push_back({.name = "stride"});
  return names;
}

/// `failing` failures and `passing` passes with a batch of 2, and 40 passes with a batch of 1.
std::vector<Conjunction> LearnedFrom(std::size_t failing, std::size_t passing) {
  std::deque<FeatureRow> features;
  std::vector<LabelledRow> rows;
  const auto add = [&](std::int64_t batch, bool fails) {
    FeatureRow& row = features.emplace_back();
    row.whole = {batch};
    rows.push_back({&row, fails});
  };
  for (std::size_t i = 0; i < failing; ++i) add(2, true);
  for (std::size_t i = 0; i < passing; ++i) add(2, false);
  for (int i = 0; i < 40; ++i) add(1, false);
  return Learn(rows, Names(), {});
}

TEST(Learn, TakesNoConjunctionOfHardlyMoreFailuresThanPasses) {
  EXPECT_THAT(LearnedFrom(5, 0), SizeIs(1));
  EXPECT_THAT(LearnedFrom(5, 1), IsEmpty());
  EXPECT_THAT(LearnedFrom(20, 1), SizeIs(1));
}

/// The texts of the conjunctions that are learned from a feature "size" with these numbers, each in four rows.
std::vector<std::string> TextsOf(const std::vector<std::int64_t>& failing, const std::vector<std::int64_t>& passing) {
  FeatureTable names;
  names.whole.push_back({.name = "size", .kind = FeatureKind::kSize});
  std::deque<FeatureRow> features;
  std::vector<LabelledRow> rows;
  const auto add = [&](std::int64_t size, bool fails) {
    for (int i = 0; i < 4; ++i) {
      features.emplace_back().whole = {size};
      rows.push_back({&features.back(), fails});
    }
  };
  for (const std::int64_t size : failing) add(size, true);
  for (const std::int64_t size : passing) add(size, false);
  std::vector<std::string> texts;
  for (const Conjunction& learned : Learn(rows, names, {})) texts.push_back(learned.Text(names));
  return texts;
}

TEST(Learn, SaysThatANumberDiffersIfThereAreAtMostThree) {
  EXPECT_THAT(TextsOf({1, 3}, {2}), ElementsAre("size != 2"));
  EXPECT_THAT(TextsOf({1, 2, 4, 5}, {3}), Not(Contains("size != 3")));
  EXPECT_THAT(TextsOf({-2, 1, 2, 3}, {-1}), Not(Contains("size != -1")));
}

TEST(Learn, SaysRemaindersOnlyOfPassesWithAMultiple) {
  std::vector<std::int64_t> no_multiples_of_3, no_multiples_of_16;
  for (std::int64_t size = 1; size <= 40; ++size) {
    for (const std::int64_t sign : {1, -1}) {
      if (size % 3 != 0) no_multiples_of_3.push_back(sign * size);
      if (size % 16 != 0) no_multiples_of_16.push_back(sign * size);
    }
  }
  EXPECT_THAT(TextsOf(no_multiples_of_3, {0, 3, -6}), ElementsAre("size % 3 != 0"));
  EXPECT_THAT(TextsOf(no_multiples_of_3, {0}), Each(Not(HasSubstr("%")))) << "0 may pass for another reason";
  EXPECT_THAT(TextsOf({1, 2, 4, 8, 17, 24, 31, 40}, {0, 16, 32}), ElementsAre("size % 16 != 0"));
  EXPECT_THAT(TextsOf(no_multiples_of_16, {0, 16, -16}), Each(Not(HasSubstr("% 16")))) << "no count is negative";
}

TEST(Conjunction, SaysWhatHoldsOnOneAxis) {
  const Term batch = {.of_axis = false, .feature = 0, .relation = Relation::kAtLeast, .value = 3};
  const Term kernel = {.of_axis = true, .feature = 0, .relation = Relation::kAtLeast, .value = 4};
  const Term stride = {.of_axis = true, .feature = 1, .relation = Relation::kEqual, .value = 2};
  const auto text = [](const std::vector<Term>& terms) { return Conjunction{.terms = terms}.Text(Names()); };
  EXPECT_EQ(text({batch}), "batch >= 3");
  EXPECT_EQ(text({kernel}), "on an axis, kernel >= 4");
  EXPECT_EQ(text({kernel, batch}), "batch >= 3 and, on an axis, kernel >= 4");
  EXPECT_EQ(text({batch, kernel, stride}), "batch >= 3 and, on one and the same axis, kernel >= 4 and stride == 2");
  EXPECT_EQ(text({}), "every operator fails");
}

}  // namespace
}  // namespace conformance
