// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the constraints of the covering arrays, which test combinations of classes (such as "stride 1" and "no pads").
// A constraint claims that no valid operator has a certain combination of classes, by the definition of the classes or
// by a clause (numbered rule) of the dialect. covering_test tries to refute each claim with random operators.

#include "conformance/suite/covering/model.h"
#include "oracle/operator.h"

namespace conformance {
namespace {

using oracle::Dialect;
using enum Property;

bool HasNoPads(const ClassRow& row) { return row.Is(kPads, PadsClass::kZero); }
bool HasSamePads(const ClassRow& row) { return row.Is(kAutoPad, AutoPadClass::kSameUpper, AutoPadClass::kSameLower); }
bool UsesPads(const ClassRow& row) { return row.Is(kAutoPad, AutoPadClass::kAbsent, AutoPadClass::kExplicit); }
bool HasAutoPadValid(const ClassRow& row) { return row.Is(kAutoPad, AutoPadClass::kValid); }
bool IsStrideOne(const ClassRow& row) { return row.Is(kStride, StepClass::kOne); }
// Kernels longer than 1 and at least as long as the stride have the classes even and odd.
bool KernelReachesStride(const ClassRow& row) { return row.Is(kKernel, KernelClass::kEven, KernelClass::kOdd); }
// The classes of kOutputShape are signs and parities of the total padding. A positive total cuts outputs off.
bool IsTotalZero(const ClassRow& row) { return row.Is(kOutputShape, OutputShapeClass::kZero); }
bool IsTotalPositive(const ClassRow& row) {
  return row.Is(kOutputShape, OutputShapeClass::kPositiveEven, OutputShapeClass::kPositiveOdd);
}
bool IsTotalNegative(const ClassRow& row) {
  return row.Is(kOutputShape, OutputShapeClass::kNegativeEven, OutputShapeClass::kNegativeOdd);
}

// Constraints that follow from the definition of the classes, in every dialect.
const std::vector<Constraint>& ByDefinition() {
  static const std::vector<Constraint> constraints = {
      {"", "one spatial axis has one stride", Reads({kRank, kStride}),
       [](const ClassRow& row) { return row.Is(kRank, RankClass::k3) && row.Is(kStride, StepClass::kDifferent); }},
      {"", "one spatial axis has one dilation", Reads({kRank, kDilation}),
       [](const ClassRow& row) { return row.Is(kRank, RankClass::k3) && row.Is(kDilation, StepClass::kDifferent); }},
      {"", "a stride of 1 has no common divisor with a dilation", Reads({kStride, kRelation}),
       [](const ClassRow& row) { return IsStrideOne(row) && row.Is(kRelation, RelationClass::kCommonDivisor); }},
      {"", "a dilation of 1 has no common divisor with a stride", Reads({kDilation, kRelation}),
       [](const ClassRow& row) {
         return row.Is(kDilation, StepClass::kOne) && row.Is(kRelation, RelationClass::kCommonDivisor);
       }},
      {"", "no output_padding lies between 0 and a stride of 1", Reads({kStride, kOutputPadding}),
       [](const ClassRow& row) {
         return IsStrideOne(row) && row.Is(kOutputPadding, OutputPaddingClass::kBelowStride);
       }},
      {"", "no kernel lies between 1 and a stride of 1", Reads({kStride, kKernel}),
       [](const ClassRow& row) { return IsStrideOne(row) && row.Is(kKernel, KernelClass::kBelowStride); }},
      {"", "a kernel of 1 is not longer than data", Reads({kKernel, kSpan}),
       [](const ClassRow& row) { return row.Is(kKernel, KernelClass::kUnit) && row.Is(kSpan, SpanClass::kBeyond); }},
      {"", "a pad of 1 reaches the extent of a kernel of 1", Reads({kKernel, kPads}),
       [](const ClassRow& row) {
         return row.Is(kKernel, KernelClass::kUnit) && !row.Is(kPads, PadsClass::kZero, PadsClass::kDeep);
       }},
  };
  return constraints;
}

const std::vector<Constraint>& OfOneGroup() {
  static const std::vector<Constraint> constraints = {
      {"S6", "ConvolutionBackpropData has one group", Reads({kGroups}),
       [](const ClassRow& row) { return !row.Is(kGroups, GroupsClass::kOne); }},
  };
  return constraints;
}

const std::vector<Constraint>& OfOpenvinoRuntime() {
  static const std::vector<Constraint> constraints = {
      {"S19", "data have at most rank 5", Reads({kRank}),
       [](const ClassRow& row) { return row.Is(kRank, RankClass::kMore); }},
  };
  return constraints;
}

const std::vector<Constraint>& OfBackwardData() {
  static const std::vector<Constraint> constraints = {
      {"S14", "dst_shape is always given", Reads({kOutputShape}),
       [](const ClassRow& row) { return row.Is(kOutputShape, OutputShapeClass::kAbsent); }},
  };
  return constraints;
}

// Clause P21, for two or more data elements: the output size is natural - (pads_begin + pads_end) + q with 0 <= q <
// stride. The total padding, computed without output_padding (clause A18), is pads_begin + pads_end - q.
// Clauses P28 and P29 of TensorFlow say the same. `padded` and `same` are the clauses of the modes.
std::vector<Constraint> OfForwardSizes(const char* padded, const char* same) {
  return {
      {padded, "without pads nothing is cut off", Reads({kAutoPad, kOutputShape}),
       [](const ClassRow& row) { return HasAutoPadValid(row) && IsTotalPositive(row); }},
      {padded, "without pads nothing is cut off", Reads({kAutoPad, kOutputShape, kPads}),
       [](const ClassRow& row) { return UsesPads(row) && HasNoPads(row) && IsTotalPositive(row); }},
      {padded, "with stride 1, valid gives the natural size", Reads({kAutoPad, kOutputShape, kStride}),
       [](const ClassRow& row) { return HasAutoPadValid(row) && IsStrideOne(row) && !IsTotalZero(row); }},
      {padded, "with stride 1, pads of 0 give the natural size", Reads({kAutoPad, kOutputShape, kStride, kPads}),
       [](const ClassRow& row) { return UsesPads(row) && IsStrideOne(row) && HasNoPads(row) && !IsTotalZero(row); }},
      {padded, "with stride 1, the total is the sum of the pads", Reads({kAutoPad, kOutputShape, kStride, kPads}),
       [](const ClassRow& row) {
         return UsesPads(row) && IsStrideOne(row) && !HasNoPads(row) && !IsTotalPositive(row);
       }},
      {padded, "with stride 1, equal pads are an even total", Reads({kAutoPad, kOutputShape, kStride, kPads}),
       [](const ClassRow& row) {
         return UsesPads(row) && IsStrideOne(row) && row.Is(kPads, PadsClass::kSymmetric) &&
                row.Is(kOutputShape, OutputShapeClass::kPositiveOdd);
       }},
      {padded, "a pad as long as a kernel that the stride does not exceed is more than the stride leaves open",
       Reads({kAutoPad, kOutputShape, kPads, kKernel}),
       [](const ClassRow& row) {
         return UsesPads(row) && row.Is(kPads, PadsClass::kDeep) && KernelReachesStride(row) && !IsTotalPositive(row);
       }},
      // same_upper and same_lower: the total is (kernel - 1) * dilation + 1 - v with 1 <= v <= stride.
      {same, "a kernel of 1 gets no pads", Reads({kAutoPad, kOutputShape, kKernel}),
       [](const ClassRow& row) {
         return HasSamePads(row) && row.Is(kKernel, KernelClass::kUnit) && IsTotalPositive(row);
       }},
      {same, "with stride 1, a kernel of 1 gives the natural size", Reads({kAutoPad, kOutputShape, kKernel, kStride}),
       [](const ClassRow& row) {
         return HasSamePads(row) && row.Is(kKernel, KernelClass::kUnit) && IsStrideOne(row) && !IsTotalZero(row);
       }},
      {same, "a kernel that the stride does not exceed leaves no gap to the next stride",
       Reads({kAutoPad, kOutputShape, kKernel}),
       [](const ClassRow& row) { return HasSamePads(row) && KernelReachesStride(row) && IsTotalNegative(row); }},
      {same, "with stride 1, the total is (K - 1) * d", Reads({kAutoPad, kOutputShape, kKernel, kStride}),
       [](const ClassRow& row) {
         return HasSamePads(row) && KernelReachesStride(row) && IsStrideOne(row) && !IsTotalPositive(row);
       }},
      {same, "with stride 1, an odd kernel is an even total", Reads({kAutoPad, kOutputShape, kKernel, kStride}),
       [](const ClassRow& row) {
         return HasSamePads(row) && row.Is(kKernel, KernelClass::kOdd) && IsStrideOne(row) &&
                row.Is(kOutputShape, OutputShapeClass::kPositiveOdd);
       }},
      {same, "with stride 1 and dilation 1, an even kernel is an odd total",
       Reads({kAutoPad, kOutputShape, kKernel, kStride, kDilation}),
       [](const ClassRow& row) {
         return HasSamePads(row) && row.Is(kKernel, KernelClass::kEven) && IsStrideOne(row) &&
                row.Is(kDilation, StepClass::kOne) && row.Is(kOutputShape, OutputShapeClass::kPositiveEven);
       }},
      {same, "a total of 0 takes an extent of at most the stride, which dilation stretches beyond",
       Reads({kAutoPad, kOutputShape, kKernel, kDilation}),
       [](const ClassRow& row) {
         return HasSamePads(row) && KernelReachesStride(row) && !row.Is(kDilation, StepClass::kOne) && IsTotalZero(row);
       }},
  };
}

const std::vector<Constraint>& OfOnednnRuntime() {
  static const std::vector<Constraint> constraints = [] {
    std::vector<Constraint> constraints_of_dialect = OfForwardSizes("P21", "P20");
    constraints_of_dialect.push_back({"S16", "data have at most rank 5", Reads({kRank}),
                                      [](const ClassRow& row) { return row.Is(kRank, RankClass::kMore); }});
    return constraints_of_dialect;
  }();
  return constraints;
}

const std::vector<Constraint>& OfTensorflow() {
  static const std::vector<Constraint> constraints = [] {
    std::vector<Constraint> constraints_of_dialect = OfForwardSizes("P29", "P28");
    constraints_of_dialect.push_back({"S21", "data have at most rank 5", Reads({kRank}),
                                      [](const ClassRow& row) { return row.Is(kRank, RankClass::kMore); }});
    constraints_of_dialect.push_back(
        {"S22", "output_shape is always given", Reads({kOutputShape}),
         [](const ClassRow& row) { return row.Is(kOutputShape, OutputShapeClass::kAbsent); }});
    constraints_of_dialect.push_back({"A22", "same_lower has no counterpart", Reads({kAutoPad}),
                                      [](const ClassRow& row) { return row.Is(kAutoPad, AutoPadClass::kSameLower); }});
    constraints_of_dialect.push_back({"A23", "output_padding is 0", Reads({kOutputPadding}), [](const ClassRow& row) {
                                        return !row.Is(kOutputPadding, OutputPaddingClass::kZero);
                                      }});
    return constraints_of_dialect;
  }();
  return constraints;
}

const std::vector<Constraint>& OfOnnx() {
  static const std::vector<Constraint> constraints = {
      {"A14", "pads and auto_pad exclude each other", Reads({kAutoPad, kPads}),
       [](const ClassRow& row) { return !UsesPads(row) && !HasNoPads(row); }},
  };
  return constraints;
}

const std::vector<Constraint>& OfOnnx1() {
  static const std::vector<Constraint> constraints = {
      {"P23", "same_upper and same_lower without an output shape are undefined", Reads({kAutoPad, kOutputShape}),
       [](const ClassRow& row) { return HasSamePads(row) && row.Is(kOutputShape, OutputShapeClass::kAbsent); }},
  };
  return constraints;
}

// Clause P26: with an output shape, output_padding - min(total, 0) is below the stride.
const std::vector<Constraint>& OfOnnxruntime() {
  static const std::vector<Constraint> constraints = {
      {"A19", "output_padding is below the stride", Reads({kOutputPadding}),
       [](const ClassRow& row) { return row.Is(kOutputPadding, OutputPaddingClass::kFromStride); }},
      {"P26", "with stride 1, an output is at most of the natural size", Reads({kStride, kOutputShape}),
       [](const ClassRow& row) { return IsStrideOne(row) && IsTotalNegative(row); }},
  };
  return constraints;
}

}  // namespace

std::vector<Constraint> ConstraintsOf(oracle::OperatorKind kind, Dialect dialect) {
  std::vector<Constraint> constraints_of_dialect = ByDefinition();
  const auto add = [&](const std::vector<Constraint>& more) {
    constraints_of_dialect.insert(constraints_of_dialect.end(), more.begin(), more.end());
  };
  switch (dialect) {
    case Dialect::kOpenvinoRuntime:
      add(OfOpenvinoRuntime());
      [[fallthrough]];
    case Dialect::kOpenvinoSpec:
      if (kind == oracle::OperatorKind::kConvolutionBackpropData) add(OfOneGroup());
      break;
    case Dialect::kOnednnSpec:
      add(OfBackwardData());
      break;
    case Dialect::kOnednnRuntime:
      add(OfBackwardData());
      add(OfOnednnRuntime());
      break;
    case Dialect::kOnnx1:
      add(OfOnnx());
      add(OfOnnx1());
      break;
    case Dialect::kOnnx11:
    case Dialect::kOnnx22:
      add(OfOnnx());
      break;
    case Dialect::kTensorflow:
      add(OfOnnx());
      add(OfTensorflow());
      break;
    case Dialect::kOnnxruntime:
      add(OfOnnx());
      add(OfOnnxruntime());
      break;
  }
  return constraints_of_dialect;
}

}  // namespace conformance
