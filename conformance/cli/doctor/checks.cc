// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks a backend without the verdict on a case: asks and runs it on a worker (the process of the backend), or judges
// a case repeatedly. self_check.cc checks the suite.

#include "conformance/cli/doctor/checks.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "conformance/backends/worker/worker.h"
#include "conformance/cli/doctor/advice.h"
#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/cli/doctor/doctor_cases.h"
#include "conformance/interface/describe_operator.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/judge/second_run.h"
#include "conformance/verdict/judge/trial_setup.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/replay_command.h"

namespace conformance {
namespace {

/// Whether the backend supports the operator, or how it failed to say so.
std::variant<bool, std::string> AskSupports(Worker& worker, const SuiteCase& suite_case, oracle::Dialect dialect,
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
    const auto first = AskSupports(worker, suite_case, *dialect, limit);
    const auto second = first.index() == 0 ? AskSupports(worker, suite_case, *dialect, limit) : first;
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

namespace {

/// The backend's answer in words, if it is not other-shape.
std::string FoundIn(const RunAnswer& answer) {
  constexpr std::array<std::string_view, 5> kNames = {"computed", "refused", "unsupported", "other-shape", "error"};
  const auto number = static_cast<std::size_t>(answer.answer);
  if (number >= kNames.size()) return answer.message;
  const std::string text = fmt::format("the backend answered {}", kNames.at(number));
  return answer.message.empty() ? text : fmt::format("{}: {}", text, answer.message);
}

}  // namespace

std::string CheckSizes(Worker& worker, Arena& arena, const Capabilities& declared, const SuiteCase& suite_case,
                       std::chrono::nanoseconds limit) {
  const oracle::Operator& op = suite_case.test_case.op;
  const auto dialect = declared.JudgingDialect(op, suite_case.test_case.EffectiveDialect());
  const auto geometry = DeclaredScope(declared).GeometryOf(suite_case);
  if (!geometry) return "no declared dialect defines the operator";
  const std::uint64_t element = oracle::ElementBytes(geometry->type);
  ArenaLayout layout;
  layout.bytes = {geometry->DataCount() * element, geometry->FilterCount() * element,
                  (geometry->OutputCount() - 1) * element};
  if (!arena.Resize(layout)) return std::string(kNoMemoryForBuffers);
  for (const std::size_t buffer : {kDataBuffer, kFilterBuffer}) {
    // An ordinary value in every type: 0x3c3c is about 1 in f16, and 0.01 in the wider types.
    std::ranges::fill(arena.buffer(buffer), std::byte{0x3c});
  }
  std::ranges::fill(arena.buffer(kOutputBuffer), kFirstPoison);
  const WorkerOutcome outcome = worker.Run(ToLine(suite_case.test_case), *dialect, limit);
  if (outcome.end != WorkerOutcome::End::kAnswered) return outcome.detail;
  if (outcome.answer.answer == DECONV_ANSWER_OTHER_SHAPE) return "";
  return FoundIn(outcome.answer);
}

using oracle::ElementType;

std::vector<ElementType> ComputedButUndeclared(const std::string& backend, const Capabilities& declared,
                                               std::chrono::nanoseconds limit) {
  std::vector<ElementType> computed;
  const DeclaredScope scope(declared);
  if (scope.Kinds().empty() || scope.Ranks().empty()) return computed;
  const oracle::OperatorKind kind = scope.Kinds().front();
  TrialSetup setup;
  Worker worker(backend, setup.arena());
  worker.LimitStart(std::max(Worker::kStartLimit, limit));
  for (const ElementType type : oracle::kNumericTypes) {
    if ((declared.element_types >> ElementTypeId(type) & 1) != 0) continue;
    const SuiteCase suite_case = PlainCase(kind, scope.UsualRank(), type);
    const auto geometry = scope.GeometryOf(suite_case);
    if (!geometry || !setup.SetUp(suite_case.test_case, *geometry).empty()) continue;
    const auto output = setup.arena().buffer(kOutputBuffer);
    std::ranges::fill(output, kFirstPoison);
    const auto dialect = declared.JudgingDialect(suite_case.test_case.op, suite_case.test_case.EffectiveDialect());
    worker.RequireNewProcess();
    const WorkerOutcome outcome = worker.Run(ToLine(suite_case.test_case), *dialect, limit);
    const bool answered = outcome.end == WorkerOutcome::End::kAnswered &&
                          outcome.answer.answer == DECONV_ANSWER_COMPUTED &&
                          outcome.answer.output_dims == geometry->OutputDims();
    if (answered && CompareBriefly(setup.expected(), output, declared).ok()) computed.push_back(type);
  }
  return computed;
}

}  // namespace conformance
