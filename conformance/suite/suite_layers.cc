// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `layers`: the nets of corpus/layers at their real sizes. The work of a case decides its level, so that a new
// file needs no change of this code.

#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/suite_generators.h"

namespace conformance {
namespace {

// The oracle takes about 3 ns for a multiply-add: together the layers below these bounds have 0.05e9 and 3.2e9.
constexpr double kSmokeMultiplyAdds = 20e6;
constexpr double kGateMultiplyAdds = 450e6;

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
      const double work = MultiplyAdds(layers[i].test_case.op);
      const Level least = work <= kSmokeMultiplyAdds  ? Level::kSmoke
                          : work <= kGateMultiplyAdds ? Level::kGate
                                                      : Level::kFull;
      if (least > level) continue;
      cases.push_back({.suite = {},
                       .name = file.stem().string() + (layers.size() == 1 ? "" : fmt::format(".{}", i)),
                       .test_case = layers[i].test_case,
                       .reason = OriginOf(file),
                       .declared_output = layers[i].declared_output});
    }
  }
  return cases;
}

}  // namespace conformance
