// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints the causes of a run's failures, and the details of one failure.

#include "conformance/cli/causes.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include <fmt/format.h>

#include "conformance/diagnosis/find_causes.h"
#include "conformance/diagnosis/question_budget.h"
#include "conformance/diagnosis/taps.h"
#include "conformance/report/console.h"
#include "conformance/verdict/picture.h"

namespace conformance {
namespace {

/// Extends a declaration to operators of every kind, type, rank and dialect, because recorded outputs declare none.
Capabilities OfAnyOperator(Capabilities declared) {
  declared.dialects.assign(oracle::kDialects.begin(), oracle::kDialects.end());
  declared.operators = declared.element_types = UINT32_MAX;  // sets of bits: one bit for each kind or type
  declared.min_rank = 1;
  declared.max_rank = DECONV_BACKEND_MAX_RANK;
  return declared;
}

}  // namespace

void PrintCauses(RunRecord& record, const JudgeLimits& limits, std::optional<double> given_seconds) {
  const Tally tally = TallyOf(record);
  const double seconds = given_seconds ? *given_seconds : DefaultSeconds(record.seconds);
  if (seconds <= 0 || tally.failed == tally.suite_errors + tally.expected) return;
  CauseOptions options = {.backend = record.backend, .limits = limits, .seconds = seconds};
  if (record.backend == kRecordedBackend) options.recorded = OfAnyOperator(record.declared);
  record.causes = conformance::FindCauses(record.results, options);
  if (record.causes->causes.empty() && limits.interrupt != nullptr && *limits.interrupt != 0) {
    record.causes.emplace().not_looked_for = "the run was interrupted";
  }
  fmt::print("{}", CausesText(record));
}

std::string DetailsOf(const CaseResult& result, bool colours) {
  if (result.verdict.status != Status::kFail || !result.outputs.first_wrong) return {};
  std::string text;
  const auto dialect = oracle::ParseDialect(result.judged.dialect);
  const Case* test_case = result.judged.test_case.get();
  if (test_case != nullptr && dialect && !test_case->law && !test_case->sweep) {
    const auto taps = TapsText(*test_case, *dialect, result.outputs.first_wrong->coordinate);
    if (const auto* lines = std::get_if<std::string>(&taps)) text += *lines;
  }
  if (result.outputs.wrong_grid) text += PictureText(*result.outputs.wrong_grid, result.judged.output_dims, colours);
  return text;
}

}  // namespace conformance
