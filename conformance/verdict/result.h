// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The result of one case: where the case comes from, the judged operator, the verdict, and what reports show beside it.

#ifndef DECONV_CONFORMANCE_VERDICT_RESULT_H_
#define DECONV_CONFORMANCE_VERDICT_RESULT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/verdict/compared_outputs.h"
#include "conformance/verdict/status.h"
#include "oracle/operator.h"

namespace conformance {

/// The origin of a case.
struct CaseOrigin {
  std::size_t case_index = 0;  ///< index in the case list
  std::string suite;
  std::string name;
  std::string reason;  ///< why the suite contains the case
  std::string file;    ///< the file from which the case was read, if any
  int file_line = 0;
};

/// The case that was judged, and how its dialect resolves it. If a sweep fails, this case is the operator that fails,
/// or the part of the sweep that fails.
struct JudgedCase {
  /// Null if the result comes from a report whose case line this version cannot read.
  std::shared_ptr<const Case> test_case;
  std::string line;          ///< the text of `test_case`
  std::string dialect;       ///< the document or library whose reading of the attributes judged the case
  oracle::Dims output_dims;  ///< the output dims that the dialect computes; empty if the dialect refuses the operator
  std::vector<std::string> clauses;  ///< clauses (numbered rules) that decide the case, in the order of the resolution

  void Set(Case judged);
};

/// A word of an adapter's declaration by which wrong outputs would be right.
struct ExcusingWord {
  std::string meaning;  ///< "flushed subnormals"
  std::string word;     ///< "subnormals = flushed for f32"

  bool operator==(const ExcusingWord&) const = default;
};

/// The facts of a verdict that programs read. The message tells the same facts to people. JSON reports contain `said`,
/// `excusing_word`, `related`, `open` and `only_in`. The other members are known only to the program that judged the
/// case.
struct VerdictFacts {
  std::string said;                           ///< the backend's own words, if it refused, declined or reported an error
  std::optional<ExcusingWord> excusing_word;  ///< the declaration that would make wrong outputs right; absent if none
  /// A law compares several operators. If it fails, this case holds the operator that failed or that disagrees.
  std::shared_ptr<const Case> related;
  bool open = false;                  ///< the case failed, and its operator is open: the backend may refuse it
  bool adds_to_old_contents = false;  ///< the backend adds its sums to the contents that the output had before the run
  /// Where the failure is, if the first run was right with the same number of threads: "the second run, ...".
  std::string only_in;
  bool bits_differ = false;      ///< both runs were right, and their outputs have different bits
  bool threads_differ = false;   ///< these two runs used different numbers of threads
  bool still_computing = false;  ///< after a hang: the backend's process still took CPU time at the time limit
};

/// Whether the backend's answer is right, and if not, what is wrong.
struct Verdict {
  Status status = Status::kNotJudged;  ///< until a judge sets it: a case that nobody judged must not pass
  FailureClass failure = FailureClass::kNone;
  std::string message;        ///< one line; empty for a plain pass
  std::string known_failure;  ///< the reason of the known failure; empty if the failure is new
  VerdictFacts facts;

  [[nodiscard]] bool IsNewFailure() const { return status == Status::kFail && known_failure.empty(); }
  [[nodiscard]] bool IsKnownFailure() const { return status == Status::kFail && !known_failure.empty(); }
};

/// The choice of a backend at a point that its dialect leaves open.
struct OpenChoice {
  std::string clause;
  std::string point;  ///< "a batch of 0"
  bool computed = false;

  bool operator==(const OpenChoice&) const = default;
};

/// Facts of the backend's answer, beside the values of its outputs.
struct AnswerFacts {
  std::string implementation;       ///< name of the code that ran, if the backend says so
  bool refused = false;             ///< an invalid operator, rightly refused
  std::vector<OpenChoice> choices;  ///< its choices at open points; none if a refusal has several possible reasons
  /// The dialects that the backend's answer fits. Present for a deciding case: dialects of the operator differ on it,
  /// and the backend declares that it can do it.
  std::optional<std::vector<std::string>> fits;
};

/// The operators of a sweep.
struct SweepCount {
  std::int64_t judged = 0;
  std::int64_t skipped = 0;  ///< operators of the sweep that the backend cannot do
};

/// Texts that help a reader to find the reason of a failure.
struct FailureTrace {
  std::string backtrace;       ///< the call stack of a crash, a frame a line
  std::string stderr_tail;     ///< the end of what the backend wrote to standard error; not in reports
  std::string replay_options;  ///< flags without which a replay might pass, or empty
};

/// Where the time of judging the case went.
struct JudgingSeconds {
  double total = 0;
  double backend = 0;  ///< waiting for the backend's answers
  double oracle = 0;   ///< computing the right outputs and comparing with them; 0 for laws and sweeps
};

/// All that a run says of one case.
struct CaseResult {
  CaseOrigin origin;
  JudgedCase judged;
  Verdict verdict;
  AnswerFacts answer;
  ComparedOutputs outputs;
  SweepCount sweep;
  FailureTrace trace;
  JudgingSeconds seconds;

  std::string id() const { return origin.suite + "/" + origin.name; }
  bool IsSweep() const { return judged.test_case != nullptr && judged.test_case->sweep.has_value(); }
  /// Whether the case failed, and a law (a relation between operators) judged it.
  bool BreaksLaw() const {
    return verdict.status == Status::kFail && judged.test_case != nullptr && judged.test_case->law.has_value();
  }
  /// Whether the backend computed outputs, and all of them are right.
  bool IsComputed() const { return IsRight(verdict.status) && !answer.refused && outputs.count != 0; }
};

/// Projections for std::ranges algorithms.
inline std::size_t CaseIndexOf(const CaseResult& result) { return result.origin.case_index; }
inline Status StatusOf(const CaseResult& result) { return result.verdict.status; }

/// The result of the case at this index of the case list, or nullptr. `results` are in the order of the case list.
const CaseResult* ResultAt(std::span<const CaseResult> results, std::size_t case_index);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_RESULT_H_
