// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Cases of suite `attributes` for the shape input, a tensor that gives the output shape: its eight integer types, and
// dst_shape as input beside the attribute. Also pads that are omitted where OpenVINO's documents calculate them: beside
// an output_shape, and beside an auto_pad that is not explicit.

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/suite/suite_attributes.h"

namespace conformance {
namespace {

using oracle::Dialect;
using oracle::ElementType;
using oracle::Operator;
using oracle::OperatorKind;

void AddOutputShapeTypes(SuiteBuilder& suite) {
  for (const ElementType type : oracle::kNumericTypes) {
    if (!oracle::IsInteger(type)) continue;
    for (const OperatorKind kind :
         {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData}) {
      const OperatorDraft draft{.groups = kind == OperatorKind::kConvolutionBackpropData ? 1 : 2,
                                .axes = {{3, 2, 3, 1, 0, 0, 0, 6}, {5, 3, 2, 1, 0, 0, 0, 9}},
                                .auto_pad = AutoPad::kSameUpper,
                                .shape_type = type};
      for (const Dialect dialect : oracle::DialectsOf(kind)) {
        AddOperator(suite, Level::kSmoke, fmt::format("spelling.output-shape-{}", ElementTypeName(type)),
                    "clause T6: output_shape is of any integer type", Build(As(kind, draft)), dialect);
      }
    }
  }
}

// The document gives dst_shape the type s32, so that the seven other types are open: a backend may refuse them.
void AddDstShapeTypes(SuiteBuilder& suite) {
  for (const ElementType type : oracle::kNumericTypes) {
    if (!oracle::IsInteger(type)) continue;
    const OperatorDraft draft{.batch = 2,
                              .axes = {{3, 3, 2, 1, 1, 0, 0, 6}, {4, 2, 3, 1, 0, 1, 0, 10}},
                              .dst_shape_is_input = true,
                              .shape_type = type};
    AddOperator(suite, Level::kSmoke, fmt::format("spelling.dst-input-{}", ElementTypeName(type)),
                "clause T6: dst_shape is s32 in the document's table",
                Build(As(OperatorKind::kConvolutionBackwardData, draft)), Dialect::kOnednnSpec);
  }
}

void AddDstShapeSources(SuiteBuilder& suite) {
  for (const auto& [name, auto_pad] : {std::pair{"none", AutoPad::kExplicit}, std::pair{"upper", AutoPad::kSameUpper},
                                       std::pair{"lower", AutoPad::kSameLower}, std::pair{"valid", AutoPad::kValid}}) {
    for (const DataFormat format : {DataFormat::kAbsent, DataFormat::kNcx, DataFormat::kNxc}) {
      OperatorDraft draft{.kind = OperatorKind::kConvolutionBackwardData,
                          .batch = 2,
                          .axes = {{3, 3, 2, 1, 1, 0, 0, 6}, {4, 2, 3, 1, 0, 1, 0, 10}},
                          .auto_pad = auto_pad,
                          .data_format = format};
      const Operator attribute = Build(draft);
      draft.dst_shape_is_input = true;
      Operator input = Build(draft);
      constexpr std::array kFormatNames = {"absent", "ncx", "nxc"};
      const std::string context = fmt::format("{}-{}", name, kFormatNames.at(static_cast<std::size_t>(format)));
      AddOperator(suite, Level::kSmoke, fmt::format("spelling.dst-input-{}", context),
                  "clause S14: dst_shape as input alone", input, Dialect::kOnednnSpec);
      input.dst_shape = attribute.dst_shape;
      AddOperator(suite, Level::kSmoke, fmt::format("spelling.dst-both-{}", context),
                  "clause S15: input and attribute agree", input, Dialect::kOnednnSpec);
      (*input.dst_shape)[draft.IsNxc() ? 1 : 2] += 1;
      AddOperator(suite, Level::kSmoke, fmt::format("spelling.dst-differ-{}", context),
                  "clause S15: the input goes before the attribute", input, Dialect::kOnednnSpec);
    }
  }
}

/// Which of pads_begin and pads_end an operator omits.
struct Omission {
  const char* name;
  bool begin, end;
};
constexpr std::array kOmissions = {Omission{"both", true, true}, Omission{"begin", true, false},
                                   Omission{"end", false, true}};

// A draft for operators that omit pads. With an output shape the total paddings of its axes are odd (7 - 6), even
// (11 - 9) and negative (5 - 8). Pads that are not omitted are 1 and 2.
OperatorDraft OmittingDraft(OperatorKind kind, std::size_t rank, bool has_output_shape,
                            std::optional<AutoPad> auto_pad) {
  OperatorDraft draft{.axes = {{3, 3, 2, 1, 1, 1, 0, 6}, {4, 2, 3, 1, 2, 1, 0, 9}, {2, 3, 2, 1, 1, 2, 0, 8}},
                      .auto_pad = auto_pad};
  draft.axes.resize(rank);
  for (AxisDraft& axis : draft.axes) {
    if (!has_output_shape) axis.output = std::nullopt;
  }
  if (kind == OperatorKind::kGroupConvolutionBackpropData) draft.groups = 2;
  return As(kind, draft);
}

}  // namespace

void AddShapeInputs(SuiteBuilder& suite) {
  AddOutputShapeTypes(suite);
  AddDstShapeTypes(suite);
  AddDstShapeSources(suite);
}

void AddOmittedPads(SuiteBuilder& suite) {
  using Mode = std::optional<AutoPad>;
  constexpr std::array kModes = {Mode(), Mode(AutoPad::kExplicit), Mode(AutoPad::kSameUpper), Mode(AutoPad::kSameLower),
                                 Mode(AutoPad::kValid)};
  for (const OperatorKind kind :
       {OperatorKind::kConvolutionBackpropData, OperatorKind::kGroupConvolutionBackpropData}) {
    for (const bool has_output_shape : {true, false}) {
      for (const Mode& mode : kModes) {
        // Explicit pads that are omitted are 0 without an output shape: cases `spelling.no-pads_begin` and others.
        if (!has_output_shape && (!mode || *mode == AutoPad::kExplicit)) continue;
        for (const Omission& omission : kOmissions) {
          for (std::size_t rank = 1; rank <= 3; ++rank) {
            Operator op = Build(OmittingDraft(kind, rank, has_output_shape, mode));
            if (omission.begin) op.pads_begin = std::nullopt;
            if (omission.end) op.pads_end = std::nullopt;
            const std::string name =
                fmt::format("pads.no-{}-{}-{}-{}d", omission.name, has_output_shape ? "shape" : "natural",
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
