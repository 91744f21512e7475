// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges a case when GoogleTest runs its test, and turns the verdict into a pass, a skip or a failure. A hang is judged
// again with a longer time limit. A failure after other cases is judged again in a new process, to see whether it
// repeats.

#include "conformance/cli/gtest/gtest_case.h"

#include <chrono>
#include <cstdio>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/run/case_batch.h"
#include "conformance/run/second_look.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {

CaseJudge::CaseJudge(std::string backend, JudgeLimits limits, std::vector<SuiteCase> case_list,
                     std::vector<Expectation> expectations)
    : backend_(std::move(backend)),
      limits_(std::move(limits)),
      case_list_(std::move(case_list)),
      expectations_(std::move(expectations)),
      console_(stdout),
      judge_(backend_, limits_) {
  console_.Begin(backend_, case_list_.size());
}

std::size_t CaseJudge::BatchOf(std::size_t case_index) {
  if (case_batches_.empty()) {
    std::vector<ResourceEstimate> estimates;
    estimates.reserve(case_list_.size());
    for (const SuiteCase& suite_case : case_list_) estimates.push_back(EstimateResources(suite_case.test_case));
    for (const CaseBatch& case_batch : CaseBatchesOf(case_list_, estimates))
      case_batches_.insert(case_batches_.end(), case_batch.end - case_batch.begin, case_batch.begin);
  }
  return case_batches_[case_index];
}

CaseResult CaseJudge::Judge(std::size_t case_index) {
  constexpr std::size_t kMostLooks = 3;  // failures of a case batch that are repeated: as many as `run` looks into
  if (last_ && BatchOf(*last_) != BatchOf(case_index)) {
    judge_.RequireNewProcess();
    since_start_ = looks_ = 0;
  }
  last_ = case_index;
  const SuiteCase& suite_case = case_list_[case_index];
  if (hang_limit_.ShouldSkip(suite_case)) {
    CaseResult result = ResultOf(suite_case);
    result.verdict.status = Status::kSkippedAfterHangs;
    result.verdict.message = hang_limit_.ReasonFor(suite_case);
    result.origin.case_index = case_index;
    return result;
  }
  CaseResult result = judge_.JudgeCase(suite_case);
  if (NeedsSecondLook(result, hang_limit_)) {
    const JudgeLimits limits = LimitsOfSecondLook(limits_);
    conformance::Judge patient(backend_, limits);
    if (!patient.Start()) result = VerdictOfSecondLook(result, patient.JudgeCase(suite_case));
    if (result.verdict.failure != FailureClass::kHang) judge_.SetPatience(limits.patience);  // the backend is slow
  }
  result.origin.case_index = case_index;
  const bool behind_others = since_start_++ != 0 && !case_list_[case_index].test_case.sweep;
  if (result.verdict.status == Status::kFail && result.verdict.failure != FailureClass::kHang && behind_others &&
      looks_ < kMostLooks) {
    ++looks_;
    if (second_ == nullptr) second_ = std::make_unique<conformance::Judge>(backend_, limits_);
    second_->RequireNewProcess();
    if (!second_->Start() && second_->JudgeCase(case_list_[case_index]).verdict.status != Status::kFail) {
      result.verdict.message += fmt::format("; alone it passes, here {} other cases ran before it", since_start_ - 1);
    }
  }
  MarkExpected(expectations_, result);
  if (result.verdict.failure == FailureClass::kHang && result.verdict.IsNewFailure()) hang_limit_.CountHang(suite_case);
  judged_ += result.verdict.status == Status::kFail || result.IsComputed() ? 1 : 0;
  return result;
}

std::vector<std::string> CaseJudge::Complaints(const CaseResult& result) const {
  RunRecord run;
  run.results = {result};
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return Reconcile(expectations_, today, std::span(&run, 1)).complaints;
}

void CaseTest::TestBody() {
  const CaseResult result = judge_.Judge(case_index_);
  RecordProperty("id", result.id());
  RecordProperty("case", result.judged.line);
  RecordProperty("verdict", std::string(StatusName(result.verdict.status)));
  RecordProperty("clauses", fmt::format("{}", fmt::join(result.judged.clauses, " ")));
  for (const std::string& complaint : judge_.Complaints(result)) ADD_FAILURE() << "expectations: " << complaint;
  if (result.verdict.IsNewFailure()) {
    ADD_FAILURE() << judge_.FailureText(result);
  } else if (result.verdict.status == Status::kFail) {
    GTEST_SKIP() << "known failure: " << result.verdict.known_failure << "\n" << judge_.FailureText(result);
  } else if (!IsRight(result.verdict.status)) {
    GTEST_SKIP() << "not run (" << StatusName(result.verdict.status) << "): " << result.verdict.message;
  } else if (result.verdict.status != Status::kPass) {
    fmt::print("{}: {}\n", StatusName(result.verdict.status), result.verdict.message);
  }
}

}  // namespace conformance
