// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for data_format and weights_format of ConvolutionBackwardData: every combination of the
// two, each absent or with one of its two values. Also repeats rows of the covering arrays in the default layout.

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "conformance/case/text/names.h"
#include "conformance/suite/suite_attributes.h"
#include "conformance/suite/suite_translation.h"

namespace conformance {
namespace {

using oracle::OperatorKind;

constexpr std::array<Named<DataFormat>, 3> kDataFormats = {
    {{DataFormat::kAbsent, "absent"}, {DataFormat::kNcx, "ncx"}, {DataFormat::kNxc, "nxc"}}};
constexpr std::array<Named<WeightsFormat>, 3> kWeightsFormats = {
    {{WeightsFormat::kAbsent, "absent"}, {WeightsFormat::kOix, "oix"}, {WeightsFormat::kXio, "xio"}}};

// Kernels, strides and dilations differ between axes, so that exchanged axes give wrong values. Each axis: data,
// kernel, stride, dilation, pads_begin, pads_end.
OperatorDraft UnlikeAxes(std::int64_t groups, std::size_t rank) {
  OperatorDraft draft{.batch = 2, .groups = groups, .in = 3, .out = 2};
  draft.axes = {{5, 2, 2, 1, 1, 0}, {4, 3, 1, 2, 0, 1}, {3, 4, 3, 1, 1, 2}};
  draft.axes.resize(rank);
  return draft;
}

// Data sizes equal the number of data channels, kernel sizes the channels of a group. So the shape of the data does not
// show its layout, nor does that of the filter with one group.
OperatorDraft SizesLikeChannels(std::int64_t groups, std::size_t rank) {
  OperatorDraft draft{.batch = 2, .groups = groups, .in = 4, .out = 4};
  draft.axes = {{4 * groups, 4, 1, 1, 1, 1}, {4 * groups, 4, 2, 1, 0, 1}, {4 * groups, 4, 1, 2, 2, 0}};
  draft.axes.resize(rank);
  return draft;
}

// One output channel, and a kernel that is as long as the number of input channels along one axis only.
OperatorDraft OneOutputChannel(std::int64_t groups, std::size_t rank) {
  OperatorDraft draft{.groups = groups, .in = 5, .out = 1};
  draft.axes = {{2, 5, 3, 1, 2, 1}, {6, 1, 2, 1, 0, 0}, {3, 2, 1, 3, 0, 1}};
  draft.axes.resize(rank);
  return draft;
}

}  // namespace

void AddLayouts(SuiteBuilder& suite) {
  struct NamedSizes {
    const char* name;
    OperatorDraft (*make_draft)(std::int64_t groups, std::size_t rank);
  };
  constexpr std::array kSizes = {NamedSizes{"unlike", UnlikeAxes}, NamedSizes{"alike", SizesLikeChannels},
                                 NamedSizes{"narrow", OneOutputChannel}};
  for (const Named<DataFormat>& data : kDataFormats) {
    for (const Named<WeightsFormat>& weights : kWeightsFormats) {
      for (const std::int64_t groups : {1, 2, 4}) {
        for (const NamedSizes& sizes : kSizes) {
          for (std::size_t rank = 1; rank <= 3; ++rank) {
            OperatorDraft draft = sizes.make_draft(groups, rank);
            draft.data_format = data.value;
            draft.weights_format = weights.value;
            const bool smoke = rank == 2 && groups == 2 && sizes.make_draft == UnlikeAxes;
            AddOperator(suite, smoke ? Level::kSmoke : Level::kGate,
                        fmt::format("layout.{}-{}-g{}-{}-{}d", data.name, weights.name, groups, sizes.name, rank),
                        "clauses S4, A16: data_format and weights_format, absent NXC and XIO, with groups",
                        Build(As(OperatorKind::kConvolutionBackwardData, draft)), oracle::Dialect::kOnednnSpec);
          }
        }
      }
    }
  }
}

void AddDefaultLayouts(SuiteBuilder& suite) {
  const std::size_t rows = suite.cases().size();
  for (std::size_t i = 0; i < rows; ++i) {
    const SuiteCase row = suite.cases()[i];
    if (!row.name.starts_with("covering.")) continue;
    std::optional<oracle::Operator> op = InDefaultLayout(row.test_case.op);
    if (!op) continue;
    Case added = row.test_case;
    added.op = *std::move(op);
    const std::size_t operator_at = row.name.find(".cbw.");  // cbw: ConvolutionBackwardData
    suite.AddUnlessKnown(row.name.substr(0, operator_at) + "-default" + row.name.substr(operator_at),
                         row.reason + ", in the default layout", std::move(added));
  }
}

}  // namespace conformance
