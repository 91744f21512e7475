// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds which cases a backend supports without running them. Compares each case with the backend's declaration; if the
// declaration does not exclude the case, calls the backend's supports().

#include "conformance/report/support/ask_support.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/no_answer.h"
#include "conformance/verdict/result_of_case.h"
#include "oracle/resolve.h"

namespace conformance {
namespace {

// After so many hangs no more cases are asked, because each hang takes the whole time limit.
constexpr int kMostHangs = 3;

/// Sets status and message of `result` from the answer of supports(). A crash, a hang or a broken answer is a failure.
void NoteAnswer(const WorkerOutcome& outcome, CaseResult& result) {
  auto failure = FailureOfNoAnswer(outcome);
  if (!failure && outcome.answer.answer == kContractBroken) {
    failure = AnswerFailure{FailureClass::kProtocol, outcome.answer.message};
  }
  if (failure) {
    result.verdict.status = Status::kFail;
    result.verdict.failure = failure->failure;
    result.verdict.message = std::move(failure->message);
  } else if (outcome.answer.answer == kNotSupported) {
    result.verdict.status = Status::kUnsupported;
    result.verdict.message = outcome.answer.message;
  }
}

}  // namespace

std::vector<CaseResult> AskSupport(Worker& worker, std::span<const SuiteCase> case_list, std::chrono::nanoseconds limit,
                                   const std::function<bool()>& interrupted) {
  const Capabilities& declared = worker.capabilities();
  std::vector<CaseResult> results;
  std::map<std::pair<std::string, oracle::Dialect>, WorkerOutcome> known;  // answers: many cases share an operator
  int hangs = 0;
  for (std::size_t case_index = 0; case_index < case_list.size() && !interrupted(); ++case_index) {
    const Case& test_case = case_list[case_index].test_case;
    const auto dialect = declared.JudgingDialect(test_case.op, test_case.EffectiveDialect());
    if (test_case.sweep || !dialect) continue;
    const oracle::Resolution resolution = oracle::Resolve(test_case.op, *dialect, oracle::StepTexts::kLeftOut);
    if (!resolution.ok()) continue;
    CaseResult result = ResultOf(case_list[case_index]);
    result.origin.case_index = case_index;
    result.judged.dialect = oracle::DialectName(*dialect);
    result.judged.output_dims = resolution.geometry->OutputDims();
    result.verdict.status = Status::kPass;  // unless the declaration or the answer says otherwise
    result.verdict.message = declared.UnsupportedReason(test_case.op, *dialect);
    if (!result.verdict.message.empty()) {
      result.verdict.status = Status::kUndeclared;
    } else if (declared.answers_supports) {
      Case without_values;
      without_values.op = test_case.op;
      const std::string line = ToLine(without_values);
      const auto [at, is_new] = known.try_emplace({line, *dialect});
      if (is_new) at->second = worker.Supports(line, *dialect, limit);
      NoteAnswer(at->second, result);
      hangs += is_new && result.verdict.failure == FailureClass::kHang ? 1 : 0;
    }
    results.push_back(std::move(result));
    if (hangs == kMostHangs) {
      results.back().verdict.message += fmt::format("; the backend is not asked again after {} hangs", hangs);
      break;
    }
  }
  return results;
}

}  // namespace conformance
