// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests which conjunctions of statements are learned from rows with one feature, and the text of the conjunctions.

#include "conformance/diagnosis/conditions/learn.h"

#include <cstdint>
#include <deque>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::IsEmpty;
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
