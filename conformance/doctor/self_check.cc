// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges each mock on one plain case and compares the verdict with the expected one.

#include "conformance/doctor/self_check.h"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/backends/mock_backend.h"
#include "conformance/backends/serve_process.h"
#include "conformance/doctor/doctor_cases.h"
#include "conformance/judge/judge.h"

namespace conformance {
namespace {

// In the order of kMocks.
constexpr std::array kExpected = {FailureClass::kNone,     FailureClass::kWrongValue, FailureClass::kWrongShape,
                                  FailureClass::kWrongNan, FailureClass::kProtocol,   FailureClass::kCrash,
                                  FailureClass::kHang,     FailureClass::kNone,       FailureClass::kNondeterministic,
                                  FailureClass::kCannotDo, FailureClass::kNone};
static_assert(kExpected.size() == kMocks.size());

std::string BackendName(const Mock& mock, bool through_process) {
  const std::string name = std::string(kMockPrefix) + std::string(mock.name);
  if (!through_process) return name;
  // A process gives garbage as text on its standard output.
  return mock.conduct == MockConduct::kGarbage ? ServedBackendName("mock:sound", "text") : ServedBackendName(name);
}

}  // namespace

std::string SelfCheck(bool through_process, const JudgeLimits& limits) {
  const SuiteCase plain = PlainCase(oracle::OperatorKind::kConvolutionBackpropData, 4, oracle::ElementType::kF32);
  for (std::size_t i = 0; i < kMocks.size(); ++i) {
    const Mock& mock = kMocks.at(i);
    JudgeLimits mock_limits = limits;
    if (mock.conduct == MockConduct::kHang) mock_limits.base_seconds = 0.5;
    Judge judge(BackendName(mock, through_process), mock_limits);
    const auto error = judge.Start();
    const CaseResult result = error ? CaseResult{} : judge.JudgeCase(plain);
    const bool as_expected = !error && result.failure == kExpected.at(i) &&
                             (result.status == Status::kPass) == (kExpected.at(i) == FailureClass::kNone);
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
