// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests rules that hold where the oracle computes sizes and pads from attributes. One holds for random operators in
// every dialect (reading of the attributes): the sum of pads, sizes and output_padding. The other tests are about the
// texts of the steps, the largest numbers, and names that can be parsed again. Ids such as P21 are clauses, the
// numbered rules of oracle/clauses.md. Line(data, kernel, stride, dilation = 1) is an operator with one axis and
// without pads.

#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/resolve.h"
#include "oracle/testing/any_number.h"
#include "oracle/testing/test_operators.h"

namespace oracle {
namespace {

/// The auto_pad of onednn-runtime that means the same as `mode` of OpenVINO.
std::string OnednnSpelling(const std::string& mode) {
  if (mode == "explicit") return "None";
  return mode == "valid" ? "VALID" : mode == "same_upper" ? "SAME_UPPER" : "SAME_LOWER";
}

TEST(Resolve, PadsEndFollowsFromTheSize) {
  EXPECT_TRUE(rc::check("natural - pads_begin - pads_end + output_padding = output, in every dialect", [] {
    Operator op = Line(AnyIn(1, 9), AnyIn(1, 6), AnyIn(1, 5), AnyIn(1, 4));
    op.pads_begin = Dims{AnyIn(0, 4)};
    op.pads_end = Dims{AnyIn(0, 4)};
    op.output_padding = Dims{AnyIn(0, 6)};
    const std::int64_t output = AnyIn(1, 40);
    // Whether the operators of OpenVINO and ONNX get an output shape. Those of oneDNN always do.
    const bool has_output_shape = *rc::gen::arbitrary<bool>();
    const std::string mode = *rc::gen::element<std::string>("explicit", "valid", "same_upper", "same_lower");
    for (const Dialect dialect : kDialects) {
      Operator of_dialect = op;
      of_dialect.auto_pad = mode;
      const bool is_onednn = Defines(dialect, OperatorKind::kConvolutionBackwardData);
      const bool is_onnx = Defines(dialect, OperatorKind::kConvTranspose);
      if (is_onednn) {
        of_dialect = AsBackwardData(op, {1, 1, output});
        of_dialect.auto_pad = OnednnSpelling(mode);
      } else if (is_onnx) {
        of_dialect = AsConvTranspose(op);
        if (has_output_shape) of_dialect.output_shape_attribute = Dims{output};
        of_dialect.auto_pad = std::nullopt;  // ConvTranspose refuses auto_pad beside pads (A14)
      } else if (has_output_shape) {
        of_dialect.output_shape = ShapeOf({output});
      }
      const Resolution resolution = Resolve(of_dialect, dialect);
      if (!resolution.ok()) {
        const std::string_view clause = resolution.refusal->clause;
        // The clauses by which only libraries refuse these operators: P21, P26 and P29 refuse an output size that does
        // not fit the data, A19 and A23 an output_padding, S22 an absent output shape.
        const bool is_library_rule =
            (dialect == Dialect::kOnednnRuntime && clause == "P21") ||
            (dialect == Dialect::kOnnxruntime && (clause == "A19" || clause == "P26")) ||
            (dialect == Dialect::kTensorflow && (clause == "S22" || clause == "A23" || clause == "P29"));
        RC_ASSERT(clause == "P16" || is_library_rule);  // P16: the output size is negative
        continue;
      }
      const Axis& axis = resolution.geometry->axes[0];
      const std::int64_t natural = axis.stride * (axis.data - 1) + (axis.kernel - 1) * axis.dilation + 1;
      // oneDNN's library does not read output_padding (A18).
      const std::int64_t output_padding = dialect == Dialect::kOnednnRuntime ? 0 : (*op.output_padding)[0];
      RC_ASSERT(natural - axis.pads_begin - axis.pads_end + output_padding == axis.output);
      if (has_output_shape || is_onednn) RC_ASSERT(axis.output == output);
    }
  }));
}

TEST(Resolve, TextsOfStepsShowTheNumbers) {
  Operator op = Line(224, 3, 1);
  op.auto_pad = "valid";
  op.output_shape = ShapeOf({450});
  std::string text;
  for (const Step& step : Resolve(op, Dialect::kOpenvinoSpec).steps) {
    text += std::string(step.clause) + " " + step.text + "\n";
  }
  EXPECT_NE(text.find("P1 axis 0: natural = 1*(224-1) + (3-1)*1+1 = 226\n"), std::string::npos) << text;
  EXPECT_NE(text.find("P1 axis 0: total = 226 + 0 - 450 = -224\n"), std::string::npos) << text;
  EXPECT_NE(text.find("P4 axis 0: pads_begin = total // 2 = (-224) // 2 = -112\n"), std::string::npos) << text;
}

TEST(Resolve, HalvesTheLowestTotal) {
  // With 0 data elements, kernel 1 and stride 2^63 - 1, the natural size is (2^63 - 1) * (0 - 1) + 1 = -2^63 + 2. So
  // the total of the pads for an output of 2 is -2^63.
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  Operator op = Line(0, 1, std::numeric_limits<std::int64_t>::max());
  op.output_shape = ShapeOf({2});
  const Resolution resolution = Resolve(op, Dialect::kOpenvinoSpec);
  ASSERT_TRUE(resolution.ok());
  const Axis& axis = resolution.geometry->axes[0];
  EXPECT_EQ(axis.pads_begin, kLowest / 2);
  EXPECT_EQ(axis.pads_end, kLowest / 2);
}

TEST(Resolve, TextsLeftOutChangeNothingElse) {
  Operator valid = Plain2d({1, 2, 5, 5}, {2, 3, 3, 3});
  valid.auto_pad = "same_lower";
  valid.output_shape = ShapeInput{.type = ElementType::kI64, .dims = {2}, .values = {4, 9}};
  Operator refused = valid;
  refused.strides = Dims{1, 0};
  for (const Operator& op : {valid, refused}) {
    for (const Dialect dialect : DialectsOf(op.kind)) {
      const Resolution with_texts = Resolve(op, dialect);
      const Resolution without_texts = Resolve(op, dialect, StepTexts::kLeftOut);
      EXPECT_EQ(without_texts.geometry, with_texts.geometry);
      ASSERT_EQ(without_texts.refusal.has_value(), with_texts.refusal.has_value());
      EXPECT_EQ(without_texts.refusal.value_or(Refusal{}).message, with_texts.refusal.value_or(Refusal{}).message);
      ASSERT_EQ(without_texts.steps.size(), with_texts.steps.size());
      for (std::size_t i = 0; i < without_texts.steps.size(); ++i) {
        EXPECT_EQ(without_texts.steps[i].clause, with_texts.steps[i].clause);
        EXPECT_EQ(without_texts.steps[i].text, "");
        EXPECT_NE(with_texts.steps[i].text, "");
      }
    }
  }
}

TEST(Resolve, ParsingANameGivesTheNamedValue) {
  for (const Dialect dialect : kDialects) EXPECT_EQ(ParseDialect(DialectName(dialect)), dialect);
  EXPECT_EQ(ParseDialect("openvino"), std::nullopt);
  EXPECT_EQ(ParseOperatorKind("Convolution"), std::nullopt);
  for (const ElementType type : kNumericTypes) EXPECT_EQ(ParseElementType(ElementTypeName(type)), type);
  EXPECT_EQ(ParseElementType("f8"), std::nullopt);
  for (const OperatorKind kind : kOperatorKinds) {
    EXPECT_EQ(ParseOperatorKind(OperatorKindName(kind)), kind);
    for (const Dialect dialect : DialectsOf(kind)) EXPECT_TRUE(Defines(dialect, kind));
  }
}

}  // namespace
}  // namespace oracle
