// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for values: each element type of each operator with each data set (rule for the values of
// data and filter) that suits it, and with small shapes like those that broke libraries in one element type.

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::ElementType;
using oracle::OperatorKind;

/// Whether operators of this kind may have this element type. As() replaces a type that they do not have.
bool HasType(OperatorKind kind, ElementType type) {
  OperatorDraft draft;
  draft.type = type;
  return As(kind, draft).type == type;
}

// Each axis in this file: data, kernel, stride, dilation, pads_begin, pads_end, output_padding.

/// Sizes with which each element type and data set is tested.
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

/// A shape like one that broke a library in one element type.
struct Trouble {
  const char* name;
  const char* reason;
  std::vector<AxisDraft> axes;
};

const std::vector<Trouble>& TroubleShapes() {
  static const std::vector<Trouble> shapes = {
      {"kernel-above", "a kernel above the stride", {{4, 5, 2}}},
      {"kernel-equal", "a kernel equal to the stride", {{4, 3, 3}}},
      {"kernel-below", "a kernel below the stride: gaps", {{4, 2, 3}}},
      {"short-data", "data shorter than the kernel (OpenVINO 2026.4.1, i8)", {{2, 5, 2}}},
      {"short-data-2d", "data shorter than the kernel on both axes (OpenVINO 2026.4.1, i8)", {{2, 5, 2}, {2, 3, 2}}},
      {"k1-pads-begin",
       "a kernel of 1 with a pad at the beginning and an output as large as the data (OpenVINO 2026.4.1)",
       {{1, 1, 1, 1, 1, 0, 1}}},
      {"k1-pads-begin-2d",
       "a kernel of 1 with pads at the beginning and an output as large as the data (OpenVINO 2026.4.1)",
       {{3, 1, 1, 1, 1, 0, 1}, {4, 1, 1, 1, 2, 0, 2}}},
      {"k1-pads", "a kernel of 1 with pads: an output inside the data", {{5, 1, 1, 1, 1, 1}, {4, 1}}},
      {"k1-beyond", "a kernel of 1 and an output beyond the data", {{3, 1, 1, 1, 0, 0, 2}, {2, 1, 1, 1, 0, 0, 1}}},
      {"k1-strided", "a kernel of 1 and a stride of 2", {{4, 1, 2}, {3, 1, 2, 1, 0, 0, 1}}},
      {"deep-pads", "stride 1 and pads deeper than kernel - 1 (XLA)", {{8, 3, 1, 1, 3, 3}, {7, 2, 1, 1, 2, 3}}},
      {"deep-pads-strided", "pads deeper than kernel - 1", {{6, 3, 2, 1, 3, 4}}},
  };
  return shapes;
}

/// Adds each of these shapes in each element type.
void AddTroubleShapes(SuiteBuilder& suite) {
  for (const ElementType type : oracle::kNumericTypes) {
    for (const Trouble& shape : TroubleShapes()) {
      AddGeometry(suite, Level::kSmoke, fmt::format("trouble.{}.{}", shape.name, ElementTypeName(type)), shape.reason,
                  {.axes = shape.axes, .type = type});
    }
  }
}

/// Adds NaN and infinities in depthwise groups and in odd numbers of channels.
void AddTroubleSpecials(SuiteBuilder& suite) {
  const std::vector<AxisDraft> axes = {{4, 3, 2, 1, 1, 1}, {3, 2, 1}};
  for (const ElementType type : {ElementType::kF64, ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    for (const OperatorKind kind : oracle::kOperatorKinds) {
      const auto add = [&](Level least, const std::string& name, const char* reason, OperatorDraft draft) {
        draft.type = type;
        draft.axes = axes;
        const OperatorDraft own = As(kind, std::move(draft));
        if (own.type != type) return;
        AddOperator(suite, least, fmt::format("trouble.{}.{}", name, ElementTypeName(type)), reason, Build(own),
                    oracle::DialectsOf(kind).front(), DataSet::kSpecials);
      };
      if (kind != OperatorKind::kConvolutionBackpropData) {
        add(Level::kSmoke, "depthwise-specials", "NaN and infinities stay in their group (JAX, f64)",
            {.groups = 5, .in = 1, .out = 1});
      }
      // Infinities and NaN in an odd number of channels: libraries multiply channels in groups of two or four.
      for (const std::int64_t in : {3, 5, 7, 9}) {
        add(kind == OperatorKind::kConvolutionBackpropData && in < 7 ? Level::kSmoke : Level::kGate,
            fmt::format("specials-in{}", in), "special values in an odd number of channels", {.in = in, .out = 2});
      }
    }
  }
}

// Adds widths around 256 for elements of one byte.
void AddByteWidths(SuiteBuilder& suite) {
  for (const ElementType type : {ElementType::kI8, ElementType::kU8}) {
    for (const std::int64_t width : {255, 256, 257}) {
      AddGeometry(suite, Level::kGate, fmt::format("trouble.width{}.{}", width, ElementTypeName(type)),
                  "rows around 256 elements", {.axes = {{2, 2, 2}, {width, 3, 1, 1, 1, 1}}, .type = type});
    }
  }
}

// Sums of 17 to 400 products of 16-bit numbers with full significands: an accumulator of 16 bits is too inaccurate.
void AddMediumSums(SuiteBuilder& suite) {
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16}) {
    for (const std::int64_t taps : {17, 25, 36, 64, 100}) {
      for (const DataSet values : {DataSet::kReals, DataSet::kWide}) {
        for (const std::int64_t in : {1, 4}) {
          AddOperator(suite, Level::kGate,
                      fmt::format("trouble.taps{}-in{}.{}.{}", taps, in, ElementTypeName(type), DataSetName(values)),
                      "sums of some ten products, and of several channels",
                      Build({.in = in, .out = 2, .axes = {{taps, taps, 1, 1, taps / 2, taps / 2}}, .type = type}),
                      oracle::Dialect::kOpenvinoSpec, values);
        }
      }
    }
  }
}

