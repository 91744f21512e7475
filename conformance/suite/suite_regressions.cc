// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `regressions`: the cases of corpus/regressions, which show real bugs. Cases of ConvolutionBackwardData are also
// repeated in its default layout. From level gate on, each geometry is repeated as every other operator, because a bug
// of one library may exist in another library and in another operator.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/regression_file.h"
#include "conformance/suite/suite_generators.h"
#include "conformance/suite/suite_translation.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

/// The reason of a case: the class of bugs, why this case shows it, and where it was seen.
std::string ReasonOf(const std::string& defect, const Regression& regression) {
  std::string reason = fmt::format("{} {} (seen: {})", defect, regression.why, fmt::join(regression.seen, ", "));
  if (!regression.refused.empty()) reason = fmt::format("clause {}: must be refused. {}", regression.refused, reason);
  return reason;
}

// Expresses a geometry with explicit pads, which mean the same in every operator and dialect. nullopt if pads_begin is
// negative, because explicit pads cannot express it.
std::optional<OperatorDraft> DraftOf(const oracle::Geometry& geometry) {
  OperatorDraft draft{.batch = geometry.batch,
                      .groups = geometry.groups,
                      .in = geometry.in_channels,
                      .out = geometry.out_channels,
                      .type = geometry.type};
  for (const oracle::Axis& axis : geometry.axes) {
    if (axis.pads_begin < 0) return std::nullopt;
    AxisDraft axis_draft{.data = axis.data,
                         .kernel = axis.kernel,
                         .stride = axis.stride,
                         .dilation = axis.dilation,
                         .pads_begin = axis.pads_begin};
    // The part of the natural size that pads_end must remove; if negative, output_padding must add it.
    const std::int64_t rest = axis_draft.Natural() - axis.pads_begin - axis.output;
    (rest >= 0 ? axis_draft.pads_end : axis_draft.output_padding) = rest >= 0 ? rest : -rest;
    draft.axes.push_back(axis_draft);
  }
  return draft;
}

/// Adds the case of a regression, and the same case in the default layout.
void AddRegression(SuiteBuilder& suite, const std::string& file, const std::string& defect,
                   const Regression& regression) {
  if (!suite.Includes(regression.level)) return;
  suite.Add(fmt::format("{}.{}{}", file, regression.name, regression.refused.empty() ? "" : ".invalid"),
            ReasonOf(defect, regression), regression.test_case);
  std::optional<oracle::Operator> op = InDefaultLayout(regression.test_case.op);
  if (!op || !regression.refused.empty()) return;
  Case added = regression.test_case;
  added.op = *std::move(op);
  suite.AddUnlessKnown(fmt::format("{}.{}.default-layout", file, regression.name),
                       fmt::format("{} in NXC and XIO. {}", regression.name, ReasonOf(defect, regression)),
                       std::move(added));
}

/// Whether the operator has a tensor of each type that is a word of the name.
bool HasNamedTypes(std::string_view name, const oracle::Operator& op) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of("-."), name.size());
    const auto type = oracle::ParseElementType(name.substr(0, end));
    const bool shape_has_it = op.output_shape && op.output_shape->type == type;
    if (type && oracle::IsNumeric(*type) && op.data.type != type && !shape_has_it) return false;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return true;
}

/// The geometry of a regression as each other operator, from level gate on.
void AddTranslations(SuiteBuilder& suite, const std::string& file, const std::string& defect,
                     const Regression& regression) {
  if (!suite.Includes(std::max(regression.level, Level::kGate)) || !regression.refused.empty()) return;
  const Case& origin = regression.test_case;
  const oracle::Resolution resolution = oracle::Resolve(origin.op, origin.EffectiveDialect());
  if (!resolution.ok()) return;
  const std::optional<OperatorDraft> draft = DraftOf(*resolution.geometry);
  if (!draft) return;
  for (const OperatorKind kind : oracle::kOperatorKinds) {
    const bool has_groups = kind != OperatorKind::kConvolutionBackpropData;
    if (kind == origin.op.kind || (draft->groups != 1 && !has_groups)) continue;
    Case added;
    added.op = Build(As(kind, *draft));
    // If the operator lacks the type, another type is used, unless the name of the regression contains the type.
    if (!HasNamedTypes(regression.name, added.op)) continue;
    added.values = origin.values;
    added.seed = origin.seed;
    // Cases that differ only in their attributes may have one geometry.
    suite.AddUnlessKnown(fmt::format("{}.{}.{}", file, regression.name, ShortName(kind)),
                         fmt::format("The geometry of {}. {}", regression.name, ReasonOf(defect, regression)),
                         std::move(added));
  }
}

}  // namespace

SuiteResult RegressionCases(Level level) {
  auto paths = CorpusFiles(CorpusRoot() / "regressions", ".txt");
  if (auto* error = std::get_if<ReadError>(&paths)) return std::move(*error);
  std::vector<std::pair<std::string, RegressionFile>> files;
  for (const std::filesystem::path& path : std::get<std::vector<std::filesystem::path>>(paths)) {
    auto file = ReadRegressionFile(path);
    if (auto* error = std::get_if<ReadError>(&file)) return std::move(*error);
    files.emplace_back(path.stem().string(), std::move(std::get<RegressionFile>(file)));
  }
  SuiteBuilder suite(level);
  for (const auto& [name, file] : files) {
    for (const Regression& regression : file.cases) AddRegression(suite, name, file.defect, regression);
  }
  for (const auto& [name, file] : files) {
    for (const Regression& regression : file.cases) AddTranslations(suite, name, file.defect, regression);
  }
  return suite.Build();
}

}  // namespace conformance
