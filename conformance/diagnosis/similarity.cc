// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares the backend's answer to a case with that of a hypothesis (a backend with a known defect): kind of answer,
// dims, positions of wrong outputs, and values. Values are equal bit for bit, or equal except for rounding.

#include "conformance/diagnosis/similarity.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/bound.h"
#include "conformance/verdict/excusing_word.h"
#include "oracle/float_bits.h"

namespace conformance {
namespace {

using End = WorkerOutcome::End;

bool Wrote(const PreparedCase& prepared, const Call& call) {
  return prepared.valid() && call.end == End::kAnswered && call.answer.answer == DECONV_ANSWER_COMPUTED &&
         call.answer.output_dims == prepared.geometry().OutputDims();
}

bool GaveSizes(const Call& call) {
  return call.answer.answer == DECONV_ANSWER_COMPUTED || call.answer.answer == DECONV_ANSWER_OTHER_SHAPE;
}

/// Whether two calls gave the same kind of answer. If the operator is valid, their output dims must be equal too.
bool SameAnswers(const PreparedCase& prepared, const Call& one, const Call& other) {
  if (one.end != other.end) return false;
  if (one.end != End::kAnswered) return one.death == other.death || one.end == End::kTimedOut;
  if (!prepared.valid()) return (GaveSizes(one) && GaveSizes(other)) || one.answer.answer == other.answer.answer;
  if (GaveSizes(one) && GaveSizes(other)) {
    if (one.answer.output_dims != other.answer.output_dims) return false;
    // Both gave the same dims. If these are the right dims, both or neither must have filled the output buffer.
    return Wrote(prepared, one) == Wrote(prepared, other) || one.answer.output_dims != prepared.geometry().OutputDims();
  }
  // The message of a broken contract says what was broken, such as the part of the caller's state that was changed.
  if (one.answer.answer == kContractBroken && other.answer.answer == kContractBroken) {
    return one.answer.message == other.answer.message;
  }
  // A wrong refusal and a wrong answer "unsupported" are the same defect.
  return one.answer.answer == other.answer.answer || (IsRefusal(one.answer) && IsRefusal(other.answer));
}

bool SameElement(std::uint64_t one, std::uint64_t other, oracle::ElementType type) {
  if (one == other) return true;
  return oracle::IsFloat(type) && std::isnan(oracle::FloatValue(one, type)) &&
         std::isnan(oracle::FloatValue(other, type));
}

bool SameOutputs(const PreparedCase& prepared, const Call& one, const Call& other) {
  if (one.output == other.output) return true;
  const oracle::ElementType type = prepared.geometry().type;
  const std::size_t element = oracle::ElementBytes(type);
  if (!oracle::IsFloat(type) || one.output.size() != other.output.size()) return false;
  for (std::int64_t i = 0; i < prepared.geometry().OutputCount(); ++i) {
    if (!SameElement(ElementBits(one.output, i, element), ElementBits(other.output, i, element), type)) return false;
  }
  return true;
}

std::vector<bool> WrongOf(const PreparedCase& prepared, const Call& call, const Capabilities& declared,
                          double* largest_bound = nullptr) {
  std::vector<bool> wrong(static_cast<std::size_t>(prepared.geometry().OutputCount()));
  const Comparison comparison = Compare(*prepared.expected, call.output, declared, nullptr,
                                        [&](std::int64_t flat) { wrong[static_cast<std::size_t>(flat)] = true; });
  if (largest_bound != nullptr) *largest_bound = comparison.largest_bound;
  return wrong;
}

/// Whether the outputs differ by at most twice the error bound: each of the two sums may differ from the exact sum by
/// the bound.
bool CloseOutputs(const Trial& trial, const Call& one, const Call& other) {
  const oracle::ElementType type = trial.prepared->geometry().type;
  const std::size_t element = oracle::ElementBytes(type);
  for (std::int64_t i = 0; i < trial.prepared->geometry().OutputCount(); ++i) {
    const std::uint64_t a = ElementBits(one.output, i, element);
    const std::uint64_t b = ElementBits(other.output, i, element);
    if (SameElement(a, b, type)) continue;
    // The negated comparison also rejects NaN.
    if (!(std::abs(oracle::FloatValue(a, type) - oracle::FloatValue(b, type)) <= 2 * trial.largest_bound)) return false;
  }
  return true;
}

}  // namespace

Trial TrialOf(std::size_t result, std::unique_ptr<PreparedCase> prepared, Behaviour behaviour,
              const Capabilities& declared) {
  Trial trial;
  trial.result = result;
  trial.prepared = std::move(prepared);
  trial.behaviour = std::move(behaviour);
  trial.failed = trial.behaviour.verdict.verdict.status == Status::kFail;
  if (!trial.failed || trial.repeats()) return trial;
  for (const Call& call : trial.behaviour.calls) {
    if (!Wrote(*trial.prepared, call)) break;
    trial.wrong = WrongOf(*trial.prepared, call, declared, &trial.largest_bound);
    if (std::ranges::find(trial.wrong, true) != trial.wrong.end()) break;
  }
  return trial;
}

Similarity SimilarityOf(const Trial& trial, const Call& call, const Call& hypothesis, const Capabilities& declared) {
  const PreparedCase& prepared = *trial.prepared;
  if (!SameAnswers(prepared, call, hypothesis)) return Similarity::kNone;
  if (!Wrote(prepared, call) || SameOutputs(prepared, call, hypothesis)) return Similarity::kSame;
  if (!oracle::IsFloat(prepared.geometry().type) || !CloseOutputs(trial, call, hypothesis)) return Similarity::kNone;
  return WrongOf(prepared, call, declared) == WrongOf(prepared, hypothesis, declared) ? Similarity::kClose
                                                                                      : Similarity::kNone;
}

std::optional<ExcusingWord> ExcusingWordOf(const Trial& trial, const Capabilities& declared) {
  // If all outputs are right, every declaration fits. Example: only their bits differ from run to run.
  if (std::ranges::find(trial.wrong, true) == trial.wrong.end()) return std::nullopt;
  for (const Call& call : trial.behaviour.calls) {
    if (!Wrote(*trial.prepared, call)) return std::nullopt;
    if (WrongOf(*trial.prepared, call, declared) != trial.wrong) continue;
    return FindExcusingWord(*trial.prepared->expected, call.output, declared);
  }
  return std::nullopt;
}

bool IsRight(const PreparedCase& prepared, const Call& call, const Capabilities& declared) {
  if (call.end != End::kAnswered) return false;
  if (!prepared.valid()) return !FailureOfAnswer(call.answer, "", *prepared.resolution.refusal);
  if (FailureOfAnswer(call.answer, prepared.geometry().OutputDims())) return false;
  return Compare(*prepared.expected, call.output, declared).ok();
}

}  // namespace conformance
