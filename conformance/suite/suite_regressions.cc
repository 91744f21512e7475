// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Suite `regressions`: the cases of corpus/regressions as they stand there and, from level gate on, each geometry in
// the words of the other operators, since a bug that one library had in one operator is another's in the next.

#include <array>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/operator_draft.h"
#include "conformance/suite/regression_file.h"
#include "conformance/suite/suite_generators.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

std::string ReasonOf(const std::string& defect, const Regression& regression) {
  std::string reason = fmt::format("{} {} (seen: {})", defect, regression.why, fmt::join(regression.seen, ", "));
  if (!regression.refused.empty()) reason = fmt::format("clause {}: must be refused. {}", regression.refused, reason);
  return reason;
}

// The geometry with explicit pads, which mean the same in every operator and dialect; nothing where the data start
// beyond the output's first element, which pads cannot say.
std::optional<OperatorDraft> DraftOf(const oracle::Geometry& geometry) {
  OperatorDraft draft{.batch = geometry.batch,
                      .groups = geometry.groups,
                      .in = geometry.in_channels,
                      .out = geometry.out_channels,
                      .type = geometry.type};
  for (const oracle::Axis& axis : geometry.axes) {
    if (axis.pads_begin < 0) return std::nullopt;
    AxisDraft own{.data = axis.data,
                  .kernel = axis.kernel,
                  .stride = axis.stride,
                  .dilation = axis.dilation,
                  .pads_begin = axis.pads_begin};
    // What is left of the natural size behind the output, or lacking there.
    const std::int64_t rest = own.Natural() - axis.pads_begin - axis.output;
    (rest >= 0 ? own.pads_end : own.output_padding) = rest >= 0 ? rest : -rest;
    draft.axes.push_back(own);
  }
  return draft;
}

class Collector {
 public:
  explicit Collector(Level level) : level_(level) {}
  std::vector<SuiteCase> Take() { return std::move(cases_); }

  void Add(const std::string& file, const std::string& defect, const Regression& regression) {
    if (regression.level > level_) return;
    SuiteCase added;
    added.name = fmt::format("{}.{}{}", file, regression.name, regression.refused.empty() ? "" : ".invalid");
    added.test_case = regression.test_case;
    added.reason = ReasonOf(defect, regression);
    lines_.insert(ToLine(added.test_case));
    cases_.push_back(std::move(added));
  }

  void AddTranslations(const std::string& file, const std::string& defect, const Regression& regression) {
    const Level least = std::max(regression.level, Level::kGate);
    if (least > level_ || !regression.refused.empty()) return;
    const Case& origin = regression.test_case;
    const oracle::Resolution resolution = oracle::Resolve(origin.op, origin.EffectiveDialect());
    if (!resolution.ok()) return;
    const std::optional<OperatorDraft> draft = DraftOf(*resolution.geometry);
    if (!draft) return;
    for (const OperatorKind kind : {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData,
                                    OperatorKind::kConvolutionBackwardData, OperatorKind::kConvTranspose}) {
      const bool has_groups = kind != OperatorKind::kConvolutionBackpropData;
      if (kind == origin.op.kind || (draft->groups != 1 && !has_groups)) continue;
      SuiteCase added;
      added.name = fmt::format("{}.{}.{}", file, regression.name, ShortName(kind));
      added.test_case.op = Build(As(kind, *draft));
      added.test_case.values = origin.values;
      added.test_case.seed = origin.seed;
      added.reason = fmt::format("The geometry of {}. {}", regression.name, ReasonOf(defect, regression));
      // Cases that differ in their attributes alone may be one geometry.
      if (lines_.insert(ToLine(added.test_case)).second) cases_.push_back(std::move(added));
    }
  }

 private:
  Level level_;
  std::vector<SuiteCase> cases_;
  std::set<std::string> lines_;
};

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
  Collector collector(level);
  for (const auto& [name, file] : files) {
    for (const Regression& regression : file.cases) collector.Add(name, file.defect, regression);
  }
  for (const auto& [name, file] : files) {
    for (const Regression& regression : file.cases) collector.AddTranslations(name, file.defect, regression);
  }
  return collector.Take();
}

}  // namespace conformance
