// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The trial of one case on one backend: runs the backend, checks that an answer came and nothing else was touched, and
// holds the outputs against the oracle. judge.h decides which trials a case gets; second_run.h repeats the run.

#ifndef DECONV_CONFORMANCE_VERDICT_JUDGE_CASE_TRIAL_H_
#define DECONV_CONFORMANCE_VERDICT_JUDGE_CASE_TRIAL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/backends/worker/worker.h"
#include "conformance/suite/suite.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/compare.h"
#include "conformance/verdict/dialect_fit.h"
#include "conformance/verdict/judge/limits.h"
#include "conformance/verdict/judge/thread_counts.h"
#include "conformance/verdict/judge/trial_setup.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// The clause that gives the right value; the clauses of the resolution say only where the value lies.
std::string_view ValueClauseOf(FailureClass failure, oracle::ElementType type);

/// The comparison as a message: the first wrong output, and the word of a declaration that would excuse it. Notes the
/// word in `facts`.
std::string TextOfWrong(const Comparison& comparison, Expected& expected, std::span<const std::byte> output,
                        const Capabilities& declared, VerdictFacts& facts);

/// Notes what a comparison says of right and wrong outputs, and its warnings. False if an output is wrong: then the
/// caller says which failure it is.
bool NoteComparison(const Comparison& comparison, CaseResult& result);

/// Writes the verdict to `result`. A trial lives as long as the judge works on its case.
class CaseTrial {
 public:
  struct Setting {
    Worker& worker;
    TrialSetup& setup;
    const JudgeLimits& limits;
  };

  CaseTrial(const SuiteCase& suite_case, oracle::Dialect dialect, Setting setting, CaseResult& result);

  /// The answer to the next run shall show which dialects it fits, if the dialects differ on the operator.
  void FindDialects();

  /// Runs the backend. True if it gave an answer that the dialect allows; else the result says why not.
  /// `calls`: how often, one call after the other.
  bool RunOnce(Placement placement, int threads, int calls = 1);
  /// Whether the backend refused an open or undefined operator in the last run.
  bool declined() const { return declined_; }
  /// True if every output is right; else the result names the first wrong output.
  bool JudgeOutputs();

  /// Always false, so that a caller can return it.
  bool Fail(FailureClass failure, std::string message);
  bool Fail(AnswerFailure failure) {
    result_.verdict.facts.said = std::move(failure.said);
    return Fail(failure.failure, std::move(failure.message));
  }

  const SuiteCase& suite_case() const { return suite_case_; }
  oracle::Dialect dialect() const { return dialect_; }
  const oracle::Resolution& resolution() const { return resolution_; }
  const oracle::Geometry& geometry() const { return *resolution_.geometry; }
  const Capabilities& declared() const { return setting_.worker.capabilities(); }
  TrialSetup& setup() { return setting_.setup; }
  std::span<std::byte> output() { return setting_.setup.arena().buffer(kOutputBuffer); }
  ThreadCounts threads() const { return threads_; }
  const Worker& worker() const { return setting_.worker; }
  /// The resources of the backend's process after the last run of several calls.
  const HeldResources& held() const { return held_; }
  CaseResult& result() { return result_; }
  /// The index of the first wrong output that was judged last; -1 if all were right.
  std::int64_t first_wrong_index() const { return first_wrong_index_; }

 private:
  bool NotSupported(const RunAnswer& answer);
  void Observe(const RunAnswer& answer);
  void NoteChoice(const RunAnswer& answer);
  bool FailOnWrongOutput(const Comparison& comparison);

  const SuiteCase& suite_case_;
  oracle::Dialect dialect_;
  Setting setting_;
  const oracle::Resolution resolution_;  ///< a copy: other trials may use the setup before this one ends
  CaseResult& result_;
  ThreadCounts threads_;
  bool declined_ = false;
  bool was_run_ = false;  ///< the backend has run the operator at least once
  HeldResources held_;
  std::int64_t first_wrong_index_ = -1;
  std::vector<DialectGroup> groups_;  ///< set until the backend's first answer, if the case decides between dialects
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_JUDGE_CASE_TRIAL_H_
