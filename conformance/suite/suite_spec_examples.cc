// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `spec-examples`: the XML examples as the specification prints them, read from corpus/spec/fragments.

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

// The 3-D example has 714 million outputs: it runs at level full, and scaled down below that.
constexpr std::string_view kHuge = "group_3d";
// Reads like Example 1, which says the defaults aloud: one of the two is enough for a quick look.
constexpr std::string_view kLikeExample1 = "convolution_2020";
// The one example on which the two OpenVINO dialects differ: data at offset 112, or at 0.
constexpr std::string_view kDisputed = "convolution_example3";

// The 3-D example with another data size x on each axis: stride 2, kernel 3, pads 1 give 2x - 1 outputs.
SuiteCase Scaled(const SuiteCase& original, std::int64_t x) {
  SuiteCase scaled = original;
  scaled.name += fmt::format(".data{}", x);
  scaled.reason += fmt::format(", with {} data elements along each axis", x);
  for (std::size_t i = 2; i < scaled.declared_output.size(); ++i) {
    scaled.test_case.op.data.dims[i] = x;
    scaled.declared_output[i] = 2 * x - 1;
  }
  return scaled;
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
    SuiteCase runtime = printed;
    runtime.name += ".openvino-runtime";
    runtime.test_case.dialect = oracle::Dialect::kOpenvinoRuntime;

    if (printed.name == kHuge) {
      cases.push_back(Scaled(printed, 16));
      if (level >= Level::kGate) cases.push_back(Scaled(printed, 32));
      if (level >= Level::kFull) cases.push_back(printed);
      continue;
    }
    if (level >= Level::kGate || printed.name != kLikeExample1) cases.push_back(printed);
    if (level >= (printed.name == kDisputed ? Level::kGate : Level::kFull)) cases.push_back(runtime);
  }
  return cases;
}

}  // namespace conformance
