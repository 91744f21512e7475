// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests the table of properties (what may be special about an operator, in classes) on operators classified by hand.

#include "conformance/case/property/property.h"

#include <gtest/gtest.h>

#include "conformance/case/case.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

struct ResolvedOperator {
  oracle::Operator op;
  oracle::Geometry geometry;
};

ResolvedOperator Resolve(std::string_view line) {
  const auto parsed = ParseCaseLine(line);
  const Case* test_case = std::get_if<Case>(&parsed);
  EXPECT_NE(test_case, nullptr) << line;
  const oracle::Resolution resolution = oracle::Resolve(test_case->op, test_case->EffectiveDialect());
  EXPECT_TRUE(resolution.ok()) << line;
  return {test_case->op, resolution.geometry.value_or(oracle::Geometry{})};
}

// Whether the operator of a case line (the one-line text of a test) is in one of the classes.
bool IsIn(std::string_view line, Property property, ClassSet classes) {
  const ResolvedOperator resolved = Resolve(line);
  return HasClassOf(property, classes, resolved.op, resolved.geometry);
}

TEST(Properties, EachClassOfTheEnumerationsHasAName) {
  EXPECT_EQ(ClassNames(Property::kOperator).size(), 4U);
  EXPECT_EQ(ClassNames(Property::kType).size(), oracle::kNumericTypes.size());
  for (const oracle::ElementType type : oracle::kNumericTypes) {
    EXPECT_EQ(ClassNames(Property::kType)[static_cast<std::size_t>(type)], ElementTypeName(type));
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(ClassNames(Property::kOperator)[i], OperatorKindName(static_cast<OperatorKind>(i)));
  }
  EXPECT_EQ(ClassNames(Property::kOutputShape).size(), static_cast<std::size_t>(OutputShapeClass::kNegativeOdd) + 1);
  EXPECT_EQ(ClassNames(Property::kPads).size(), static_cast<std::size_t>(PadsClass::kDeep) + 1);
  EXPECT_EQ(ClassNames(Property::kKernel).size(), static_cast<std::size_t>(KernelClass::kOdd) + 1);
  EXPECT_EQ(ClassNames(Property::kAutoPad).size(), static_cast<std::size_t>(AutoPadClass::kOther) + 1);
  EXPECT_EQ(ClassNames(Property::kShapeSource).size(), static_cast<std::size_t>(ShapeSourceClass::kBoth) + 1);
  EXPECT_EQ(ClassNames(Property::kResolvedPads).size(),
            static_cast<std::size_t>(ResolvedPadsClass::kNegativeAsymmetric) + 1);
}

// By hand: the output size without pads is 2 * (3 - 1) + 3 = 7, so the output size 6 needs a total padding of 1.
TEST(Classify, AgreesWithAnOperatorClassifiedByHand) {
  const ResolvedOperator resolved = Resolve(
      "ConvolutionBackpropData:data=1,2,3:filter=2,3,3:strides=2:pads_begin=1:pads_end=0:dilations=1:"
      "auto_pad=SAME_UPPER:output_shape=6");
  const auto row = Classify(resolved.op, resolved.geometry);
  ASSERT_TRUE(row);
  EXPECT_EQ(ToText(*row),
            "operator=ConvolutionBackpropData auto_pad=same_upper output_shape=total-odd output_padding=zero rank=3 "
            "groups=one strides=equal dilations=one stride-and-dilation=coprime pads=begin kernel=odd "
            "kernel-and-data=within batch=one type=f32");
}

TEST(Classify, AxesInDifferentClassesHaveNone) {
  const ResolvedOperator resolved = Resolve(
      "ConvolutionBackpropData:data=1,2,3,3:filter=2,3,3,2:strides=2,3:pads_begin=1,0:pads_end=0,0:dilations=1,1");
  const auto row = Classify(resolved.op, resolved.geometry);
  ASSERT_TRUE(row);
  EXPECT_FALSE(row->Has(Property::kPads));
  EXPECT_FALSE(row->Has(Property::kKernel));
  EXPECT_TRUE(row->Is(Property::kStride, StepClass::kDifferent));
  const std::vector<ClassRow> axes = ClassifyAxes(resolved.op, resolved.geometry);
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(ToText(axes[0]),
            "output_shape=absent output_padding=zero strides=equal dilations=one stride-and-dilation=coprime "
            "pads=begin kernel=odd kernel-and-data=within");
  EXPECT_EQ(ToText(axes[1]),
            "output_shape=absent output_padding=zero strides=equal dilations=one stride-and-dilation=coprime "
            "pads=zero kernel=below-stride kernel-and-data=within");
}

