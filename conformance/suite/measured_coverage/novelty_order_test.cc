// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the order of cases by novelty: it contains every case once, and its first cases have more combinations of
// classes than the first cases of the list.

#include "conformance/suite/measured_coverage/novelty_order.h"

#include <algorithm>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/suite/suite.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

Case CaseOf(const std::string& line) { return std::get<Case>(ParseCaseLine(line)); }

std::vector<std::size_t> OrderOf(const std::vector<Case>& cases) {
  std::vector<CaseWithDialect> judged;
  for (const Case& test_case : cases) judged.push_back({&test_case, test_case.EffectiveDialect()});
  return NoveltyOrder(judged);
}

TEST(NoveltyOrder, TakesWhatIsNewFirst) {
  const std::string plain = "ConvolutionBackpropData:data=1,2,6,6:filter=2,3,3,3:strides=2,2:dilations=1,1";
  const std::vector<Case> cases = {
      CaseOf(plain + ":pads_begin=1,1:pads_end=1,1"),
      CaseOf(plain + ":pads_begin=1,1:pads_end=1,1:seed=1"),
      CaseOf(plain + ":pads_begin=1,1:pads_end=1,1:repeat=memory"),
      CaseOf("GroupConvolutionBackpropData:data=2,4,5:filter=2,2,8,4:type=f16:strides=3:dilations=2:pads_begin=0:"
             "pads_end=0"),
  };
  // The second case adds nothing, and the third is a repetition.
  EXPECT_EQ(OrderOf(cases), (std::vector<std::size_t>{0, 3, 1, 2}));
  EXPECT_EQ(OrderOf({}), std::vector<std::size_t>());
  EXPECT_EQ(NoveltyOrder({{&cases[0]}, {nullptr}, {&cases[3]}}), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(NoveltyOrder, HasEveryCaseOnceAndBeginsWithManyKinds) {
  std::vector<Case> cases;
  for (const Suite& suite : Suites()) {
    const auto listed = SuiteCases(suite.name, Level::kSmoke, 0);
    for (const SuiteCase& suite_case : std::get<std::vector<SuiteCase>>(listed)) cases.push_back(suite_case.test_case);
  }
  std::vector<std::size_t> order = OrderOf(cases);
  std::set<oracle::OperatorKind> kinds;
  std::set<oracle::ElementType> types;
  std::set<std::vector<std::int64_t>> kernels;
  for (std::size_t i = 0; i < 60; ++i) {
    const oracle::Operator& op = cases[order[i]].op;
    kinds.insert(op.kind);
    types.insert(op.data.type);
    kernels.insert(op.filter.dims);
  }
  EXPECT_EQ(kinds.size(), 4);
  EXPECT_GE(types.size(), 10);
  EXPECT_GE(kernels.size(), 50);
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
  EXPECT_EQ(order.size(), cases.size());
}

}  // namespace
}  // namespace conformance
