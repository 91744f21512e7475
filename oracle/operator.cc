// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Names the operators and dialects, and lists the dialects that define each operator. A dialect is one reading of the
// attributes (oracle/dialect.h). The file also checks whether a type can represent the values of a shape input.

#include "oracle/operator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "oracle/dialect.h"

namespace oracle {
namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"ConvolutionBackpropData", "GroupConvolutionBackpropData",
                                                        "ConvolutionBackwardData", "ConvTranspose"};
constexpr std::array<std::string_view, 9> kDialectNames = {"openvino-spec",  "openvino-runtime", "onednn-spec",
                                                           "onednn-runtime", "onnx-1",           "onnx-11",
                                                           "onnxruntime",    "onnx-22",          "tensorflow"};
static_assert(kOperatorKinds.size() == kKindNames.size());
static_assert(kDialects.size() == kDialectNames.size());

/// Returns the enumerator that `name` stands for, or nullopt. `names` has the order of the enumeration.
template <class Enum>
std::optional<Enum> FindByName(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

// The dialects of each family of operators. The first one is the default (DialectsOf). It follows a document, not a
// library. That of ConvTranspose follows the document of the operator sets 11 to 21.
constexpr std::array kOpenvinoDialects = {Dialect::kOpenvinoSpec, Dialect::kOpenvinoRuntime};
constexpr std::array kOnednnDialects = {Dialect::kOnednnSpec, Dialect::kOnednnRuntime};
constexpr std::array kOnnxDialects = {Dialect::kOnnx11, Dialect::kOnnx1, Dialect::kOnnxruntime, Dialect::kOnnx22,
                                      Dialect::kTensorflow};

}  // namespace

bool ShapeInput::CanRepresentValues() const {
  return std::ranges::all_of(values, [&](std::int64_t value) { return HoldsInteger(type, value); });
}

std::string_view OperatorKindName(OperatorKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<OperatorKind> ParseOperatorKind(std::string_view name) {
  return FindByName<OperatorKind>(kKindNames, name);
}

std::string_view DialectName(Dialect dialect) { return kDialectNames[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> ParseDialect(std::string_view name) { return FindByName<Dialect>(kDialectNames, name); }

std::span<const Dialect> DialectsOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kConvolutionBackwardData:
      return kOnednnDialects;
    case OperatorKind::kConvTranspose:
      return kOnnxDialects;
    case OperatorKind::kConvolutionBackpropData:
    case OperatorKind::kGroupConvolutionBackpropData:
      return kOpenvinoDialects;
  }
  return {};
}

bool Defines(Dialect dialect, OperatorKind kind) { return std::ranges::count(DialectsOf(kind), dialect) != 0; }

}  // namespace oracle
