// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes test names from case names: replaces the characters that GoogleTest's filters treat specially, and adds numbers
// to equal names. Judges a case when GoogleTest runs its test, and turns the verdict into a pass, a skip or a failure.
// A hang is judged again with a longer time limit. A failure after other cases is judged again in a new process, to see
// whether it repeats.

#include "conformance/cli/gtest/gtest_case.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "conformance/run/case_batch.h"
#include "conformance/run/hang_limit.h"
#include "conformance/verdict/judge/resource_estimate.h"
#include "conformance/verdict/result_of_case.h"

namespace conformance {

std::string TestWord(std::string_view name) {
  std::string word(name);
  std::ranges::replace_if(word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return word;
}

std::vector<std::string> TestNames(const std::vector<SuiteCase>& case_list) {
  std::vector<std::string> names;
  std::set<std::pair<std::string_view, std::string>> taken;
  for (const SuiteCase& suite_case : case_list) {
    const std::string word = TestWord(suite_case.name);
    std::string name = word;
    for (int number = 2; !taken.emplace(suite_case.suite, name).second; ++number)
      name = word + "_" + std::to_string(number);
    names.push_back(std::move(name));
  }
  return names;
}

bool MayMatch(std::string_view filter, std::string_view suite) {
  const std::string begin = TestWord(suite) + ".";
  std::string_view wanted = filter.substr(0, filter.find('-'));
  if (wanted.empty()) return true;  // all but those behind the '-'
  while (true) {
    const std::size_t end = wanted.find(':');
    const std::string_view pattern = wanted.substr(0, end);
    const std::string_view literal = pattern.substr(0, pattern.find_first_of("*?"));
    if (literal.starts_with(begin) || std::string_view(begin).starts_with(literal)) return true;
    if (end == std::string_view::npos) return false;
    wanted.remove_prefix(end + 1);
  }
}

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

void CaseJudge::BeginBatchOf(std::size_t case_index) {
  if (last_case_index_ && BatchOf(*last_case_index_) != BatchOf(case_index)) {
    judge_.RequireNewProcess();
    cases_of_process_ = repeated_failures_ = 0;
  }
  last_case_index_ = case_index;
}

CaseResult CaseJudge::LookAgain(const SuiteCase& suite_case, CaseResult result) {
  const JudgeLimits limits = LimitsOfSecondLook(limits_);
  conformance::Judge patient(backend_, limits);
  if (!patient.Start()) result = VerdictOfSecondLook(result, patient.JudgeCase(suite_case));
  if (result.verdict.failure != FailureClass::kHang) judge_.SetPatience(limits.patience);  // the backend is slow
  return result;
}

void CaseJudge::RepeatAlone(const SuiteCase& suite_case, CaseResult& result) {
  ++repeated_failures_;
  if (second_judge_ == nullptr) second_judge_ = std::make_unique<conformance::Judge>(backend_, limits_);
  second_judge_->RequireNewProcess();
  if (!second_judge_->Start() && second_judge_->JudgeCase(suite_case).verdict.status != Status::kFail) {
    result.verdict.message +=
        fmt::format("; alone it passes, here {} other cases ran before it", cases_of_process_ - 1);
  }
}

CaseResult CaseJudge::Judge(std::size_t case_index) {
  // Failures of one case batch that are repeated: as many as `run` looks into.
  constexpr std::size_t kMostRepeatedFailures = 3;
  BeginBatchOf(case_index);
  const SuiteCase& suite_case = case_list_[case_index];
  if (hang_limit_.ShouldSkip(suite_case)) {
    CaseResult result = ResultOf(suite_case);
    result.verdict.status = Status::kSkippedAfterHangs;
    result.verdict.message = hang_limit_.ReasonFor(suite_case);
    result.origin.case_index = case_index;
    return result;
  }
  CaseResult result = judge_.JudgeCase(suite_case);
  if (NeedsSecondLook(result, hang_limit_)) result = LookAgain(suite_case, std::move(result));
  result.origin.case_index = case_index;
  const bool behind_others = cases_of_process_++ != 0 && !suite_case.test_case.sweep;
  if (result.verdict.status == Status::kFail && result.verdict.failure != FailureClass::kHang && behind_others &&
      repeated_failures_ < kMostRepeatedFailures) {
    RepeatAlone(suite_case, result);
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
