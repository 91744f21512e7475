// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The law of attributes: operators whose attributes resolve to the same pads and output size give the same output.
// Example: explicit pads of 1 and auto_pad=same_upper with the matching output_shape.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/operator_draft.h"
#include "conformance/verdict/properties/check.h"

namespace conformance::properties {
namespace {

/// The problem (geometry and values) as an operator with this auto_pad, with or without an output shape. `longer` is
/// added to both pads_end and output_padding of each axis: their effects on the output size cancel.
oracle::Operator Written(const Problem& problem, oracle::Dialect dialect, std::optional<AutoPad> auto_pad,
                         bool with_output, std::int64_t longer) {
  OperatorDraft draft = DraftOf(problem);
  draft.auto_pad = auto_pad;
  for (std::size_t j = 0; j < draft.axes.size(); ++j) {
    draft.axes[j].pads_end += longer;
    draft.axes[j].output_padding += longer;
    if (with_output || problem.kind == oracle::OperatorKind::kConvolutionBackwardData) {
      draft.axes[j].output = problem.geometry.axes[j].output;
    }
  }
  return Spelled(Build(draft), dialect);
}

}  // namespace

void CheckEqualAttributes(LawTrial& trial) {
  // `equals` collects other operators that have the same geometry as this case in this dialect.
  std::vector<oracle::Operator> equals;
  const auto consider = [&](const oracle::Operator& op) {
    if (op == trial.test_case().op || std::ranges::find(equals, op) != equals.end()) return;
    if (trial.Obstacle(trial.base(), op).empty()) equals.push_back(op);
  };
  for (const std::optional<AutoPad> auto_pad :
       {std::optional<AutoPad>(), std::optional(AutoPad::kExplicit), std::optional(AutoPad::kSameUpper),
        std::optional(AutoPad::kSameLower), std::optional(AutoPad::kValid)}) {
    for (const bool with_output : {false, true}) {
      for (const std::int64_t longer : {0, 1})
        consider(Written(trial.base(), trial.dialect(), auto_pad, with_output, longer));
    }
  }
  if (equals.empty()) return trial.DoesNotApply("there is one way to write it");
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  for (const oracle::Operator& op : equals) {
    const auto output = trial.OutputOf(trial.base(), op);
    if (!output || !trial.Agree(*plain, *output)) return;
  }
}

}  // namespace conformance::properties
