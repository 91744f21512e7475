// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `spec-examples`: the XML examples as the specification prints them, read from corpus/spec/fragments, and the
// same numbers as ConvTranspose.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_translation.h"

namespace conformance {
namespace {

// The 3-D example has 714 million outputs, so that it runs only at level full. Lower levels run it with smaller data.
constexpr std::string_view kHuge = "group_3d";
// This example means the same as Example 1, which states all defaults. Level smoke runs only one of the two.
constexpr std::string_view kLikeExample1 = "convolution_2020";
// The only example on which the two OpenVINO dialects differ: the data begin at output 112, or at 0.
constexpr std::string_view kDisputed = "convolution_example3";

// An example with data_size data elements along each axis. The declared output is that of the 3-D example: stride 2,
// kernel 3 and pads 1 give 2 * data_size - 1 elements.
SuiteCase Scaled(const SuiteCase& original, std::int64_t data_size) {
  SuiteCase scaled = original;
  scaled.name += fmt::format(".data{}", data_size);
  scaled.reason += fmt::format(", with {} data elements along each axis", data_size);
  for (std::size_t i = 2; i < scaled.declared_output.size(); ++i) {
    scaled.test_case.op.data.dims[i] = data_size;
    scaled.declared_output[i] = 2 * data_size - 1;
  }
  return scaled;
}

// Example 3 with 56 data elements along each axis, so that its output of 2 * 56 + 2 elements fits each integer type.
SuiteCase WithShapeOf(oracle::ElementType type, const SuiteCase& example3) {
  constexpr std::int64_t data = 56;
  SuiteCase scaled = Scaled(example3, data);
  scaled.name += fmt::format(".{}", oracle::ElementTypeName(type));
  scaled.reason += fmt::format(" and output_shape of type {}", oracle::ElementTypeName(type));
  oracle::ShapeInput& shape = *scaled.test_case.op.output_shape;
  shape.type = type;
  shape.values.assign(shape.values.size(), 2 * data + 2);
  for (std::size_t i = 2; i < scaled.declared_output.size(); ++i) scaled.declared_output[i] = 2 * data + 2;
  return scaled;
}

/// The cases of one example with the level of each.
std::vector<std::pair<Level, SuiteCase>> CasesOf(const SuiteCase& printed) {
  std::vector<std::pair<Level, SuiteCase>> cases;
  const auto add_as_conv_transpose = [&](Level least, const SuiteCase& original) {
    std::optional<oracle::Operator> transpose = AsConvTranspose(original.test_case.op);
    if (!transpose) return;
    SuiteCase as_transpose = original;
    as_transpose.reason += ", as ConvTranspose";
    as_transpose.test_case.op = *std::move(transpose);
    if (MultiplyAdds(as_transpose.test_case.op) > kSmokeMultiplyAdds) least = std::max(least, Level::kGate);
    for (const oracle::Dialect dialect : oracle::DialectsOf(oracle::OperatorKind::kConvTranspose)) {
      const bool is_first_dialect = dialect == oracle::DialectsOf(oracle::OperatorKind::kConvTranspose).front();
      if (IsRefusedByOwnClause(as_transpose.test_case.op, dialect)) continue;
      SuiteCase in_dialect = as_transpose;
      in_dialect.name += is_first_dialect ? std::string(".ct") : fmt::format(".ct.{}", DialectName(dialect));
      if (!is_first_dialect) in_dialect.test_case.dialect = dialect;
      cases.emplace_back(is_first_dialect ? least : Level::kFull, std::move(in_dialect));
    }
  };
  if (printed.name == kHuge) {
    for (const auto& [least, data_size] : {std::pair{Level::kSmoke, 16}, std::pair{Level::kGate, 32}}) {
      cases.emplace_back(least, Scaled(printed, data_size));
      add_as_conv_transpose(least, Scaled(printed, data_size));
    }
    cases.emplace_back(Level::kFull, printed);
    return cases;
  }
  cases.emplace_back(printed.name == kLikeExample1 ? Level::kGate : Level::kSmoke, printed);
  SuiteCase runtime = printed;
  runtime.name += ".openvino-runtime";
  runtime.test_case.dialect = oracle::Dialect::kOpenvinoRuntime;
  cases.emplace_back(printed.name == kDisputed ? Level::kGate : Level::kFull, std::move(runtime));
  add_as_conv_transpose(printed.name == kLikeExample1 ? Level::kFull : Level::kSmoke, printed);
  if (printed.name == kDisputed) {
    for (const oracle::ElementType type : oracle::kNumericTypes) {
      if (oracle::IsInteger(type)) cases.emplace_back(Level::kGate, WithShapeOf(type, printed));
    }
  }
  return cases;
}

}  // namespace

SuiteResult SpecExampleCases(Level level) {
  auto origins = FragmentOrigins(CorpusRoot() / "spec");
  if (auto* error = std::get_if<ReadError>(&origins)) return std::move(*error);
  std::vector<SuiteCase> cases;
  for (const FragmentOrigin& origin : std::get<std::vector<FragmentOrigin>>(origins)) {
    auto read = ReadLayerXml(origin.fragment);
    if (auto* error = std::get_if<ReadError>(&read)) return std::move(*error);
    const LayerCase& layer = std::get<std::vector<LayerCase>>(read).front();
    const SuiteCase printed{.suite = {},
                            .name = origin.fragment.stem().string(),
                            .test_case = layer.test_case,
                            .reason = origin.origin,
                            .declared_output = layer.declared_output};
    for (auto& [least, suite_case] : CasesOf(printed)) {
      if (least <= level) cases.push_back(std::move(suite_case));
    }
  }
  return cases;
}

}  // namespace conformance
