// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the comparison of several backends: it compares only verdicts on the same case, and ignores cases that a
// backend did not run.

#include "conformance/report/comparison.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/testing/test_records.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Table CasesOfTest(const std::vector<RunRecord>& runs) { return ComparisonTables(SummariesOf(runs)).back(); }

TEST(Comparison, CountsBySuite) {
  std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  EXPECT_THAT(ComparisonTables(SummariesOf({runs.data(), 1})), IsEmpty());
  EXPECT_THAT(ComparisonTables({}), IsEmpty());
  runs[1].results[4].origin.suite = "layers";
  EXPECT_THAT(ComparisonTables(SummariesOf(runs))[0].rows,
              ElementsAre(ElementsAre("attributes", "1/" + kFailures + "/0", "3/1/0"),
                          ElementsAre("layers", "0/0/0", "0/0/1")));
}

TEST(Comparison, FindsTheCasesOnWhichBackendsDiffer) {
  const std::vector<RunRecord> runs = {EveryFailure(), EveryWarning()};
  EXPECT_EQ(CasesOfTest(runs).title, "the backends differ on 0 of the 2 cases on which at least two were judged")
      << "both fail in the same class, whether it was expected or not";
  std::vector<RunRecord> others = runs;
  CaseResult& other = others[1].results[1];
  other.verdict.failure = FailureClass::kCrash;
  EXPECT_THAT(CasesOfTest(others).title, HasSubstr("differ on 1 of the 2 cases"));
  EXPECT_THAT(CasesOfTest(others).rows, ElementsAre(ElementsAre("attributes/bad-wrong-value", "wrong-value", "crash")));
  other.verdict.status = Status::kImprecise;
  EXPECT_THAT(CasesOfTest(others).rows,
              ElementsAre(ElementsAre("attributes/bad-wrong-value", "wrong-value", "imprecise")));
  other.verdict.status = Status::kUndeclared;
  EXPECT_EQ(CasesOfTest(others).title, "the backends differ on 0 of the 1 cases on which at least two were judged")
      << "what was not judged is no difference";
  other = runs[0].results[0];
  other.judged.line = "another case of this name";
  EXPECT_THAT(CasesOfTest(others).rows, IsEmpty());
  others[0].results.clear();
  EXPECT_EQ(CasesOfTest(others).title, "no case was judged on more than one backend");
}

}  // namespace
}  // namespace conformance
