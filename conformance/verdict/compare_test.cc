// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests that the brief comparison, which sweeps of many small operators use, gives the verdict of the full comparison.
// The outputs are right ones and altered ones. Also tests that several threads work out the expected sums like one.

#include "conformance/verdict/compare.h"

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "conformance/interface/backend.h"
#include "conformance/testing/test_cases.h"
#include "conformance/verdict/judge/trial_setup.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;

/// A small operator with gaps (outputs without products), its operands, and an output that holds the expected bits.
struct Tensors {
  TrialSetup setup;
  std::vector<std::byte> output;

  Expected& expected() { return setup.expected(); }
};

/// Strides of 4 and a kernel of 2 with dilation 2 leave gaps between the products.
std::unique_ptr<Tensors> TensorsOf(ElementType type, const std::string& values) {
  auto tensors = std::make_unique<Tensors>();
  const Case test_case = TestCaseOf(fmt::format("ConvolutionBackpropData:data=2,3,5:filter=3,4,2:type={}:values={}:"
                                                "strides=4:pads_begin=0:pads_end=0:dilations=2",
                                                oracle::ElementTypeName(type), values))
                             .test_case;
  const oracle::Geometry geometry = *tensors->setup.Resolve(test_case.op, oracle::Dialect::kOpenvinoSpec).geometry;
  EXPECT_EQ(tensors->setup.SetUp(test_case, geometry), "");
  const std::size_t element = oracle::ElementBytes(type);
  const std::int64_t count = geometry.OutputCount();
  tensors->output.resize(static_cast<std::size_t>(count) * element);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t bits = oracle::IsFloat(type)
                                   ? tensors->expected().Sums<oracle::FloatSum>({i, 1}).front().bits
                                   : tensors->expected().Sums<oracle::IntegerSum>({i, 1}).front().wrapped;
    std::memcpy(tensors->output.data() + static_cast<std::size_t>(i) * element, &bits, element);
  }
  return tensors;
}

/// Changes the bits of an output element that has `bytes` bytes.
using Change = std::function<std::uint64_t(std::uint64_t bits, std::size_t bytes)>;

/// Compares the output in both ways. `what` describes the output in messages of failures.
void ExpectSameVerdict(Tensors& tensors, const std::string& what) {
  const Capabilities declared;
  const Comparison full = Compare(tensors.expected(), tensors.output, declared);
  const Comparison brief = CompareBriefly(tensors.expected(), tensors.output, declared);
  EXPECT_EQ(brief.ok(), full.ok()) << what;
  EXPECT_EQ(brief.failure, full.failure) << what;
  EXPECT_EQ(brief.count, full.count) << what;
  EXPECT_EQ(brief.wrong, full.wrong) << what;
  EXPECT_EQ(brief.Text(), full.Text()) << what;
  EXPECT_EQ(brief.negative_zero_gaps, full.negative_zero_gaps) << what;
  EXPECT_LE(brief.worst_ratio, full.worst_ratio) << what;
}

TEST(CompareBriefly, GivesTheVerdictOfTheFullComparison) {
  const std::vector<std::pair<const char*, Change>> changes = {
      {"the next number", [](std::uint64_t bits, std::size_t) { return bits + 1; }},
      {"the number eight further", [](std::uint64_t bits, std::size_t) { return bits + 8; }},
      {"the sign", [](std::uint64_t bits, std::size_t bytes) { return bits ^ std::uint64_t{1} << (8 * bytes - 1); }},
      {"the poison", [](std::uint64_t, std::size_t) { return ~std::uint64_t{0}; }},
      {"zero", [](std::uint64_t, std::size_t) { return std::uint64_t{0}; }},
  };
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kF64, ElementType::kI8}) {
    for (const char* values : {"integers", "reals", "specials"}) {
      if (oracle::IsInteger(type) && values != std::string("integers")) continue;
      const auto tensors = TensorsOf(type, values);
      Tensors& right = *tensors;
      ExpectSameVerdict(right, "right outputs");
      EXPECT_TRUE(CompareBriefly(right.expected(), right.output, Capabilities{}).ok());
      const std::size_t element = oracle::ElementBytes(type);
      int wrong = 0;
      for (std::size_t at = 0; at < right.output.size(); at += element) {
        for (const auto& [what, change] : changes) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, right.output.data() + at, element);
          const std::uint64_t changed = change(bits, element);
          std::memcpy(right.output.data() + at, &changed, element);
          ExpectSameVerdict(right,
                            fmt::format("{} at byte {} of {}, {}", what, at, oracle::ElementTypeName(type), values));
          wrong += CompareBriefly(right.expected(), right.output, Capabilities{}).ok() ? 0 : 1;
          std::memcpy(right.output.data() + at, &bits, element);
        }
      }
      EXPECT_GT(wrong, 0);
    }
  }
}

TEST(Expected, LongSumsOfSeveralThreadsAreThoseOfOne) {
  TrialSetup setup;
  // 9 taps, 2048 channels and 1369 data elements each: 25 million products, enough for more than one thread.
  const Case test_case =
      TestCaseOf("ConvolutionBackpropData:data=1,2048,37,37:filter=2048,1,3,3:strides=1,1:values=reals").test_case;
  const oracle::Geometry geometry = *setup.Resolve(test_case.op, oracle::Dialect::kOpenvinoSpec).geometry;
  ASSERT_EQ(setup.SetUp(test_case, geometry), "");
  std::vector<oracle::FloatSum> alone(static_cast<std::size_t>(geometry.OutputCount()));
  oracle::Gather(setup.expected().operands(), {0, geometry.OutputCount()}, alone);
  const auto sums = setup.expected().Sums<oracle::FloatSum>({0, geometry.OutputCount()});
  ASSERT_EQ(sums.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    ASSERT_EQ(sums[i].bits, alone[i].bits) << i;
    ASSERT_EQ(sums[i].magnitude, alone[i].magnitude) << i;
  }
}

}  // namespace
}  // namespace conformance
