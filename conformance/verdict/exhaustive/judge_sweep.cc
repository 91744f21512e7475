// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges a sweep: one case that stands for many small operators, here called tuples. Sends the tuples to the worker
// (the backend's process) in batches, compares each answer with the oracle's, and narrows the first failure down to one
// case.

#include "conformance/verdict/exhaustive/judge_sweep.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/case/text/elapsed.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/exhaustive/tuple_batch.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

using std::chrono::duration;
using std::chrono::steady_clock;

// Tuples of a batch. The records of a geometry batch take 0.4 MB. A batch with values and expected sums takes about 1
// MB. Both fit in the second-level cache. A request to the worker costs some 50 us, which is little for so many tuples.
constexpr std::uint64_t kGeometryBatch = 4096;
constexpr std::uint64_t kValuesBatch = 256;

class SweepJudge {
 public:
  /// `narrows`: whether to run the first wrong tuple again alone, so that the result names the smallest case.
  SweepJudge(const SuiteCase& suite_case, const SweepTrial& trial, bool narrows)
      : narrows_(narrows),
        suite_case_(suite_case),
        sweep_(*suite_case.test_case.sweep),
        trial_(trial),
        batch_(trial.arena),
        declared_(trial.worker.capabilities()),
        cases_(sweep_, declared_.JudgingDialect(suite_case.test_case.op, sweep_.dialect).value_or(sweep_.dialect)),
        result_(ResultOf(suite_case)) {}

  CaseResult Judge() {
    const auto start = steady_clock::now();
    if (const std::string reason = UnsupportedReason(); !reason.empty()) {
      result_.verdict.status = Status::kUndeclared;
      result_.verdict.message = reason;
    } else if (JudgeBatches()) {
      result_.verdict.status = Status::kPass;
      NoteSkipped();
      result_.answer.refused = result_.verdict.status == Status::kPass && resolved_ == 0;
    }
    result_.seconds.total = SecondsSince(start);
    return std::move(result_);
  }

 private:
  bool ComparesValues() const { return !sweep_.resolves(); }

  // Notes how many operators the backend cannot do. If it can do none, the sweep proves nothing and does not pass.
  void NoteSkipped() {
    if (result_.sweep.skipped == 0) return;
    if (result_.sweep.judged == 0) result_.verdict.status = asked_no_ ? Status::kUnsupported : Status::kUndeclared;
    result_.verdict.message = fmt::format("the backend {} {} of the {} operators of the sweep",
                                          answered_no_ ? "answered unsupported to" : "does not support",
                                          result_.sweep.skipped, result_.sweep.skipped + result_.sweep.judged);
  }

  // Sets the dialect that judges the backend. Returns why the sweep is not run at all; empty if it is run.
  std::string UnsupportedReason() {
    const oracle::Operator& op = suite_case_.test_case.op;
    const auto dialect = declared_.JudgingDialect(op, sweep_.dialect);
    if (!dialect) return fmt::format("the backend declares no dialect of {}", oracle::OperatorKindName(op.kind));
    dialect_ = *dialect;
    result_.judged.dialect = oracle::DialectName(dialect_);
    if (!ComparesValues()) {
      // A sweep judged by another dialect would repeat the tuples of that dialect's own sweep.
      if (dialect_ != sweep_.dialect)
        return fmt::format("the backend does not declare dialect {}", oracle::DialectName(sweep_.dialect));
      if (!declared_.resolves) return "the backend does not offer the function resolve";
    }
    // Only some tuples need these abilities, so TupleBatch checks them for each tuple.
    Capabilities of_all = declared_;
    of_all.unsupported = 0;
    of_all.max_attribute = 0;
    return of_all.UnsupportedReason(op, dialect_);
  }

  // Asks the worker to run the tuples [from, to).
  WorkerOutcome Ask(std::uint64_t from, std::uint64_t to) {
    BatchMessage message;
    message.dialect = static_cast<std::int32_t>(dialect_);
    message.bytes = trial_.arena.layout().bytes;
    message.from = from;
    message.to = to;
    std::string packet(reinterpret_cast<const char*>(&message), sizeof message);
    packet += ToLine(sweep_);
    const duration<double> limit(trial_.hang_seconds);
    const auto start = steady_clock::now();
    WorkerOutcome outcome = trial_.worker.Ask(packet, std::chrono::duration_cast<std::chrono::nanoseconds>(limit),
                                              [this] { return batch_.HasProgressed(); });
    result_.seconds.backend += SecondsSince(start);
    return outcome;
  }

