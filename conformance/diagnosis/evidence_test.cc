// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests whether two answers to a case count as alike: the backend's answer and that of a planted fault.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/backends/open_backend.h"
#include "conformance/diagnosis/hypothesis.h"
#include "conformance/diagnosis/observing_judge.h"
#include "conformance/diagnosis/prepared_case.h"
#include "conformance/diagnosis/similarity.h"
#include "conformance/testing/diverse_cases.h"

namespace conformance {
namespace {

// A vendor rounds sums in his own way. An output within the bound of the fault's output is the same; any other output
// is not.
TEST(Similarity, AllowsForRounding) {
  const std::string line = "ConvolutionBackpropData:data=1,17,5:filter=17,5,3:strides=2:dilations=1:values=reals";
  const faults::Fault& fault = *faults::FindFault("filter_flipped");
  const auto setup = std::make_shared<TrialSetup>();
  ObservingJudge observer("fault:filter_flipped", {}, setup);
  ASSERT_FALSE(observer.Start().has_value());
  const SuiteCase suite_case = TestCasesOf({line}).front();
  auto prepared = PrepareCase(suite_case.test_case, observer.capabilities());
  ASSERT_NE(prepared, nullptr);
  const Trial trial = TrialOf(0, std::move(prepared), observer.Observe(suite_case), observer.capabilities());
  ASSERT_TRUE(trial.failed);
  Hypothesis hypothesis(fault);
  const Call same = hypothesis.Run(*trial.prepared, kFirstPoison);
  const Call& seen = trial.behaviour.calls.front();
  EXPECT_EQ(SimilarityOf(trial, seen, same, observer.capabilities()), Similarity::kSame);
  const auto first_moved = [&](float by) {
    Call moved = same;
    float value = 0;
    std::memcpy(&value, moved.output.data(), sizeof value);
    value += by;
    std::memcpy(moved.output.data(), &value, sizeof value);
    return moved;
  };
  const auto bound = static_cast<float>(trial.largest_bound);
  EXPECT_EQ(SimilarityOf(trial, seen, first_moved(bound), observer.capabilities()), Similarity::kClose);
  EXPECT_EQ(SimilarityOf(trial, seen, first_moved(8 * bound), observer.capabilities()), Similarity::kNone);
  Hypothesis other(*faults::FindFault("pads_exchanged"));
  EXPECT_EQ(SimilarityOf(trial, seen, other.Run(*trial.prepared, kFirstPoison), observer.capabilities()),
            Similarity::kNone);
}

/// A failing trial. `change` gets the exact sum and the bits of an output, and returns the bits that the backend wrote.
template <class Change>
Trial WithOutputs(const std::string& line, const Change& change) {
  const auto backend = std::get<std::unique_ptr<Backend>>(OpenBackend("oracle"));
  Trial trial;
  trial.prepared = PrepareCase(TestCasesOf({line}).front().test_case, backend->capabilities());
  trial.failed = true;
  const oracle::Geometry& geometry = trial.prepared->geometry();
  const auto sums = trial.prepared->expected->Sums<oracle::FloatSum>({0, geometry.OutputCount()});
  Call& call = trial.behaviour.calls.emplace_back();
  for (const oracle::FloatSum& sum : sums) {
    const auto bits = static_cast<std::uint16_t>(change(sum));
    trial.wrong.push_back(bits != sum.bits);
    const auto* bytes = reinterpret_cast<const std::byte*>(&bits);
    call.output.insert(call.output.end(), bytes, bytes + sizeof bits);
  }
  return trial;
}

}  // namespace
}  // namespace conformance
