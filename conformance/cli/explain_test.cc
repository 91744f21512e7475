// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the text that `deconv-cts explain` prints: how each dialect (reading of the specification) resolves a case,
// with the numbers, and whether the dialects agree.

#include "conformance/cli/explain.h"

#include <string>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::HasSubstr;

std::string ExplainLine(const std::string& line) {
  const auto parsed = ParseCaseLine(line);
  if (const auto* error = std::get_if<ParseError>(&parsed)) return error->message;
  return Explain(std::get<Case>(parsed));
}

TEST(Explain, ShowsHowTheDialectsDisagree) {
  // Example 3 of the specification: valid, with an output_shape beyond the natural size.
  const std::string text = ExplainLine(
      "ConvolutionBackpropData:data=1,20,224,224:filter=20,10,3,3:output_shape=450,450:strides=1,1:dilations=1,1:"
      "pads_begin=1,1:pads_end=1,1:auto_pad=valid");
  EXPECT_THAT(text, HasSubstr("-224"));  // the size without pads is 226, and 226 - 450 = -224
  EXPECT_THAT(text, HasSubstr("output [1,10,450,450]"));
  EXPECT_THAT(text, HasSubstr("lands at offset 112"));
  EXPECT_THAT(text, HasSubstr("dialects disagree: openvino-spec | openvino-runtime"));
}

TEST(Explain, SaysWhenAllAgree) {
  EXPECT_THAT(
      ExplainLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=2:dilations=1:pads_begin=0:pads_end=0"),
      HasSubstr("all dialects agree on the output"));
}

TEST(Explain, SaysWhichDialectLeavesACaseUndefined) {
  const std::string text = ExplainLine("ConvTranspose:data=1,1,3:filter=1,1,3:strides=2:auto_pad=SAME_UPPER");
  EXPECT_THAT(text, HasSubstr("left undefined by P23"));
  EXPECT_THAT(text, HasSubstr("all dialects that give it a meaning agree on the output"));
}

TEST(Explain, CitesTheClauseOfARefusal) {
  EXPECT_THAT(
      ExplainLine("ConvolutionBackpropData:data=1,1,3:filter=1,1,3:strides=0:dilations=1:pads_begin=0:pads_end=0"),
      HasSubstr("refused by "));
}

}  // namespace
}  // namespace conformance
