// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The trial of one case on one backend. It runs the backend, checks the answer and that no other memory was changed,
// and compares the outputs with the oracle's. judge.h decides which trials a case gets; second_run.h repeats the run.

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

/// The clause of the specification that a wrong output value breaks. The clauses of the resolution only give the size
/// and the positions of outputs.
std::string_view ValueClauseOf(FailureClass failure, oracle::ElementType type);

/// The comparison as a message: the first wrong output, and the word of a declaration that would excuse it. Notes the
/// word in `facts`.
std::string TextOfWrong(const Comparison& comparison, Expected& expected, std::span<const std::byte> output,
                        const Capabilities& declared, VerdictFacts& facts);

/// Copies the counts, the first wrong output and the warnings of a comparison into `result`. Returns false if an output
/// is wrong; the caller then sets the failure.
bool NoteComparison(const Comparison& comparison, CaseResult& result);

/// One trial, which writes its verdict to `result`. A trial lives as long as the judge works on its case.
class CaseTrial {
 public:
  /// What the judge lends to each of its trials.
  struct Setting {
    Worker& worker;     ///< runs the backend in its process
    TrialSetup& setup;  ///< the buffers and the expected outputs
    const JudgeLimits& limits;
  };

  CaseTrial(const SuiteCase& suite_case, oracle::Dialect dialect, Setting setting, CaseResult& result);

  /// After the next run, finds out which dialects the answer fits, if the dialects differ on the operator.
  void FindDialects();

  /// Runs the backend with buffers placed by `placement`: against the end or the begin of their pages. `calls` is the
  /// number of calls, one after the other. Returns true if the dialect allows the answer, else the result says why not.
  bool RunOnce(Placement placement, int threads, int calls = 1);
  /// Whether the backend refused an open or undefined operator in the last run.
  bool declined() const { return declined_; }
  /// Compares the output buffer with the oracle's sums. True if every output is right, else the result names the first
  /// wrong output.
  bool JudgeOutputs();

  /// Sets the verdict to a failure. Always returns false, so that a caller can return the call.
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
