// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges a case by its law, a relation between the outputs of related operators. Runs the operators on the worker (the
// backend's process), checks the law, and minimizes a case that breaks it.

#include "conformance/verdict/properties/judge_law.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "conformance/case/minimize_case.h"
#include "conformance/case/text/elapsed.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/properties/check.h"
#include "conformance/verdict/properties/nd_array.h"

namespace conformance {
namespace {

using properties::LawOutcome;
using properties::NdArray;
using properties::Problem;
using std::chrono::duration;
using std::chrono::steady_clock;

/// Runs operators on the worker, one after the other. Guard page (before or behind the buffers) and poison (the byte
/// that fills the output) alternate from run to run. So outputs that the backend does not write differ between runs,
/// and break the law.
class OnWorker {
 public:
  OnWorker(const LawRun& run, oracle::Dialect dialect) : run_(run), dialect_(dialect) {}

  std::variant<NdArray, AnswerFailure, properties::NotSupported> operator()(const oracle::Operator& op,
                                                                            const Problem& problem) {
    const oracle::Geometry& geometry = problem.geometry;
    const std::uint64_t element_bytes = oracle::ElementBytes(geometry.type);
    ++runs_;
    const bool odd = runs_ % 2 == 1;
    ArenaLayout layout;
    layout.bytes = {geometry.DataCount() * element_bytes, geometry.FilterCount() * element_bytes,
                    geometry.OutputCount() * element_bytes};
    layout.placement = odd ? Placement::kAgainstEnd : Placement::kAgainstBegin;
    if (!run_.arena.Resize(layout)) return AnswerFailure{FailureClass::kSuiteError, std::string(kNoMemoryForBuffers)};
    const auto data = run_.arena.buffer(kDataBuffer);
    const auto filter = run_.arena.buffer(kFilterBuffer);
    properties::Encode(geometry.type, InLayout(problem.data, geometry.layout).values, data);
    properties::Encode(geometry.type, FilterInLayout(problem.filter, geometry.filter_layout).values, filter);
    const std::vector<std::byte> sent_data(data.begin(), data.end());
    const std::vector<std::byte> sent_filter(filter.begin(), filter.end());
    std::ranges::fill(run_.arena.buffer(kOutputBuffer), odd ? kFirstPoison : kSecondPoison);

    const RunAnswer answer = Ask(op, geometry);
    if (no_answer_) return *std::move(no_answer_);
    if (answer.answer == kNotSupported) return properties::NotSupported{answer.message};
    if (auto failure = FailureOfAnswer(answer, geometry.OutputDims())) return *std::move(failure);
    if (const std::string broken = run_.arena.BrokenCanary(); !broken.empty()) {
      return AnswerFailure{FailureClass::kOutOfBounds, "the backend wrote " + broken};
    }
    if (!std::ranges::equal(sent_data, data) || !std::ranges::equal(sent_filter, filter)) {
      return AnswerFailure{FailureClass::kModifiedInput, "the backend changed data or filter, which it may only read"};
    }
    return FromLayout(
        NdArray{geometry.OutputDims(), properties::Decode(geometry.type, run_.arena.buffer(kOutputBuffer))},
        geometry.layout);
  }

  double seconds() const { return seconds_; }

 private:
  /// Sends the operator and returns the answer. If there is no answer, `no_answer_` is set to the failure.
  RunAnswer Ask(const oracle::Operator& op, const oracle::Geometry& geometry) {
    Case related;
    related.op = op;
    const auto start = steady_clock::now();
    const WorkerOutcome outcome = run_.worker.Run(ToLine(related), dialect_, run_.time_for(geometry));
    seconds_ += SecondsSince(start);
    no_answer_ = FailureOfNoAnswer(outcome);
    return outcome.answer;
  }

  const LawRun& run_;
  oracle::Dialect dialect_;
  std::uint64_t runs_ = 0;
  double seconds_ = 0;
  std::optional<AnswerFailure> no_answer_;
};

}  // namespace

void JudgeLaw(const Case& test_case, oracle::Dialect dialect, const LawRun& run, double& minimize_seconds_left,
              CaseResult& result) {
  OnWorker on_worker(run, dialect);
  const auto outcome_of = [&](const Case& tried) -> LawOutcome {
    const oracle::Resolution resolution = oracle::Resolve(tried.op, dialect);
    if (!resolution.ok()) {
      LawOutcome refused;
      refused.end = LawOutcome::End::kDoesNotApply;
      return refused;
    }
    properties::LawTrial trial(tried, dialect, *resolution.geometry, run.worker.capabilities(), std::ref(on_worker));
    return properties::Check(trial);
  };
  LawOutcome outcome = outcome_of(test_case);
  result.seconds.backend += on_worker.seconds();
  result.outputs.count = outcome.outputs;
  result.outputs.wrong = outcome.wrong_outputs;
  result.outputs.first_wrong = outcome.first_wrong;
  result.verdict.message = std::move(outcome.message);
  result.verdict.facts.said = std::move(outcome.said);
  result.verdict.facts.related = std::move(outcome.related);
  if (outcome.end == LawOutcome::End::kHolds) result.verdict.status = Status::kPass;
  if (outcome.end == LawOutcome::End::kDoesNotApply) result.verdict.status = Status::kInapplicable;
  if (outcome.end == LawOutcome::End::kNotSupported) result.verdict.status = Status::kUnsupported;
  if (outcome.end != LawOutcome::End::kFails) return;
  result.verdict.status = Status::kFail;
  result.verdict.failure = outcome.failure;

  // A hang would use up the whole time. An error of the suite does not depend on the size of the case.
  if (minimize_seconds_left <= 0 || outcome.failure == FailureClass::kHang ||
      outcome.failure == FailureClass::kSuiteError) {
    return;
  }
  const auto start = steady_clock::now();
  const auto fails_alike = [&](const Case& smaller) {
    const LawOutcome other = outcome_of(smaller);
    return other.end == LawOutcome::End::kFails && other.failure == outcome.failure;
  };
  const duration<double> limit(std::min(minimize_seconds_left, run.minimize_seconds));
  const MinimizedCase minimized =
      MinimizeCase(test_case, fails_alike, {.time = std::chrono::duration_cast<std::chrono::nanoseconds>(limit)});
  minimize_seconds_left -= SecondsSince(start);
  if (minimized.smallest != test_case) {
    result.verdict.message += fmt::format(
        "; smallest case{}: {}", minimized.complete ? "" : " found within the time limit", ToLine(minimized.smallest));
  }
}

}  // namespace conformance