/// Adds bf16 of ConvTranspose in the dialects that have this type.
void AddNewerTypes(SuiteBuilder& suite) {
  for (const oracle::Dialect dialect : {oracle::Dialect::kOnnx22, oracle::Dialect::kTensorflow}) {
    for (const NamedShape& shape : Shapes()) {
      for (const DataSet set : {DataSet::kIntegers, DataSet::kReals, DataSet::kSpecials, DataSet::kSubnormals}) {
        OperatorDraft draft = As(OperatorKind::kConvTranspose, shape.draft);
        draft.type = ElementType::kBf16;
        AddOperator(suite, set == DataSet::kIntegers ? Level::kSmoke : Level::kGate,
                    fmt::format("values.{}.bf16.{}", shape.name, DataSetName(set)),
                    fmt::format("clauses T5, T8: type bf16 of ConvTranspose: {}", shape.reason), Build(draft), dialect,
                    set);
      }
    }
  }
}

}  // namespace

void AddValueCases(SuiteBuilder& suite) {
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    for (const ElementType type : oracle::kNumericTypes) {
      if (!HasType(kind, type)) continue;
      for (const DataSet set : kDataSets) {
        // Suites `numerics` and `exhaustive` have the shapes for the other sets.
        if (!IsDefinedFor(set, type) || set == DataSet::kOverflow || set == DataSet::kZeros ||
            set == DataSet::kExtremes || set == DataSet::kTaps || set == DataSet::kSwamping ||
            set == DataSet::kBoundaries) {
          continue;
        }
        for (const NamedShape& shape : Shapes()) {
          OperatorDraft draft = As(kind, shape.draft);
          draft.type = type;
          const bool is_smoke = kind == OperatorKind::kConvolutionBackpropData && &shape == &Shapes().front();
          AddOperator(
              suite, is_smoke ? Level::kSmoke : Level::kGate,
              fmt::format("values.{}.{}.{}", shape.name, ElementTypeName(type), DataSetName(set)),
              fmt::format("type {} with data set {}: {}", ElementTypeName(type), DataSetName(set), shape.reason),
              Build(draft), oracle::DialectsOf(kind).front(), set);
        }
      }
    }
  }
  AddNewerTypes(suite);
  // Sums of so many products that an accumulator in f16 or bf16 loses all precision.
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32}) {
    OperatorDraft draft{.in = 1024, .out = 1, .axes = {{3, 4, 1, 1, 1, 1}}};
    draft.type = type;
    AddGeometry(suite, Level::kGate, fmt::format("values.chain.{}.integers", ElementTypeName(type)),
                "sums of 4096 products", draft);
    for (const DataSet set : {DataSet::kReals, DataSet::kCancellation}) {
      // The sums of 4096 products in f32 may lose n * u * B = 2^-12 * B, where B is the sum of the magnitudes. That is
      // more than cancellation leaves, so the case would be vacuous.
      if (type == ElementType::kF32 && set == DataSet::kCancellation) continue;
      AddOperator(suite, Level::kGate, fmt::format("values.chain.{}.{}", ElementTypeName(type), DataSetName(set)),
                  "sums of 4096 products", Build(draft), oracle::Dialect::kOpenvinoSpec, set);
    }
  }
}

void AddTroubleCases(SuiteBuilder& suite) {
  AddTroubleShapes(suite);
  AddTroubleSpecials(suite);
  AddByteWidths(suite);
  AddMediumSums(suite);
}

}  // namespace conformance
