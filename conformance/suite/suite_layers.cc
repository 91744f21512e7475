// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The suites of networks' layers. Suite `layers`: the nets of corpus/layers at their real sizes, as they are and as
// ConvTranspose. The work of a case decides its level, so that a new file needs no change of this code. Suite `common`:
// the geometries that networks use, with everything else varied.

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/covering/common_array.h"
#include "conformance/suite/suite_builder.h"
#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_translation.h"

namespace conformance {
namespace {

// The oracle takes about 3 ns for a multiply-add: together the layers below kSmokeMultiplyAdds and this bound have
// 0.05e9 and 3.2e9.
constexpr double kGateMultiplyAdds = 450e6;
// As ConvTranspose, the numbers are the same: smaller layers suffice at level gate, and together have 0.4e9.
constexpr double kGateMultiplyAddsAgain = 120e6;

Level LevelOf(const oracle::Operator& op, double gate) {
  const double work = MultiplyAdds(op);
  if (work <= kSmokeMultiplyAdds) return Level::kSmoke;
  return work <= gate ? Level::kGate : Level::kFull;
}

}  // namespace

SuiteResult LayerSuiteCases(Level level) {
  auto files = CorpusFiles(CorpusRoot() / "layers", ".xml");
  if (auto* error = std::get_if<ReadError>(&files)) return std::move(*error);
  std::vector<SuiteCase> cases;
  for (const std::filesystem::path& file : std::get<std::vector<std::filesystem::path>>(files)) {
    auto read = ReadLayerXml(file);
    if (auto* error = std::get_if<ReadError>(&read)) return std::move(*error);
    const auto& layers = std::get<std::vector<LayerCase>>(read);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const SuiteCase layer{.suite = {},
                            .name = file.stem().string() + (layers.size() == 1 ? "" : fmt::format(".{}", i)),
                            .test_case = layers[i].test_case,
                            .reason = OriginOf(file),
                            .declared_output = layers[i].declared_output};
      if (LevelOf(layer.test_case.op, kGateMultiplyAdds) <= level) cases.push_back(layer);
      std::optional<oracle::Operator> onnx = AsConvTranspose(layer.test_case.op);
      if (!onnx || LevelOf(*onnx, kGateMultiplyAddsAgain) > level) continue;
      SuiteCase again = layer;
      again.name += ".ct";
      again.reason += ", as ConvTranspose";
      again.test_case.op = *std::move(onnx);
      again.test_case.filter_values = std::nullopt;
      cases.push_back(std::move(again));
    }
  }
  return cases;
}

SuiteResult CommonCases(Level level) {
  SuiteBuilder suite(level);
  const std::size_t strength = level == Level::kSmoke ? 2 : level == Level::kGate ? 3 : 4;
  for (CommonCase& one : CommonCasesOf(strength)) {
    suite.AddUnlessKnown(std::move(one.name), std::string(one.networks), std::move(one.test_case));
  }
  return suite.Take();
}

}  // namespace conformance
