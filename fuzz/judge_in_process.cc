// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See judge_in_process.h. The seed's lowest bits choose poison and alignment, so that a case line replays both.

#include "fuzz/judge_in_process.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "conformance/answer_failure.h"
#include "conformance/arena.h"
#include "conformance/compare.h"
#include "conformance/data_set.h"
#include "oracle/evaluate.h"
#include "oracle/resolve.h"

namespace fuzz {
namespace {

using conformance::Case;
using conformance::FailureClass;
using conformance::RunAnswer;

constexpr std::uint64_t kPoisonBit = 1;
constexpr std::uint64_t kAlignmentBit = 2;

// `bytes` bytes that end where their allocation ends; they start `lead` bytes into it.
class Buffer {
 public:
  Buffer(std::size_t bytes, std::size_t lead)
      : memory_(new std::byte[lead + bytes]), span_(memory_.get() + lead, bytes) {}

  std::span<std::byte> Span() const { return span_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::span<std::byte> span_;
};

Finding Make(FailureClass failure, std::string_view text) {
  return {failure, std::string(conformance::FailureClassNameOf(failure)) + ": " + std::string(text)};
}

std::optional<Finding> FindingOf(const std::optional<conformance::AnswerFailure>& failure) {
  if (!failure) return std::nullopt;
  return Make(failure->failure, failure->message);
}

std::optional<Finding> JudgeValid(conformance::Backend& backend, const Case& test_case, oracle::Dialect dialect,
                                  const oracle::Geometry& geometry) {
  const std::size_t element = oracle::ElementBytes(geometry.type);
  const std::size_t lead = (test_case.seed & kAlignmentBit) != 0 ? element : 0;
  const Buffer data(static_cast<std::size_t>(geometry.DataCount()) * element, lead);
  const Buffer filter(static_cast<std::size_t>(geometry.FilterCount()) * element, lead);
  const Buffer output(static_cast<std::size_t>(geometry.OutputCount()) * element, lead);
  FillData(test_case, geometry, data.Span());
  FillTensor(test_case.values, test_case.seed, geometry, conformance::Tensor::kFilter, filter.Span());
  std::ranges::fill(output.Span(),
                    (test_case.seed & kPoisonBit) != 0 ? conformance::kSecondPoison : conformance::kFirstPoison);
  const std::vector<std::byte> data_before(data.Span().begin(), data.Span().end());
  const std::vector<std::byte> filter_before(filter.Span().begin(), filter.Span().end());

  const RunAnswer answer = backend.Run(test_case.op, dialect, {data.Span(), filter.Span(), output.Span()});
  if (auto finding = FindingOf(FailureOfAnswer(answer, geometry.OutputDims()))) return finding;
  if (!std::ranges::equal(data.Span(), data_before)) return Make(FailureClass::kModifiedInput, "data were changed");
  if (!std::ranges::equal(filter.Span(), filter_before)) {
    return Make(FailureClass::kModifiedInput, "the filter was changed");
  }
  conformance::Expected expected(oracle::Operands(geometry, data.Span(), filter.Span()));
  const conformance::Comparison comparison = Compare(expected, output.Span(), backend.capabilities());
  if (comparison.ok()) return std::nullopt;
  return Make(comparison.failure, comparison.Text());
}

}  // namespace

std::optional<Finding> JudgeInProcess(conformance::Backend& backend, const Case& test_case) {
  const conformance::Capabilities& declared = backend.capabilities();
  const auto dialect = declared.JudgedBy(test_case.op, test_case.EffectiveDialect());
  if (!dialect) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
  if (resolution.refusal.has_value()) {
    if (resolution.refusal->undefined) return std::nullopt;  // any answer is as good
    return FindingOf(
        FailureOfAnswer(backend.Run(test_case.op, *dialect, {}), oracle::DialectName(*dialect), *resolution.refusal));
  }
  if (!resolution.geometry.has_value()) return Make(FailureClass::kError, "the oracle neither resolves nor refuses");
  if (!declared.Lacks(test_case.op).empty()) return std::nullopt;
  return JudgeValid(backend, test_case, *dialect, *resolution.geometry);
}

std::optional<Finding> ResolveInProcess(conformance::Backend& backend, const Case& test_case) {
  const conformance::Capabilities& declared = backend.capabilities();
  const auto dialect = declared.JudgedBy(test_case.op, test_case.EffectiveDialect());
  if (!dialect || !declared.resolves) return std::nullopt;
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
  if (resolution.refusal.has_value() && resolution.refusal->undefined) return std::nullopt;  // any answer is as good
  const conformance::ResolveAnswer got = backend.Resolve(test_case.op, *dialect);
  const RunAnswer answer = {
      .answer = got.answer, .output_dims = got.output_dims, .message = got.message, .implementation = {}};
  if (resolution.refusal.has_value()) {
    return FindingOf(FailureOfAnswer(answer, oracle::DialectName(*dialect), *resolution.refusal));
  }
  if (!declared.Lacks(test_case.op).empty()) return std::nullopt;
  if (auto finding = FindingOf(FailureOfAnswer(answer, resolution.geometry->OutputDims()))) return finding;
  if (!got.pads_begin) return std::nullopt;
  const auto& axes = resolution.geometry->axes;
  for (std::size_t j = 0; j < axes.size(); ++j) {
    const std::optional<std::int64_t> told =
        j < got.pads_begin->size() ? std::optional((*got.pads_begin)[j]) : std::nullopt;
    if (told == axes[j].pad_begin) continue;
    return Make(FailureClass::kWrongPads, "axis " + std::to_string(j) + ": pads_begin is " +
                                              (told ? std::to_string(*told) : "missing") + ", expected " +
                                              std::to_string(axes[j].pad_begin));
  }
  return std::nullopt;
}

std::string FindingText(const Finding& finding, const Case& test_case, const std::string& backend_name) {
  const std::string line = ToLine(test_case);
  return finding.text + "\ncase: " + line + "\nreplay: deconv-cts replay --backend " + backend_name + " " + line + "\n";
}

}  // namespace fuzz
