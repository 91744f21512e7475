// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for pads that are omitted where OpenVINO's documents calculate them: beside an
// output_shape, and beside an auto_pad that is not explicit.

#include <array>
#include <string>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::Operator;
using oracle::OperatorKind;

struct Omission {
  const char* name;
  bool begin, end;
};
constexpr std::array kOmissions = {Omission{"both", true, true}, Omission{"begin", true, false},
                                   Omission{"end", false, true}};

// With an output shape the totals are odd, even and negative: 7 - 6, 11 - 9 and 5 - 8. Pads that stay are 1 and 2.
OperatorDraft DraftOf(OperatorKind kind, std::size_t rank, bool shaped, std::optional<AutoPad> auto_pad) {
  OperatorDraft draft{.axes = {{3, 3, 2, 1, 1, 1, 0, 6}, {4, 2, 3, 1, 2, 1, 0, 9}, {2, 3, 2, 1, 1, 2, 0, 8}},
                      .auto_pad = auto_pad};
  draft.axes.resize(rank);
  for (AxisDraft& axis : draft.axes) {
    if (!shaped) axis.output = std::nullopt;
  }
  if (kind == OperatorKind::kGroupConvolutionBackpropData) draft.groups = 2;
  return As(kind, draft);
}

}  // namespace

void AddOmittedPads(SuiteBuilder& suite) {
  using Mode = std::optional<AutoPad>;
  constexpr std::array kModes = {Mode(), Mode(AutoPad::kExplicit), Mode(AutoPad::kSameUpper), Mode(AutoPad::kSameLower),
                                 Mode(AutoPad::kValid)};
  for (const OperatorKind kind :
       {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData}) {
    for (const bool shaped : {true, false}) {
      for (const Mode& mode : kModes) {
        // Without an output shape, explicit pads that are omitted are 0: cases `spelling.no-pads_begin` and others.
        if (!shaped && (!mode || *mode == AutoPad::kExplicit)) continue;
        for (const Omission& omission : kOmissions) {
          for (std::size_t rank = 1; rank <= 3; ++rank) {
            Operator op = Build(DraftOf(kind, rank, shaped, mode));
            if (omission.begin) op.pads_begin = std::nullopt;
            if (omission.end) op.pads_end = std::nullopt;
            const std::string name = fmt::format("pads.no-{}-{}-{}-{}d", omission.name, shaped ? "shape" : "natural",
                                                 mode ? AutoPadName(*mode) : "absent", rank);
            for (const oracle::Dialect dialect : oracle::DialectsOf(kind)) {
              AddOperator(suite, rank == 2 ? Level::kSmoke : Level::kGate, name,
                          "clauses A7, P3, P4: pads may be omitted where they are calculated", op, dialect);
            }
          }
        }
      }
    }
  }
}

}  // namespace conformance
