// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what a diagnosis does with failures that its sample leaves out, because they are too many.

#include "conformance/diagnosis/sample.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/diagnosis/diagnose.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

TEST(Scaled, LeavesMostQuestionsForTheSearch) {
  const SampleLimits few = Scaled({}, 64);
  EXPECT_EQ(few.failures, 12U);
  EXPECT_EQ(few.computed, 8U);
  EXPECT_EQ(Scaled({}, 4096).failures, SampleLimits().failures);
}

// A fault that is confirmed is tried on the other failures, too.
TEST(Diagnoser, TriesFailuresThatTheSampleLeavesOut) {
  const std::string backend = "fault:filter_flipped";
  const std::vector<CaseResult> results = ResultsOf(backend);
  const auto failures = static_cast<std::size_t>(
      std::ranges::count_if(results, [](const CaseResult& result) { return result.verdict.status == Status::kFail; }));
  ASSERT_GT(failures, 4U);
  Diagnoser diagnoser(results, {.backend = backend, .limits = {}, .sample = {.failures = 4}, .budget = {}});
  ASSERT_FALSE(diagnoser.Observe());
  const Diagnosis diagnosis = diagnoser.Explain({});
  ASSERT_THAT(diagnosis.explanations, testing::SizeIs(1));
  EXPECT_EQ(diagnosis.explanations.front().failures.size(), failures);
}

}  // namespace
}  // namespace conformance