  // Judges all tuples. Returns false after the first failure, which the result then names.
  bool JudgeBatches() {
    const std::uint64_t step = ComparesValues() ? kValuesBatch : kGeometryBatch;
    for (std::uint64_t from = cases_.begin(); from < cases_.end(); from += step) {
      if (!JudgeBatch(from, std::min(from + step, cases_.end()))) return false;
    }
    return true;
  }

  // Runs and judges the tuples [from, to). Returns false after a failure; so do the functions that it calls.
  bool JudgeBatch(std::uint64_t from, std::uint64_t to) {
    batch_from_ = from;
    if (!batch_.SetUp(cases_, from, to, dialect_, ComparesValues(), declared_)) {
      return Fail(FailureClass::kSuiteError, std::string(kNoMemoryForBuffers));
    }
    const WorkerOutcome outcome = Ask(from, to);
    batch_.ReadRecords();
    using End = WorkerOutcome::End;
    if (outcome.end == End::kNotStarted) return Fail(FailureClass::kSuiteError, outcome.detail);
    if (outcome.end == End::kAnswered && outcome.answer.answer != DECONV_ANSWER_COMPUTED) {
      return Fail(FailureClass::kError, outcome.answer.message);
    }
    const auto no_answer = FailureOfNoAnswer(outcome);
    const FailureClass end_class = no_answer ? no_answer->failure : FailureClass::kNone;
    const std::string end_message = no_answer ? no_answer->message : "";
    const auto tuples = batch_.tuples();
    for (std::uint64_t number = from; number < to; ++number) {
      TupleBatch::Tuple& tuple = tuples[number - from];
      if (tuple.record.answer == BatchRecord::kNotReached) {
        return FailAt(number, end_class, end_message);
      }
      if (!JudgeTuple(number, number - from, tuple)) return false;
    }
    if (outcome.end != End::kAnswered) return FailAt(to - 1, end_class, end_message);
    if (ComparesValues()) {
      if (const auto broken = batch_.BrokenCanary()) {
        return FailAt(from + *broken, FailureClass::kOutOfBounds, "the backend wrote outside an output of the batch");
      }
      if (!batch_.InputsAreUntouched()) {
        return FailAt(to - 1, FailureClass::kModifiedInput,
                      "the backend changed data or filter of the batch, which it may only read");
      }
    }
    return true;
  }

  // Judges tuple `number` of the sweep, which has index i in the batch.
  bool JudgeTuple(std::uint64_t number, std::size_t i, TupleBatch::Tuple& tuple) {
    const BatchRecord& record = tuple.record;
    answered_no_ = answered_no_ || record.answer == DECONV_ANSWER_UNSUPPORTED;
    asked_no_ = asked_no_ || record.answer == static_cast<std::int32_t>(kNotSupported);
    if (record.answer == DECONV_ANSWER_UNSUPPORTED || record.answer == static_cast<std::int32_t>(kNotSupported) ||
        record.answer == BatchRecord::kLeftOut) {
      ++result_.sweep.skipped;
      return true;
    }
    ++result_.sweep.judged;
    RunAnswer answer;
    answer.answer = AnswerOf(record.answer);
    const auto rank = std::min(static_cast<std::size_t>(record.rank), record.dims.size());
    answer.output_dims.assign(record.dims.begin(), record.dims.begin() + static_cast<std::ptrdiff_t>(rank));
    answer.message = "(messages are not kept within a batch)";
    const oracle::Resolution& resolution = tuple.resolution;
    if (const auto failure = FailureOfAnswer(answer, result_.judged.dialect, resolution)) {
      return FailAt(number, failure->failure, failure->message);
    }
    if (!resolution.ok() || IsRefusal(answer)) return true;  // invalid, undefined or open
    ++resolved_;
    const oracle::Geometry& geometry = *resolution.geometry;
    return ComparesValues() ? JudgeValues(number, i, tuple) : JudgePads(number, record, geometry);
  }

