// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for values: each element type of each operator with each data set that suits it.

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

bool Has(OperatorKind kind, ElementType type) {
  OperatorDraft draft;
  draft.type = type;
  return As(kind, draft).type == type;
}

struct NamedShape {
  const char* name;
  const char* reason;
  OperatorDraft draft;
};

const std::vector<NamedShape>& Shapes() {
  static const std::vector<NamedShape> shapes = {
      {"strided", "stride, pads and output_padding", {.axes = {{5, 3, 2, 1, 1, 0, 1}, {4, 4, 3, 1, 0, 2, 0}}}},
      {"dilated",
       "gaps from dilation and stride: structural zeros do not multiply (clause V2)",
       {.axes = {{4, 3, 2, 3, 1, 1, 0}, {5, 2, 3, 2, 0, 0, 4}}}},
      {"long", "sums of 288 products", {.in = 32, .out = 2, .axes = {{6, 3, 1, 1, 1, 1}, {5, 3, 1, 1, 1, 1}}}},
      {"grouped",
       "a special value of one group stays in it (clause V2)",
       {.batch = 2, .groups = 3, .in = 2, .out = 2, .axes = {{6, 3, 2, 1, 1, 1, 1}}}},
  };
  return shapes;
}

}  // namespace

void AddValueCases(SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const ElementType type : oracle::kNumericTypes) {
      if (!Has(kind, type)) continue;
      for (const DataSet set : kDataSets) {
        // Suites `numerics` and `exhaustive` have the shapes for the other sets.
        if (!Suits(set, type) || set == DataSet::kOverflow || set == DataSet::kZeros || set == DataSet::kExtremes ||
            set == DataSet::kTaps || set == DataSet::kSwamping || set == DataSet::kBoundaries) {
          continue;
        }
        for (const NamedShape& shape : Shapes()) {
          OperatorDraft draft = As(kind, shape.draft);
          draft.type = type;
          const bool smoke = kind == OperatorKind::kConvolutionBackpropData && &shape == &Shapes().front();
          AddOperator(
              suite, smoke ? Level::kSmoke : Level::kGate,
              fmt::format("values.{}.{}.{}", shape.name, ElementTypeName(type), DataSetName(set)),
              fmt::format("type {} with data set {}: {}", ElementTypeName(type), DataSetName(set), shape.reason),
              Build(draft), oracle::DialectsOf(kind).front(), set);
        }
      }
    }
  }
  // A chain of products so long that sums in f16 or bf16 itself lose everything.
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32}) {
    OperatorDraft draft{.in = 1024, .out = 1, .axes = {{3, 4, 1, 1, 1, 1}}};
    draft.type = type;
    AddGeometry(suite, Level::kGate, fmt::format("values.chain.{}.integers", ElementTypeName(type)),
                "sums of 4096 products", draft);
    for (const DataSet set : {DataSet::kReals, DataSet::kCancellation}) {
      // What f32 sums of 4096 products may lose, n * u * B = 2^-12 * B, is more than cancellation leaves: powerless.
      if (type == ElementType::kF32 && set == DataSet::kCancellation) continue;
      AddOperator(suite, Level::kGate, fmt::format("values.chain.{}.{}", ElementTypeName(type), DataSetName(set)),
                  "sums of 4096 products", Build(draft), oracle::Dialect::kOpenvinoSpec, set);
    }
  }
}

}  // namespace conformance
