// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the tables of planted faults as a whole, and that the correct variants conform.

#include "conformance/faults/fault.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "conformance/testing/backend_trial.h"
#include "conformance/testing/random_operator.h"
#include "oracle/dialect.h"

namespace conformance {
namespace {

TEST(FaultTest, IsDescribed) {
  constexpr std::size_t kAtLeast = 150;
  EXPECT_GE(faults::Faults().size(), kAtLeast);
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  for (const faults::Fault& fault : faults::Faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " stands twice";
    EXPECT_TRUE(sentences.insert(fault.sentence).second) << fault.sentence << " stands twice";
    EXPECT_FALSE(fault.mutant_class.empty()) << fault.name;
    EXPECT_TRUE(fault.link.empty() || fault.link.starts_with("https://")) << fault.name;
    EXPECT_EQ(faults::FindFault(fault.name), &fault);
  }
}

TEST(FaultTest, CorrectVariantsHaveNoClass) {
  EXPECT_EQ(faults::CorrectVariants().front().name, "none");
  for (const faults::Fault& correct : faults::CorrectVariants()) {
    EXPECT_TRUE(correct.mutant_class.empty()) << correct.name;
    EXPECT_TRUE(correct.name.starts_with("none")) << correct.name;
    EXPECT_EQ(faults::FindFault(correct.name), &correct);
  }
}

// On small integers every order of summation gives the same bits.
TEST(FaultTest, CorrectVariantsAreRight) {
  constexpr int kOperators = 150;
  for (const faults::Fault& correct : faults::CorrectVariants()) {
    const std::unique_ptr<Backend> backend = MustOpen("fault:" + std::string(correct.name));
    Random random(11);
    for (const oracle::Dialect dialect : oracle::kDialects) {
      for (int i = 0; i < kOperators; ++i) {
        const oracle::Operator op = RandomOperator(random, dialect, 5);
        ASSERT_EQ(Mistake(*backend, op, dialect), "")
            << correct.name << ' ' << DialectName(dialect) << ' ' << ToText(op);
      }
    }
  }
}

}  // namespace
}  // namespace conformance
