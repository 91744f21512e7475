// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests what Build and As choose for fields that a draft (an operator that does not depend on its kind) leaves unset:
// the formats of ConvolutionBackwardData, and the type of a shape input.

#include "conformance/case/operator_draft.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

// A draft that differs from those of all other numbers below 255 = 3 * 17 * 5. Its hash chooses the unset fields.
OperatorDraft Numbered(std::int64_t number) {
  return {.in = 1 + number % 3,
          .out = 2,
          .axes = {{.data = 2 + number / 3 % 17, .kernel = 3, .stride = 1 + number / 51 % 5, .output = 4}}};
}

TEST(OperatorDraft, MostDraftsGetTheDefaultLayoutAndHalfOmitTheFormats) {
  constexpr int kDrafts = 255;
  std::map<std::string, int> counts;
  int defaults = 0;
  int omitted = 0;
  for (int i = 0; i < kDrafts; ++i) {
    const OperatorDraft draft = As(OperatorKind::kConvolutionBackwardData, Numbered(i));
    const Operator op = Build(draft);
    counts[op.data_format.value_or("absent") + "-" + op.weights_format.value_or("absent")]++;
    omitted += !op.data_format && !op.weights_format ? 1 : 0;
    defaults += draft.IsNxc() && draft.IsXio() ? 1 : 0;
    EXPECT_EQ(draft.IsNxc(), op.data_format.value_or("NXC") == "NXC");
    EXPECT_EQ(draft.IsXio(), op.weights_format.value_or("XIO") == "XIO");
    EXPECT_TRUE(oracle::Resolve(op, oracle::Dialect::kOnednnSpec).geometry.has_value());
  }
  EXPECT_EQ(counts.size(), 9U);
  EXPECT_GE(defaults, kDrafts * 6 / 10);
  EXPECT_GE(omitted, kDrafts * 4 / 10);
}

TEST(OperatorDraft, FieldsThatADraftSetsStay) {
  OperatorDraft draft = Numbered(1);
  draft.data_format = DataFormat::kNcx;
  draft.weights_format = WeightsFormat::kXio;
  const Operator op = Build(As(OperatorKind::kConvolutionBackwardData, draft));
  EXPECT_EQ(op.data_format, "NCX");
  EXPECT_EQ(op.weights_format, "XIO");
  draft.shape_type = ElementType::kU16;
  EXPECT_EQ(Build(As(OperatorKind::kConvolutionBackpropData, draft)).output_shape->type, ElementType::kU16);
}

TEST(OperatorDraft, TheOtherOperatorsHaveNoFormats) {
  for (const OperatorKind kind : {OperatorKind::kConvolutionBackpropData, OperatorKind::kConvTranspose}) {
    const OperatorDraft draft = As(kind, Numbered(2));
    EXPECT_FALSE(draft.IsNxc());
    EXPECT_FALSE(draft.IsXio());
    EXPECT_EQ(Build(draft).data_format, std::nullopt);
    EXPECT_EQ(Build(draft).weights_format, std::nullopt);
  }
}

TEST(OperatorDraft, AnOutputShapeHasEachIntegerTypeAndMostOftenI64) {
  std::map<ElementType, int> counts;
  for (int i = 0; i < 255; ++i) counts[Build(Numbered(i)).output_shape->type]++;
  EXPECT_EQ(counts.size(), 8U);
  EXPECT_GE(counts[ElementType::kI64], 100);
}

TEST(OperatorDraft, AShapeHasATypeThatHoldsIt) {
  for (int i = 0; i < 255; ++i) {
    OperatorDraft draft = Numbered(i);
    draft.axes.front().output = 300;
    const oracle::ShapeInput shape = *Build(draft).output_shape;
    EXPECT_TRUE(oracle::HoldsInteger(shape.type, 300)) << ElementTypeName(shape.type);
  }
}

TEST(OperatorDraft, DstShapeIsS32) {
  OperatorDraft draft = Numbered(3);
  draft.dst_shape_is_input = true;
  EXPECT_EQ(Build(As(OperatorKind::kConvolutionBackwardData, draft)).output_shape->type, ElementType::kI32);
}

}  // namespace
}  // namespace conformance
