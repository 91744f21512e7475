// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Asks twice for each operator whether the backend supports it, and compares the two answers.

#include "conformance/cli/doctor/supports_check.h"

#include <variant>

#include <fmt/format.h>

#include "conformance/verdict/no_answer.h"

namespace conformance {
namespace {

/// Whether the backend supports the operator, or how it failed to say so.
std::variant<bool, std::string> Ask(Worker& worker, const SuiteCase& suite_case, oracle::Dialect dialect,
                                    std::chrono::nanoseconds limit) {
  const WorkerOutcome outcome = worker.Supports(ToLine(suite_case.test_case), dialect, limit);
  if (const auto failure = FailureOfNoAnswer(outcome)) {
    return fmt::format("{}: {}", FailureClassNameOf(failure->failure), failure->message);
  }
  if (outcome.answer.answer == kContractBroken) return outcome.answer.message;
  return outcome.answer.answer != kNotSupported;
}

}  // namespace

SupportsCheck CheckSupports(Worker& worker, const Capabilities& declared, std::span<const SuiteCase> cases,
                            std::chrono::nanoseconds limit) {
  SupportsCheck check;
  for (const SuiteCase& suite_case : cases) {
    const auto dialect = declared.JudgingDialect(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
    if (!dialect) continue;
    const auto first = Ask(worker, suite_case, *dialect, limit);
    const auto second = first.index() == 0 ? Ask(worker, suite_case, *dialect, limit) : first;
    if (const auto* complaint = std::get_if<std::string>(&second)) {
      check.fault = fmt::format("{}: {}", suite_case.name, *complaint);
      return check;
    }
    if (first != second) {
      check.fault =
          fmt::format("supports() changed its mind between two questions about {}: first {}, then {}", suite_case.name,
                      std::get<bool>(first) ? "yes" : "no", std::get<bool>(second) ? "yes" : "no");
      return check;
    }
    check.supported += std::get<bool>(first) ? 1 : 0;
  }
  return check;
}

}  // namespace conformance
