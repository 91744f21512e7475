// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the lines and the counts of sweeps, and that a sweep has every operator exactly once. A sweep is one test case
// that stands for many small operators, and each operator has a number.

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
           "sweep:of=planes:bounds=full:operator=ConvTranspose:dialect=onnxruntime:sample=500:seed=7:from=2:to=40",
           "sweep:of=dense:axes=3:operator=GroupConvolutionBackpropData:type=i8:stride=2:kernel=4:from=9:to=10",
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
  const std::string dense = "sweep:of=dense:operator=ConvTranspose";
  for (const auto& [line, text] : {
           std::pair<std::string, std::string>{"sweep", "field 'of': absent, expected one of geometry, axes"},
           {"sweep:of=geometry:bounds=small", "field 'operator'"},
           {"sweep:of=geometry:operator=ConvTranspose", "field 'bounds': absent, expected with of=geometry"},
           {plain + ":axes=2", "field 'axes': found with of=geometry, expected only with of=dense"},
           {dense, "field 'axes'"},
           {dense + ":axes=2:kernel=3", "field 'stride'"},
           {dense + ":axes=4:kernel=3:stride=1", "field 'axes': found '4', expected 1 to 3"},
           {dense + ":axes=1:kernel=17:stride=1", "field 'kernel': found '17', expected 1 to 16"},
           {dense + ":axes=1:kernel=3:stride=17", "field 'stride': found '17', expected 1 to 16"},
           {dense + ":axes=3:kernel=6:stride=1",
            "field 'kernel': found '6', expected at most 128 along all axes together"},
           {dense + ":axes=3:kernel=1:stride=6", "field 'stride': found '6', expected at most 128"},
           {dense + ":axes=1:kernel=3:stride=1:bounds=small",
            "field 'bounds': found with of=dense, expected only with of=geometry, axes, pairs, planes"},
           {"sweep:of=volumes", "field 'of': found 'volumes', expected one of geometry, axes, pairs, planes, dense"},
           {plain + ":strid=1", "did you mean stride?"},
           {plain + ":stride=1:stride=2", "field 'stride': found twice, expected once"},
           {plain + ":stride=4", "found '4', expected 1 to 3"},
           {plain + ":stride=", "a natural number"},
           {plain + ":dialect=openvino-spec", "a dialect of ConvTranspose"},
           {plain + ":type=boolean", "a numeric type"},
           {plain + ":from=3:to=3", "field 'to': found '3', expected a number above 3, 'from'"},
           {"sweep:of=axes:bounds=small:operator=ConvTranspose:auto_pad=valid", "only with of=geometry"},
           {plain + ":sample=5", "only with of=planes"},
           {"sweep:of=planes:bounds=small:operator=ConvTranspose", "field 'sample': absent, expected with of=planes"},
           {"sweep:of=planes:bounds=small:operator=ConvTranspose:sample=0", "field 'sample': found '0', expected 1 to"},
           {"sweep:of=planes:bounds=small:operator=ConvTranspose:sample=9:stride=1",
            "field 'stride': found with of=planes, expected only with of=geometry, axes, pairs, dense"},
           {plain + ":auto_pad=same", "expected one of absent, explicit, same_upper, same_lower, valid"},
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
  EXPECT_EQ(rows, 7);  // the sweeps in the document's table
}

TEST(Sweep, GeometryHasEveryTupleOnce) {
  const std::string whole = "sweep:of=geometry:bounds=small:operator=ConvTranspose";
  std::set<std::string> lines;
  std::uint64_t count = 0;
  // The sweep is divided by auto_pad and stride, like the cases of level full.
  for (const AutoPadClass auto_pad : kAutoPadStates) {
    for (const char* stride : {":stride=1", ":stride=2", ":stride=3"}) {
      const SweepCases cases(
          SweepOfLine(whole + ":auto_pad=" + std::string(ClassName(Property::kAutoPad, auto_pad)) + stride));
      Case made;
      for (std::uint64_t i = cases.begin(); i < cases.end(); ++i, ++count) {
        cases.Get(i, made);
        lines.insert(ToLine(made));
      }
    }
  }
  EXPECT_EQ(lines.size(), count);
  const SweepCases all(SweepOfLine(whole));
  EXPECT_EQ(all.end(), count);
  Case made;
  for (std::uint64_t i = 0; i < all.end(); ++i) {
    all.Get(i, made);
    EXPECT_TRUE(lines.contains(ToLine(made))) << ToLine(made);
  }
  // One operator of five has this one of the five auto_pad states.
  EXPECT_EQ(std::ranges::count_if(
                lines, [](const std::string& text) { return text.find(":auto_pad=SAME_UPPER") != text.npos; }),
            count / 5);
}

// The test counts with plain nested loops over the full bounds. Each tuple has 5 states of auto_pad; pads are absent,
// or each is from 0 to 4; the output shape is absent, or from 1 to `largest`.
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

// Each axis of a plane is a tuple of the geometry sweep. Only the seed and the number decide which one.
TEST(Sweep, BothAxesOfAPlaneAreTuplesOfTheGeometry) {
  const SweepCases geometry(SweepOfLine("sweep:of=geometry:bounds=small:operator=ConvolutionBackpropData"));
  std::set<std::string> tuples;
  Case made;
  for (std::uint64_t i = 0; i < geometry.end(); ++i) {
    geometry.Get(i, made);
    tuples.insert(ToLine(made));
  }
  const std::string line = "sweep:of=planes:bounds=small:operator=ConvolutionBackpropData:sample=3000";
  const SweepCases planes(SweepOfLine(line));
  const SweepCases others(SweepOfLine(line + ":seed=1"));
  ASSERT_EQ(planes.end(), 3000U);
  std::set<std::string> lines;
  std::set<std::string> of_other_seed;
  std::size_t unequal = 0;
  for (std::uint64_t i = 0; i < planes.end(); ++i) {
    others.Get(i, made);
    of_other_seed.insert(ToLine(made));
    planes.Get(i, made);
    lines.insert(ToLine(made));
    Case axis;
    for (std::size_t j = 0; j < 2; ++j) {
      axis.op = made.op;
      axis.op.data.dims = {1, 1, made.op.data.dims[2 + j]};
      axis.op.filter.dims = {1, 1, made.op.filter.dims[2 + j]};
      for (auto list : {&oracle::Operator::strides, &oracle::Operator::dilations, &oracle::Operator::pads_begin,
                        &oracle::Operator::pads_end, &oracle::Operator::output_padding}) {
        if (axis.op.*list) axis.op.*list = {(*(made.op.*list))[j]};
      }
      if (axis.op.output_shape) axis.op.output_shape = {.dims = {1}, .values = {made.op.output_shape->values[j]}};
      EXPECT_TRUE(tuples.contains(ToLine(axis))) << ToLine(axis);
    }
    unequal += (*made.op.strides)[0] != (*made.op.strides)[1] ? 1 : 0;
  }
  EXPECT_GT(lines.size(), 2900U);  // few planes occur twice
  EXPECT_GT(unequal, 1500U);       // most planes have two different strides
  std::size_t common = 0;
  for (const std::string& other : of_other_seed) common += lines.contains(other) ? 1 : 0;
  EXPECT_LT(common, 30U);  // nearly all planes of the other seed are others
}

// The document of ConvolutionBackwardData spells auto_pad in lower case; oneDNN's library has other spellings.
TEST(Sweep, ConvolutionBackwardDataIsSpelledAsEachDialectReadsIt) {
  const auto words = [](const std::string& line) {
    const SweepCases cases(SweepOfLine(line));
    std::set<std::string> found;
    Case made;
    for (std::uint64_t i = cases.begin(); i < cases.end(); ++i) {
      cases.Get(i, made);
      if (made.op.auto_pad) found.insert(*made.op.auto_pad);
    }
    return found;
  };
  const std::string backward = "bounds=small:operator=ConvolutionBackwardData";
  const std::set<std::string> document = {"none", "same_upper", "same_lower", "valid"};
  const std::set<std::string> library = {"None", "SAME_UPPER", "SAME_LOWER", "VALID"};
  for (const std::string of : {"sweep:of=geometry:", "sweep:of=planes:sample=500:"}) {
    EXPECT_EQ(words(of + backward), document);
    EXPECT_EQ(words(of + backward + ":dialect=onednn-runtime"), library);
  }
  EXPECT_EQ(words("sweep:of=axes:" + backward), std::set<std::string>{"same_lower"});
  // A backend that declares the library's dialect alone is asked for the same axes in the library's words.
  const SweepCases asked(SweepOfLine("sweep:of=axes:" + backward), oracle::Dialect::kOnednnRuntime);
  Case made;
  asked.Get(asked.end() - 1, made);
  EXPECT_EQ(made.op.auto_pad, "SAME_LOWER");
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
      const std::uint64_t step = of == SweepOf::kAxes ? 1 : 97;  // some of 1.6 million pairs
      Case made;
      std::uint64_t asked = 0;
      for (std::uint64_t i = 0; i < cases.end(); i += step, ++asked) {
        cases.Get(i, made);
        const oracle::Resolution resolution = oracle::Resolve(made.op, made.EffectiveDialect());
        ASSERT_TRUE(resolution.ok()) << ToLine(made) << ": " << resolution.refusal->message;
        std::vector<ResolvedAxis> resolved;
        for (const oracle::Axis& axis : resolution.geometry->axes) {
          resolved.push_back({axis.data, axis.kernel, axis.stride, axis.dilation, axis.pads_begin, axis.output});
          EXPECT_TRUE(IsWithin(resolved.back(), kSweepBounds[0])) << ToLine(made);
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
