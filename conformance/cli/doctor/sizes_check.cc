// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a case once on a worker, the process of the backend, with an output buffer that is one element too small, and
// reads the answer.

#include "conformance/cli/doctor/sizes_check.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "conformance/cli/doctor/declared_scope.h"
#include "conformance/verdict/judge/second_run.h"

namespace conformance {
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

}  // namespace conformance
