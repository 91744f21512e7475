// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks determinism: judges the same case five times, each time with two runs of the backend, and compares the bits.

#include "conformance/cli/doctor/repeats_check.h"

#include <fmt/format.h>

#include "conformance/cli/doctor/advice.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {

using Mark = ExaminedStep::Mark;

std::optional<ExaminedStep> CheckRepeats(Judge& judge, std::span<const SuiteCase> cases, const std::string& backend) {
  // A result that differs in half of the runs stays hidden with a probability of 2 * (1/2)^5 = 1/16.
  constexpr int kTimes = 5;
  for (const SuiteCase& suite_case : cases) {
    bool same = true;
    bool ran = true;  // false if the operator is not supported
    for (int i = 0; ran && i < kTimes; ++i) {
      const CaseResult result = judge.JudgeCase(suite_case);
      if (result.verdict.status == Status::kFail) {
        return ExaminedStep{
            Mark::kFault,
            "repeats",
            fmt::format("{}: {}", FailureClassNameOf(result.verdict.failure), result.verdict.message),
            {std::string(AdviceFor(result.verdict.failure, backend)), "replay: " + ReplayCommand(backend, result)}};
      }
      ran = IsRight(result.verdict.status);
      same = same && !result.verdict.facts.bits_differ;
    }
    if (!ran) continue;
    const std::string runs = fmt::format("{}, {} runs", suite_case.name, 2 * kTimes);
    if (judge.capabilities().deterministic != 0) {
      return ExaminedStep{
          Mark::kGood, "repeats", fmt::format("{}: the same bits wherever the backend declares it", runs), {}};
    }
    return ExaminedStep{Mark::kNotAsked,
                        "repeats",
                        fmt::format("{}: {} bits; the backend does not declare that they are the same", runs,
                                    same ? "the same" : "different"),
                        {"declare 'deterministic' if the bits are meant to be the same; every case then checks it"}};
  }
  return std::nullopt;
}

}  // namespace conformance
