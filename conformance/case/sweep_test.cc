// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the lines and the counts of sweeps, and that a sweep has every operator exactly once.

#include "conformance/case/sweep.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/case.h"
#include "conformance/case/sweep_cases.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using testing::HasSubstr;

Sweep SweepOfLine(const std::string& line) {
  const auto parsed = ParseSweep(line);
  if (const auto* error = std::get_if<std::string>(&parsed)) {
    ADD_FAILURE() << line << ": " << *error;
    return {};
  }
  return std::get<Sweep>(parsed);
}

TEST(Sweep, LinesParseBack) {
  for (const std::string line : {
           "sweep:of=geometry:bounds=small:operator=ConvTranspose",
           "sweep:of=geometry:bounds=full:operator=GroupConvolutionBackpropData:dialect=openvino-runtime:"
           "auto_pad=same_lower:stride=4:kernel=5",
           "sweep:of=axes:bounds=full:operator=ConvolutionBackwardData:type=bf16:from=7:to=9",
           "sweep:of=pairs:bounds=small:operator=ConvolutionBackpropData:type=i64:stride=1:kernel=3",
       }) {
    EXPECT_EQ(ToLine(SweepOfLine(line)), line);
    const auto parsed = ParseCaseLine(line);
    ASSERT_TRUE(std::holds_alternative<Case>(parsed)) << line;
    const Case& test_case = std::get<Case>(parsed);
    EXPECT_EQ(ToLine(test_case), line);
    EXPECT_TRUE(oracle::Resolve(test_case.op, test_case.EffectiveDialect()).ok()) << line;
  }
}

TEST(Sweep, WrongLinesSayWhatIsWrong) {
  const std::string plain = "sweep:of=geometry:bounds=small:operator=ConvTranspose";
  for (const auto& [line, text] : {
           std::pair<std::string, std::string>{"sweep", "field 'of': found '', expected a value"},
           {"sweep:of=geometry:bounds=small", "field 'operator'"},
           {"sweep:of=volumes", "field 'of': found 'volumes', expected one of geometry, axes, pairs"},
           {plain + ":strid=1", "did you mean stride?"},
           {plain + ":stride=1:stride=2", "only once"},
           {plain + ":stride=4", "found '4', expected 1 to 3"},
           {plain + ":stride=", "a natural number"},
           {plain + ":dialect=openvino-spec", "a dialect of ConvTranspose"},
           {plain + ":type=boolean", "a numeric type"},
           {plain + ":from=3:to=3", "a number above 'from'"},
           {"sweep:of=axes:bounds=small:operator=ConvTranspose:auto_pad=valid", "only with of=geometry"},
       }) {
    const auto parsed = ParseSweep(line);
    ASSERT_TRUE(std::holds_alternative<std::string>(parsed)) << line;
    EXPECT_THAT(std::get<std::string>(parsed), HasSubstr(text)) << line;
  }
}

TEST(Sweep, TheDocumentsCountsAreTheProgramsCounts) {
  std::ifstream document(DECONV_EXHAUSTIVE_DOCUMENT);
  ASSERT_TRUE(document) << DECONV_EXHAUSTIVE_DOCUMENT;
  int rows = 0;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("| `sweep:")) continue;
    const std::string sweep = line.substr(3, line.rfind('`') - 3);
    const SweepCases cases(SweepOfLine(sweep));
    EXPECT_EQ(std::to_string(cases.end() - cases.begin()) + " |", line.substr(line.rfind("| ", line.size() - 3) + 2));
    ++rows;
  }
  EXPECT_EQ(rows, 5);
}

TEST(Sweep, GeometryHasEveryTupleOnce) {
  const std::string whole = "sweep:of=geometry:bounds=small:operator=ConvTranspose";
  std::set<std::string> lines;
  std::uint64_t count = 0;
  // In parts, as the suite has them at level full.
  for (const AutoPadState state : kAutoPadStates) {
    for (const char* stride : {":stride=1", ":stride=2", ":stride=3"}) {
      const SweepCases cases(SweepOfLine(whole + ":auto_pad=" + std::string(AutoPadStateName(state)) + stride));
      Case one;
      for (std::uint64_t i = cases.begin(); i < cases.end(); ++i, ++count) {
        cases.Get(i, one);
        lines.insert(ToLine(one));
      }
    }
  }
  EXPECT_EQ(lines.size(), count);
  const SweepCases all(SweepOfLine(whole));
  EXPECT_EQ(all.end(), count);
  Case one;
  for (std::uint64_t i = 0; i < all.end(); ++i) {
    all.Get(i, one);
    EXPECT_TRUE(lines.contains(ToLine(one))) << ToLine(one);
  }
  EXPECT_EQ(std::ranges::count_if(lines, [](const std::string& l) { return l.find(":auto_pad=SAME_UPPER") != l.npos; }),
            count / 5);
}

// Counted again in the plainest way.
TEST(Sweep, GeometryCountsWhatTheDocumentSays) {
  std::uint64_t count = 0;
  for (int data = 1; data <= 6; ++data) {
    for (int kernel = 1; kernel <= 5; ++kernel) {
      for (int stride = 1; stride <= 4; ++stride) {
        for (int dilation = 1; dilation <= 3; ++dilation) {
          for (int padding = 0; padding <= 4; ++padding) {
            const int largest = stride * (data - 1) + (kernel - 1) * dilation + 1 + padding + 5;
            count += 5U * (1 + 5 * 5) * (1U + static_cast<unsigned>(largest));
          }
        }
      }
    }
  }
  EXPECT_EQ(SweepCases(SweepOfLine("sweep:of=geometry:bounds=full:operator=ConvolutionBackpropData")).end(), count);
}

// The operators that stand for an axis resolve to it, by the specification of each operator.
TEST(Sweep, AxesAndPairsResolveToThemselves) {
  using oracle::OperatorKind;
  const std::vector<ResolvedAxis> axes = ResolvedAxesWithin(kSweepBounds[0]);
  EXPECT_EQ(std::set(axes.begin(), axes.end()).size(), axes.size());
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const SweepOf of : {SweepOf::kAxes, SweepOf::kPairs}) {
      const SweepCases cases({.of = of,
                              .bounds = kSweepBounds[0],
                              .kind = kind,
                              .dialect = oracle::DialectsOf(kind).front(),
                              .type = oracle::ElementType::kF32});
      std::set<std::vector<ResolvedAxis>> seen;
      const std::uint64_t step = of == SweepOf::kAxes ? 1 : 97;  // of 1.6 million pairs
      Case one;
      std::uint64_t asked = 0;
      for (std::uint64_t i = 0; i < cases.end(); i += step, ++asked) {
        cases.Get(i, one);
        const oracle::Resolution resolution = oracle::Resolve(one.op, one.EffectiveDialect());
        ASSERT_TRUE(resolution.ok()) << ToLine(one) << ": " << resolution.refusal->message;
        std::vector<ResolvedAxis> resolved;
        for (const oracle::Axis& a : resolution.geometry->axes) {
          resolved.push_back({a.data, a.kernel, a.stride, a.dilation, a.pads_begin, a.output});
          EXPECT_TRUE(IsWithin(resolved.back(), kSweepBounds[0])) << ToLine(one);
        }
        seen.insert(resolved);
      }
      EXPECT_EQ(seen.size(), asked) << oracle::OperatorKindName(kind);
      if (of == SweepOf::kAxes) {
        EXPECT_EQ(seen.size(), axes.size());
      }
    }
  }
}

}  // namespace
}  // namespace conformance
