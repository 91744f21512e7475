// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The first step of `deconv-cts doctor`: judges mutants, which are built-in backends that misbehave in one known way,
// on one plain case. Compares each verdict with the verdict that the mutant must get.

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/open_backend.h"
#include "conformance/backends/serve_process.h"
#include "conformance/cli/doctor/checks.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

struct CheckedMutant {
  std::string_view name;
  FailureClass expected;  ///< the verdict of the plain case; kNone if it passes
};

constexpr CheckedMutant kGarbage = {"garbage", FailureClass::kProtocol};
constexpr CheckedMutant kHangs = {"hangs_sometimes?every=1", FailureClass::kHang};

// Columns: mutant, expected verdict. "none", "limited" and "resolved" are correct on the plain case: they must pass.
constexpr std::array kChecked = {
    CheckedMutant{"none", FailureClass::kNone},
    CheckedMutant{"echo", FailureClass::kWrongValue},
    CheckedMutant{"wrong_shape", FailureClass::kWrongShape},
    CheckedMutant{"nan", FailureClass::kWrongNan},
    kGarbage,
    CheckedMutant{"crashes_sometimes?every=1", FailureClass::kCrash},
    kHangs,
    CheckedMutant{"limited", FailureClass::kNone},
    CheckedMutant{"fickle", FailureClass::kNondeterministic},
    CheckedMutant{"unfaithful", FailureClass::kCannotDo},
    CheckedMutant{"resolved", FailureClass::kNone},
};

// Returns the name of the mutant as a backend. `through_process`: it is reached through the protocol of processes.
std::string BackendOf(const CheckedMutant& mutant, bool through_process) {
  // A process gives garbage as text on its standard output.
  const bool writes_text = through_process && mutant.name == kGarbage.name;
  const std::string name = fmt::format("{}{}", kFaultPrefix, writes_text ? "protocol_text" : mutant.name);
  return through_process ? ServedBackendName(name) : name;
}

}  // namespace

std::string SelfCheck(bool through_process, const JudgeLimits& limits) {
  const SuiteCase plain =
      PlainCase(oracle::OperatorKind::kConvolutionBackpropData, /*rank=*/4, oracle::ElementType::kF32);
  for (const CheckedMutant& mutant : kChecked) {
    JudgeLimits own_limits = limits;
    // This mutant always hangs. With the usual limit (10 s), the check would only wait longer.
    if (mutant.name == kHangs.name) own_limits.base_seconds = 0.5;
    Judge judge(BackendOf(mutant, through_process), own_limits);
    const auto error = judge.Start();
    const CaseResult result = error ? CaseResult{} : judge.JudgeCase(plain);
    const bool passes = mutant.expected == FailureClass::kNone;
    if (!error && result.verdict.failure == mutant.expected && (result.verdict.status == Status::kPass) == passes)
      continue;
    return fmt::format("the mutant {}{} got a wrong verdict: {}", kFaultPrefix, mutant.name,
                       error
                           ? error->message
                           : fmt::format("{} {}", FailureClassNameOf(result.verdict.failure), result.verdict.message));
  }
  return "";
}

std::string CheckedMutants() {
  std::vector<std::string_view> names;
  for (const CheckedMutant& mutant : kChecked) names.push_back(mutant.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace conformance
