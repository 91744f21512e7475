// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges each mock on one plain case and compares the verdict with the expected one.

#include "conformance/cli/doctor/self_check.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/mock_backend.h"
#include "conformance/backends/serve_process.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {
namespace {

/// The verdict of the plain case on a mock; kNone if it passes.
constexpr std::array kExpected = {
    std::pair{MockConduct::kSound, FailureClass::kNone},
    std::pair{MockConduct::kEcho, FailureClass::kWrongValue},
    std::pair{MockConduct::kWrongShape, FailureClass::kWrongShape},
    std::pair{MockConduct::kNan, FailureClass::kWrongNan},
    std::pair{MockConduct::kGarbage, FailureClass::kProtocol},
    std::pair{MockConduct::kCrash, FailureClass::kCrash},
    std::pair{MockConduct::kHang, FailureClass::kHang},
    std::pair{MockConduct::kLimited, FailureClass::kNone},
    std::pair{MockConduct::kFickle, FailureClass::kNondeterministic},
    std::pair{MockConduct::kUnfaithful, FailureClass::kCannotDo},
    std::pair{MockConduct::kResolved, FailureClass::kNone},
};

constexpr FailureClass ExpectedOf(MockConduct conduct) {
  return std::ranges::find(kExpected, conduct, [](const auto& row) { return row.first; })->second;
}
static_assert(std::ranges::all_of(kMocks, [](const Mock& mock) {
  return std::ranges::count(kExpected, mock.conduct, [](const auto& row) { return row.first; }) == 1;
}));

std::string BackendName(const Mock& mock, bool through_process) {
  const std::string name = std::string(kMockPrefix) + std::string(mock.name);
  if (!through_process) return name;
  // A process gives garbage as text on its standard output.
  return mock.conduct == MockConduct::kGarbage ? ServedBackendName("mock:sound", "text") : ServedBackendName(name);
}

}  // namespace

std::string SelfCheck(bool through_process, const JudgeLimits& limits) {
  const SuiteCase plain = PlainCase(oracle::OperatorKind::kConvolutionBackpropData, 4, oracle::ElementType::kF32);
  for (const Mock& mock : kMocks) {
    const FailureClass expected = ExpectedOf(mock.conduct);
    JudgeLimits mock_limits = limits;
    if (mock.conduct == MockConduct::kHang) mock_limits.base_seconds = 0.5;
    Judge judge(BackendName(mock, through_process), mock_limits);
    const auto error = judge.Start();
    const CaseResult result = error ? CaseResult{} : judge.JudgeCase(plain);
    const bool as_expected =
        !error && result.failure == expected && (result.status == Status::kPass) == (expected == FailureClass::kNone);
    if (as_expected) continue;
    return fmt::format(
        "a mock backend that {} got a wrong verdict: {}", mock.sentence,
        error ? error->message : fmt::format("{} {}", FailureClassNameOf(result.failure), result.message));
  }
  return "";
}

std::string MockNames() {
  std::vector<std::string_view> names;
  for (const Mock& mock : kMocks) names.push_back(mock.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace conformance
