// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements JudgeGeometryInProcess: compares the sizes and pads that a backend computes from a case's attributes with
// those of the oracle, the reference implementation.

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/verdict/answer_failure.h"
#include "fuzz/cases/judge_in_process.h"
#include "oracle/resolve.h"

namespace fuzz {

std::optional<Finding> JudgeGeometryInProcess(conformance::Backend& backend, const conformance::Case& test_case) {
  const conformance::Capabilities& declared = backend.capabilities();
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.resolves) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
  if (resolution.refusal.has_value() && resolution.refusal->undefined) return std::nullopt;  // every answer is accepted
  const conformance::ResolveAnswer resolved = backend.Resolve(test_case.op, *dialect);
  // FailureOfAnswer takes the answer to a run, so the answer to the resolve call is copied into one.
  const conformance::RunAnswer answer = {.answer = resolved.answer,
                                         .output_dims = resolved.output_dims,
                                         .message = resolved.message,
                                         .implementation = {}};
  if (resolution.refusal.has_value()) {
    return FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(*dialect), *resolution.refusal));
  }
  if (answer.answer == conformance::kNotSupported || !declared.UnsupportedReason(test_case.op, *dialect).empty())
    return std::nullopt;
  if (auto finding = FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(*dialect), resolution))) {
    return finding;
  }
  if (!resolved.pads_begin || IsRefusal(answer)) return std::nullopt;
  const auto& axes = resolution.geometry->axes;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const std::optional<std::int64_t> reported =
        j < resolved.pads_begin->size() ? std::optional((*resolved.pads_begin)[j]) : std::nullopt;
    if (reported == axes[j].pads_begin) continue;
    return MakeFinding(conformance::FailureClass::kWrongPads, "axis " + std::to_string(j) + ": pads_begin is " +
                                                                  (reported ? std::to_string(*reported) : "missing") +
                                                                  ", expected " + std::to_string(axes[j].pads_begin));
  }
  return std::nullopt;
}

}  // namespace fuzz
