// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one case of the conformance suite as a test of GoogleTest, and names the test. All tests share one judge, which
// compares the outputs of the backend (the library under test) with exact ones, and its process of the backend.

#ifndef DECONV_CONFORMANCE_CLI_GTEST_GTEST_CASE_H_
#define DECONV_CONFORMANCE_CLI_GTEST_GTEST_CASE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/report/console.h"
#include "conformance/run/expectations.h"
#include "conformance/run/hang_limit.h"
#include "conformance/run/runner.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/judge/judge.h"

namespace conformance {

// Names that the filters of GoogleTest and other tools accept. In a filter, '-' begins the list of excluded tests.

/// Replaces every character that is no letter or digit by '_': "spec-examples" becomes "spec_examples".
std::string TestWord(std::string_view name);

/// The name of a test for each case: TestWord() of the case's name. If an earlier case of the suite has the same name,
/// a number is added.
std::vector<std::string> TestNames(const std::vector<SuiteCase>& case_list);

/// Whether --gtest_filter may select a test of the suite. If not, the cases of the suite need not be generated.
bool MayMatch(std::string_view filter, std::string_view suite);

/// Judges the cases of the case list one at a time, in any order. A case batch is a group of consecutive cases
/// (conformance/run/case_batch.h). Its cases run in one process of the backend, so that a whole run in the order of the
/// case list gives the verdicts of `deconv-cts run`.
class CaseJudge {
 public:
  CaseJudge(std::string backend, JudgeLimits limits, std::vector<SuiteCase> case_list,
            std::vector<Expectation> expectations);

  /// Starts the backend; empty on success.
  std::optional<BackendError> Start() { return judge_.Start(); }
  /// Judges one case. A known failure is marked. The message says if the failure does not repeat in a new process.
  CaseResult Judge(std::size_t case_index);
  /// Complaints about expectations for this case: it passes although a failure is expected, or they have expired.
  std::vector<std::string> Complaints(const CaseResult& result) const;
  std::string FailureText(const CaseResult& result) const { return console_.FailureText(result); }

  const std::vector<SuiteCase>& case_list() const { return case_list_; }
  /// The number of cases so far that failed or that the backend computed.
  std::size_t judged() const { return judged_; }

 private:
  /// The index of the first case of the case's batch.
  std::size_t BatchOf(std::size_t case_index);
  /// Starts a new process of the backend if the case is of another batch than the last one.
  void BeginBatchOf(std::size_t case_index);
  /// Judges a hang, or another result that needs a second look, again with a longer time limit.
  CaseResult LookAgain(const SuiteCase& suite_case, CaseResult result);
  /// Judges the failed case again in a new process. If it passes there, the message says so.
  void RepeatAlone(const SuiteCase& suite_case, CaseResult& result);

  std::string backend_;
  JudgeLimits limits_;
  std::vector<SuiteCase> case_list_;
  std::vector<Expectation> expectations_;
  ConsoleReport console_;
  conformance::Judge judge_;
  /// Repeats failures, so that judge_'s process runs only the tests.
  std::unique_ptr<conformance::Judge> second_judge_;
  std::vector<std::size_t> case_batches_;  ///< BatchOf() of every case; made when a second case comes
  std::optional<std::size_t> last_case_index_;
  std::size_t cases_of_process_ = 0;   ///< cases that judge_'s process has run
  std::size_t repeated_failures_ = 0;  ///< failures of this case batch that were repeated in a new process
  std::size_t judged_ = 0;
  HangLimit hang_limit_{RunOptions{}.max_hangs};
};

/// The GoogleTest test of one case.
class CaseTest : public testing::Test {
 public:
  CaseTest(CaseJudge& judge, std::size_t case_index) : judge_(judge), case_index_(case_index) {}
  void TestBody() override;

 private:
  CaseJudge& judge_;
  std::size_t case_index_;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_GTEST_GTEST_CASE_H_