  bool JudgePads(std::uint64_t number, const BatchRecord& record, const oracle::Geometry& geometry) {
    for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
      const oracle::Axis& axis = geometry.axes[j];
      if (record.tells_pads != 0 && record.pads_begin.at(j) != axis.pads_begin) {
        return FailAt(
            number, FailureClass::kWrongPads,
            fmt::format("pads_begin: expected {}, got {} on axis {}", axis.pads_begin, record.pads_begin.at(j), j));
      }
      if (!IsSwept(number, axis)) return false;
    }
    return true;
  }

  // A sweep of geometry compares no values. So its resolved axis must be one whose values the sweeps of axes compare.
  // Fails with an error of the suite if those sweeps leave out its pads_begin or output.
  bool IsSwept(std::uint64_t number, const oracle::Axis& axis) {
    if (axis.output == 0) return true;  // open, and without values
    const ResolvedAxis resolved = {.data = axis.data,
                                   .kernel = axis.kernel,
                                   .stride = axis.stride,
                                   .dilation = axis.dilation,
                                   .pads_begin = axis.pads_begin,
                                   .output = axis.output};
    if (IsWithin(resolved, sweep_.bounds)) return true;
    return Fail(FailureClass::kSuiteError,
                fmt::format("tuple {} resolves to pads_begin {} and output {}, which sweeps of axes leave out", number,
                            axis.pads_begin, axis.output));
  }

  bool JudgeValues(std::uint64_t number, std::size_t i, TupleBatch::Tuple& tuple) {
    const Comparison comparison = CompareBriefly(*tuple.expected, batch_.Output(i), declared_);
    result_.outputs.count += comparison.count;
    result_.outputs.worst_ratio = std::max(result_.outputs.worst_ratio, comparison.worst_ratio);
    result_.outputs.excused += comparison.excused;
    result_.outputs.negative_zero_gaps += comparison.negative_zero_gaps;
    if (comparison.ok()) return true;
    return FailAt(number, comparison.failure, comparison.Text());
  }

  /// Sets a failure. Always returns false, so that a caller can return the call.
  bool Fail(FailureClass failure, std::string message) {
    result_.verdict.status = Status::kFail;
    result_.verdict.failure = failure;
    result_.verdict.message = std::move(message);
    return false;
  }

  /// Sets the failure of tuple `number`, which was wrong in its batch. If the tuple also fails alone, the result is its
  /// ordinary verdict. Else the result names the smallest part of the sweep that fails: only the tuple, or the batch up
  /// to it.
  bool FailAt(std::uint64_t number, FailureClass failure, const std::string& message) {
    if (!narrows_) return Fail(failure, message);
    SuiteCase alone = suite_case_;
    alone.test_case = Case{};
    cases_.Get(number, alone.test_case);
    CaseResult found = trial_.judge_alone(alone);
    if (found.verdict.status == Status::kFail) {
      found.verdict.message = fmt::format("tuple {} of {}: {}", number, ToLine(sweep_), found.verdict.message);
      found.sweep.judged = result_.sweep.judged;
      found.sweep.skipped = result_.sweep.skipped;
      found.outputs.excused += result_.outputs.excused;
      found.outputs.negative_zero_gaps += result_.outputs.negative_zero_gaps;
      found.outputs.count += result_.outputs.count;
      found.seconds.backend += result_.seconds.backend;
      result_ = std::move(found);
      return false;
    }
    SuiteCase part = suite_case_;
    part.test_case.sweep->from = number;
    part.test_case.sweep->to = number + 1;
    if (SweepJudge(part, trial_, false).Judge().verdict.status != Status::kFail)
      part.test_case.sweep->from = batch_from_;
    result_.judged.Set(part.test_case);
    return Fail(failure, fmt::format("tuple {}: {}; it passes as a single case", number, message));
  }

  const bool narrows_;
  const SuiteCase& suite_case_;
  const Sweep& sweep_;
  const SweepTrial& trial_;
  TupleBatch batch_;
  const Capabilities& declared_;
  SweepCases cases_;
  oracle::Dialect dialect_ = oracle::Dialect::kOpenvinoSpec;
  CaseResult result_;
  std::uint64_t resolved_ = 0;    ///< valid tuples for which the backend gave an answer other than a refusal
  std::uint64_t batch_from_ = 0;  ///< first number of the current batch
  bool asked_no_ = false;         ///< supports() answered no to a tuple
  bool answered_no_ = false;      ///< run() or resolve() answered unsupported to a tuple
};

}  // namespace

CaseResult JudgeSweep(const SuiteCase& suite_case, const SweepTrial& trial) {
  return SweepJudge(suite_case, trial, true).Judge();
}

}  // namespace conformance
