// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suites `layers` and `common`. Suite `layers` has the transposed convolutions of real networks (corpus/layers.txt) at
// their real sizes, as they are and as ConvTranspose. The work of a case decides its level, so that a new line needs no
// change here. Suite `common` varies all other factors of the geometries that networks use.

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/covering/common_array.h"
#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_translation.h"

namespace conformance {
namespace {

// Level gate takes layers up to this cost, in multiply-adds. Larger layers took 15 of the 27 seconds of this suite.
// Suite `common` has small operators with their kernels and strides.
constexpr double kGateMultiplyAdds = 260e6;
// The limit for layers as ConvTranspose. They repeat the numbers of the other layers, so that smaller ones suffice.
constexpr double kGateMultiplyAddsAgain = 140e6;

/// The cost of a case in multiply-adds. Error bound and comparison of one output take as long as 25 multiply-adds.
double CostOf(const oracle::Operator& op, oracle::Dialect dialect) {
  const oracle::Resolution resolution = oracle::Resolve(op, dialect);
  const double outputs = resolution.ok() ? static_cast<double>(resolution.geometry->OutputCount()) : 0;
  return MultiplyAdds(op) + 25 * outputs;
}

/// The lowest level that runs the case. `most_at_gate`: the cost up to which level gate runs it.
Level LevelOf(const Case& test_case, double most_at_gate) {
  if (MultiplyAdds(test_case.op) <= kSmokeMultiplyAdds) return Level::kSmoke;
  return CostOf(test_case.op, test_case.EffectiveDialect()) <= most_at_gate ? Level::kGate : Level::kFull;
}

}  // namespace

SuiteResult LayerSuiteCases(Level level) {
  auto layers = NetworkLayers(CorpusRoot() / "layers.txt");
  if (auto* error = std::get_if<ReadError>(&layers)) return std::move(*error);
  std::vector<SuiteCase> cases;
  for (NetworkLayer& network_layer : std::get<std::vector<NetworkLayer>>(layers)) {
    const SuiteCase layer{.suite = {},
                          .name = std::move(network_layer.name),
                          .test_case = std::move(network_layer.test_case),
                          .reason = std::move(network_layer.origin),
                          .declared_output = {}};
    if (LevelOf(layer.test_case, kGateMultiplyAdds) <= level) cases.push_back(layer);
    std::optional<oracle::Operator> transpose = AsConvTranspose(layer.test_case.op);
    if (!transpose || LevelOf(layer.test_case, kGateMultiplyAddsAgain) > level) continue;
    SuiteCase as_transpose = layer;
    as_transpose.name += ".ct";
    as_transpose.reason += ", as ConvTranspose";
    as_transpose.test_case.op = *std::move(transpose);
    cases.push_back(std::move(as_transpose));
  }
  return cases;
}

SuiteResult CommonCases(Level level) {
  SuiteBuilder suite(level);
  // Combinations of the values of two, three or four factors, such as type and batch.
  const std::size_t strength = level == Level::kSmoke ? 2 : level == Level::kGate ? 3 : 4;
  const auto add = [&suite](std::vector<CommonCase> cases) {
    for (CommonCase& common_case : cases) {
      suite.AddUnlessKnown(std::move(common_case.name), std::string(common_case.networks),
                           std::move(common_case.test_case));
    }
  };
  add(CommonCasesOf(strength));
  add(CommonSpecialCases(suite.Includes(Level::kGate)));
  add(CommonBlockCases(suite.Includes(Level::kGate)));
  return suite.Build();
}

}  // namespace conformance