TEST(Classify, AListThatTheDialectDoesNotReadMayHaveAnyLength) {
  const ResolvedOperator resolved = Resolve(
      "ConvolutionBackwardData:data=1,3,2:filter=3,3,2:strides=2:dilations=1:pads_begin=0:pads_end=0:output_padding=:"
      "dst_shape=1,7,3:dialect=onednn-runtime");
  EXPECT_EQ(ClassifyAxes(resolved.op, resolved.geometry).size(), 1U);
}

// An operator is in the class if one of its axes is.
TEST(HasClassOf, AsksEachAxis) {
  const std::string_view line =
      "ConvolutionBackpropData:data=1,1,3,3:filter=1,1,3,3:strides=2,2:dilations=1,1:pads_begin=0,1:pads_end=0,0:"
      "output_padding=0,1";
  EXPECT_TRUE(IsIn(line, Property::kResolvedPads, SetOf(ResolvedPadsClass::kSymmetric)));
  EXPECT_TRUE(IsIn(line, Property::kResolvedPads, SetOf(ResolvedPadsClass::kAsymmetric)));
  EXPECT_FALSE(IsIn(line, Property::kResolvedPads, SetOf(ResolvedPadsClass::kNegativeSymmetric)));
  EXPECT_TRUE(IsIn(line, Property::kOutputPadding, SetOf(OutputPaddingClass::kBelowStride)));
  EXPECT_FALSE(IsIn(line, Property::kOutputPadding, SetOf(OutputPaddingClass::kFromStride)));
  EXPECT_TRUE(IsIn(line, Property::kTensors, SetOf(TensorsClass::kFull)));
}

TEST(HasClassOf, KnowsNegativePadsAndEmptyTensors) {
  const std::string_view larger =
      "ConvolutionBackpropData:data=1,1,3:filter=1,1,3:output_shape=9:strides=2:dilations=1:auto_pad=same_upper";
  EXPECT_TRUE(IsIn(larger, Property::kResolvedPads, SetOf(ResolvedPadsClass::kNegativeSymmetric)));
  EXPECT_TRUE(IsIn("ConvolutionBackpropData:data=0,1,3:filter=1,1,3", Property::kTensors, SetOf(TensorsClass::kEmpty)));
}

// Other operators do not have the attribute weights_format.
TEST(HasClassOf, OnlyConvolutionBackwardDataHasAFilterFormat) {
  const ClassSet any = SetOf(FormatClass::kChannelsFirst, FormatClass::kChannelsLast);
  EXPECT_FALSE(IsIn("ConvTranspose:data=1,1,3:filter=1,1,3", Property::kFilterFormat, any));
  EXPECT_TRUE(
      IsIn("ConvolutionBackwardData:data=1,3,1:filter=3,1,1:strides=1:dilations=1:pads_begin=0:pads_end=0:"
           "dst_shape=1,5,1",
           Property::kFilterFormat, SetOf(FormatClass::kChannelsLast)));
}

TEST(AutoPadOf, ReadsTheSpellingsOfAllDialects) {
  oracle::Operator op;
  EXPECT_EQ(AutoPadOf(op), AutoPadClass::kAbsent);
  const auto class_of = [&op](const char* word) {
    op.auto_pad = word;
    return AutoPadOf(op);
  };
  for (const char* word : {"explicit", "None", "NOTSET"}) EXPECT_EQ(class_of(word), AutoPadClass::kExplicit) << word;
  EXPECT_EQ(class_of("SAME_UPPER"), AutoPadClass::kSameUpper);
  EXPECT_EQ(class_of("Same_Lower"), AutoPadClass::kSameLower);
  EXPECT_EQ(class_of("VALID"), AutoPadClass::kValid);
  // "absent" and "another word" are names of classes, but no words of a dialect.
  for (const char* word : {"", "absent", "another word", "same"}) {
    EXPECT_EQ(class_of(word), AutoPadClass::kOther) << word;
  }
}

TEST(ShapeSourceOf, LooksAtEveryPlace) {
  oracle::Operator op;
  EXPECT_EQ(ShapeSourceOf(op), ShapeSourceClass::kAbsent);
  op.output_shape = {oracle::ElementType::kI64, {1}, {3}};
  EXPECT_EQ(ShapeSourceOf(op), ShapeSourceClass::kInput);
  op.dst_shape = {1, 1, 3};
  EXPECT_EQ(ShapeSourceOf(op), ShapeSourceClass::kBoth);
  op.output_shape.reset();
  EXPECT_EQ(ShapeSourceOf(op), ShapeSourceClass::kAttribute);
}

}  // namespace
}  // namespace conformance
