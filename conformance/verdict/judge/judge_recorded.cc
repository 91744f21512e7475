// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges outputs that a case line, the one-line text of a test, records. Reads them and compares them with the oracle's
// sums; no backend runs.

#include "conformance/verdict/judge/judge_recorded.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "conformance/case/given_values.h"
#include "conformance/case/text/elapsed.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/judge/case_trial.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/picture.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {
namespace {

/// Says why the case exceeds the limits. Empty if it does not.
std::string TooLarge(const Case& test_case, const oracle::Geometry& geometry, const JudgeLimits& limits) {
  if (EstimateResources(test_case, geometry).bytes > limits.bytes)
    return "the case needs more memory than --memory allows";
  if (const double work = WorkOf(geometry); work > limits.most_work) {
    return fmt::format("the case needs {:.3g} steps of work; raise --work to judge it", work);
  }
  return "";
}

/// Sets a failure. Always returns false, so that a caller can return the call.
bool Fail(FailureClass failure, std::string message, CaseResult& result) {
  result.verdict.status = Status::kFail;
  result.verdict.failure = failure;
  result.verdict.message = std::move(message);
  return false;
}

/// The dialects that give the operator this shape, for a message; empty if none does.
std::string DialectsWithShape(const oracle::Operator& op, const oracle::Dims& dims) {
  std::string names;
  for (const oracle::Dialect dialect : oracle::DialectsOf(op.kind)) {
    const oracle::Resolution resolution = oracle::Resolve(op, dialect);
    if (!resolution.ok() || resolution.geometry->OutputDims() != dims) continue;
    names += fmt::format("{}{}", names.empty() ? "; it is the shape by " : ", ", oracle::DialectName(dialect));
  }
  return names;
}

/// Whether the recorded output has the shape that the dialect gives. If not, sets the failure.
bool HasRightShape(const Case& test_case, const TensorValues& recorded, const oracle::Geometry& geometry,
                   CaseResult& result) {
  const oracle::Dims dims = geometry.OutputDims();
  if (std::holds_alternative<InlineValues>(*test_case.recorded)) {
    if (recorded.dims.front() == geometry.OutputCount()) return true;
    return Fail(FailureClass::kWrongShape,
                fmt::format("{} outputs are recorded, the dialect gives {} with {}", recorded.dims.front(),
                            DimsText(dims), geometry.OutputCount()),
                result);
  }
  if (recorded.dims == dims) return true;
  return Fail(FailureClass::kWrongShape,
              fmt::format("the recorded output has the shape {}, the dialect gives {}{}", DimsText(recorded.dims),
                          DimsText(dims), DialectsWithShape(test_case.op, recorded.dims)),
              result);
}

/// Compares the recorded output with the exact sums of the case's operands.
void JudgeValues(const Case& test_case, const oracle::Geometry& geometry, const Capabilities& declared,
                 const JudgeLimits& limits, CaseResult& result) {
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element_bytes);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element_bytes);
  auto recorded = ReadGivenValues(*test_case.recorded, geometry.type, limits.bytes);
  std::string error = FillOperands(test_case, geometry, data, filter);
  if (const auto* wrong = std::get_if<std::string>(&recorded)) error = *wrong;
  if (!error.empty()) {
    Fail(FailureClass::kSuiteError, error, result);
    return;
  }
  const auto& output = std::get<TensorValues>(recorded);
  if (!HasRightShape(test_case, output, geometry, result)) return;
  WrongGridMaker grid(geometry);
  Expected expected(oracle::Operands(geometry, data, filter));
  const Comparison comparison =
      Compare(expected, output.bytes, declared, limits.interrupt, [&grid](std::int64_t flat) { grid.Observe(flat); });
  result.outputs.wrong_grid = grid.Build();
  if (NoteComparison(comparison, result)) return;
  result.judged.clauses.emplace_back(ValueClauseOf(comparison.failure, geometry.type));
  Fail(comparison.failure, TextOfWrong(comparison, expected, output.bytes, declared, result.verdict.facts), result);
}

}  // namespace

std::string UnreadableRecorded(const SuiteCase& suite_case, const JudgeLimits& limits) {
  const Case& test_case = suite_case.test_case;
  if (!test_case.recorded || test_case.sweep || test_case.law) return "";
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, test_case.EffectiveDialect());
  if (!resolution.ok() || !TooLarge(test_case, *resolution.geometry, limits).empty()) return "";
  const oracle::Geometry& geometry = *resolution.geometry;
  const std::size_t element_bytes = oracle::ElementBytes(geometry.type);
  std::vector<std::byte> data(static_cast<std::size_t>(geometry.DataCount()) * element_bytes);
  std::vector<std::byte> filter(static_cast<std::size_t>(geometry.FilterCount()) * element_bytes);
  std::string error = FillOperands(test_case, geometry, data, filter);
  if (!error.empty()) return error;
  const auto recorded = ReadGivenValues(*test_case.recorded, geometry.type, limits.bytes);
  const auto* wrong = std::get_if<std::string>(&recorded);
  return wrong == nullptr ? "" : *wrong;
}

CaseResult JudgeRecorded(const SuiteCase& suite_case, const Capabilities& declared, const JudgeLimits& limits) {
  const auto start = std::chrono::steady_clock::now();
  const Case& test_case = suite_case.test_case;
  CaseResult result = ResultOf(suite_case);
  if (!test_case.recorded) {
    result.verdict.status = Status::kUndeclared;
    result.verdict.message = "the case line records no outputs";
    return result;
  }
  const oracle::Dialect dialect = test_case.EffectiveDialect();
  result.judged.dialect = oracle::DialectName(dialect);
  const oracle::Resolution resolution = oracle::Resolve(test_case.op, dialect);
  for (const oracle::Step& step : resolution.steps) {
    if (std::ranges::find(result.judged.clauses, step.clause) == result.judged.clauses.end())
      result.judged.clauses.emplace_back(step.clause);
  }
  if (!resolution.ok()) {
    const oracle::Refusal& refusal = *resolution.refusal;
    result.judged.clauses.assign(1, std::string(refusal.clause));
    result.verdict.status = Status::kUndefined;
    result.verdict.message = refusal.message;
    if (!refusal.undefined) {
      Fail(FailureClass::kAcceptedInvalid,
           fmt::format("outputs are recorded, but {} refuses the operator ({}): {}", result.judged.dialect,
                       refusal.clause, refusal.message),
           result);
    }
    return result;
  }
  const oracle::Geometry& geometry = *resolution.geometry;
  result.judged.output_dims = geometry.OutputDims();
  if (std::string reason = TooLarge(test_case, geometry, limits); !reason.empty()) {
    result.verdict.status = Status::kTooLarge;
    result.verdict.message = std::move(reason);
    return result;
  }
  JudgeValues(test_case, geometry, declared, limits, result);
  result.seconds.total = result.seconds.oracle = SecondsSince(start);
  return result;
}

}  // namespace conformance
