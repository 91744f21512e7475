// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the comparison of a backend's resolve call with the oracle.

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/verdict/answer_failure.h"
#include "fuzz/cases/judge_in_process.h"
#include "oracle/resolve.h"

namespace fuzz {

std::optional<Finding> ResolveInProcess(conformance::Backend& backend, const conformance::Case& test_case) {
  const conformance::Capabilities& declared = backend.capabilities();
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.resolves) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
  if (resolution.refusal.has_value() && resolution.refusal->undefined) return std::nullopt;  // every answer is accepted
  const conformance::ResolveAnswer got = backend.Resolve(test_case.op, *dialect);
  // FailureOfAnswer takes the answer to a run, so the answer to the resolve call is copied into one.
  const conformance::RunAnswer answer = {
      .answer = got.answer, .output_dims = got.output_dims, .message = got.message, .implementation = {}};
  if (resolution.refusal.has_value()) {
    return FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(*dialect), *resolution.refusal));
  }
  if (answer.answer == conformance::kNotSupported || !declared.UnsupportedReason(test_case.op, *dialect).empty())
    return std::nullopt;
  if (auto finding = FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(*dialect), resolution))) {
    return finding;
  }
  if (!got.pads_begin || IsRefusal(answer)) return std::nullopt;
  const auto& axes = resolution.geometry->axes;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const std::optional<std::int64_t> reported =
        j < got.pads_begin->size() ? std::optional((*got.pads_begin)[j]) : std::nullopt;
    if (reported == axes[j].pads_begin) continue;
    return MakeFinding(conformance::FailureClass::kWrongPads, "axis " + std::to_string(j) + ": pads_begin is " +
                                                                  (reported ? std::to_string(*reported) : "missing") +
                                                                  ", expected " + std::to_string(axes[j].pads_begin));
  }
  return std::nullopt;
}

}  // namespace fuzz
