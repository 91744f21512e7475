// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements JudgeInProcess: fills the buffers, runs the backend once, and compares its answer with the oracle's. The
// lowest bits of the case's seed choose two things: the alignment of the buffers, and the poison, a byte that fills the
// output before the run. The seed stands in the case line, so a run with the same line repeats both.

#include "fuzz/cases/judge_in_process.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "conformance/case/data_set.h"
#include "conformance/interface/caller_state.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/compare.h"
#include "fuzz/cases/case_input.h"
#include "oracle/evaluate.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::FailureClass;
using conformance::RunAnswer;

// The bits of the seed that choose the poison, and whether buffers begin one element behind an aligned address.
constexpr std::uint64_t kPoisonBit = 1;
constexpr std::uint64_t kAlignmentBit = 2;

// A buffer of `bytes` bytes at the end of an allocation, behind `lead_bytes` bytes that shift its alignment.
class Buffer {
 public:
  Buffer(std::size_t bytes, std::size_t lead_bytes)
      : memory_(new std::byte[lead_bytes + bytes]), span_(memory_.get() + lead_bytes, bytes) {}

  std::span<std::byte> Span() const { return span_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::span<std::byte> span_;
};

/// Runs the case. Notes in the answer whether the backend changed the state of this thread, such as the rounding mode,
/// and restores it: otherwise the change would be in force, and unseen, for all later runs.
RunAnswer Run(conformance::Backend& backend, const Case& test_case, oracle::Dialect dialect,
              const conformance::RunBuffers& buffers) {
  const conformance::CallerState caller_state;
  RunAnswer answer = backend.Run(test_case.op, dialect, buffers);
  NoteChangedState(caller_state, answer);
  return answer;
}

/// Copies the run into `failed_run` if there is a finding, and returns the finding.
std::optional<Finding> KeepFailedRun(std::optional<Finding> finding, ObservedRun* failed_run, std::byte poison,
                                     const RunAnswer& answer, std::span<const std::byte> output) {
  if (finding && failed_run != nullptr) *failed_run = {poison, answer, {output.begin(), output.end()}, {}};
  return finding;
}

/// Judges a valid operator: one that the backend must compute, or an open one, which it may also refuse.
std::optional<Finding> JudgeValid(conformance::Backend& backend, const Case& test_case, oracle::Dialect dialect,
                                  const oracle::Resolution& resolution, ObservedRun* failed_run) {
  const oracle::Geometry& geometry = *resolution.geometry;
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  const std::size_t lead_bytes = (test_case.seed & kAlignmentBit) != 0 ? element_bytes : 0;
  const Buffer data(static_cast<std::size_t>(geometry.DataCount()) * element_bytes, lead_bytes);
  const Buffer filter(static_cast<std::size_t>(geometry.FilterCount()) * element_bytes, lead_bytes);
  const Buffer output(static_cast<std::size_t>(geometry.OutputCount()) * element_bytes, lead_bytes);
  FillData(test_case, geometry, data.Span());
  FillTensor(test_case.values, test_case.seed, geometry, conformance::Tensor::kFilter, filter.Span());
  const std::byte poison = (test_case.seed & kPoisonBit) != 0 ? conformance::kSecondPoison : conformance::kFirstPoison;
  std::ranges::fill(output.Span(), poison);
  const std::vector<std::byte> data_before(data.Span().begin(), data.Span().end());
  const std::vector<std::byte> filter_before(filter.Span().begin(), filter.Span().end());

  const RunAnswer answer = Run(backend, test_case, dialect, {data.Span(), filter.Span(), output.Span()});
  if (answer.answer == conformance::kNotSupported) return std::nullopt;
  const auto keep = [&](std::optional<Finding> finding) {
    return KeepFailedRun(std::move(finding), failed_run, poison, answer, output.Span());
  };
  if (auto finding = FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(dialect), resolution))) {
    return keep(std::move(finding));
  }
  if (!std::ranges::equal(data.Span(), data_before)) {
    return keep(MakeFinding(FailureClass::kModifiedInput, "data were changed"));
  }
  if (!std::ranges::equal(filter.Span(), filter_before)) {
    return keep(MakeFinding(FailureClass::kModifiedInput, "the filter was changed"));
  }
  if (IsRefusal(answer)) return std::nullopt;
  conformance::Expected expected(oracle::Operands(geometry, data.Span(), filter.Span()));
  const conformance::Comparison comparison = Compare(expected, output.Span(), backend.capabilities());
  if (comparison.ok()) return std::nullopt;
  auto finding = keep(MakeFinding(comparison.failure, comparison.Text()));
  if (failed_run != nullptr) failed_run->outputs = comparison;
  return finding;
}

}  // namespace

std::optional<Finding> JudgeInProcess(conformance::Backend& backend, const Case& test_case, ObservedRun* failed_run) {
  const conformance::Capabilities& declared = backend.capabilities();
  const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
  if (!dialect) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
  if (resolution.refusal.has_value()) {
    if (resolution.refusal->undefined) return std::nullopt;  // every answer is accepted
    const RunAnswer answer = Run(backend, test_case, *dialect, {});
    if (answer.answer == conformance::kNotSupported) return std::nullopt;
    return KeepFailedRun(FindingOfFailure(FailureOfAnswer(answer, oracle::DialectName(*dialect), *resolution.refusal)),
                         failed_run, conformance::kFirstPoison, answer, {});
  }
  if (!resolution.geometry.has_value())
    return MakeFinding(FailureClass::kError, "the oracle neither resolves nor refuses");
  if (!declared.UnsupportedReason(test_case.op, *dialect).empty() || IsTooLarge(*resolution.geometry))
    return std::nullopt;
  return JudgeValid(backend, test_case, *dialect, resolution, failed_run);
}

}  // namespace fuzz
