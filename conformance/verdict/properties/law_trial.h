// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The trial of a law on one case. The check of a law asks it for the outputs of the case and of related problems, and
// tells it which outputs must be equal. The first failure ends the trial.

#ifndef DECONV_CONFORMANCE_VERDICT_PROPERTIES_LAW_TRIAL_H_
#define DECONV_CONFORMANCE_VERDICT_PROPERTIES_LAW_TRIAL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "conformance/interface/backend.h"
#include "conformance/verdict/answer_failure.h"
#include "conformance/verdict/properties/problem.h"
#include "conformance/verdict/result.h"

namespace conformance::properties {

/// The result of a law.
struct LawOutcome {
  enum class End {
    kHolds,
    kDoesNotApply,  ///< `message` says why; nothing is said of the backend
    kNotSupported,  ///< the backend does not support the case's operator; `message` is its reason
    kFails,
  };
  End end = End::kHolds;
  FailureClass failure = FailureClass::kNone;
  std::string message;
  std::string said;                     ///< words of the backend, if it refused, declined or reported an error
  std::shared_ptr<const Case> related;  ///< the operator that failed or disagrees; null if it is the case's own
  std::optional<WrongOutput> first_wrong;
  std::int64_t outputs = 0;  ///< compared
  std::int64_t wrong_outputs = 0;
};

/// The backend's function supports() answered no to an operator.
struct NotSupported {
  std::string reason;
};

/// Runs an operator that resolves to the problem's geometry. Returns the output as [N, G * C_OUT, Y...], or why there
/// is no output.
using RunOperator =
    std::function<std::variant<NdArray, AnswerFailure, NotSupported>(const oracle::Operator&, const Problem&)>;

class LawTrial {
 public:
  /// The backend's declaration and the dialect by which it is judged; `geometry` is what the case resolves to.
  LawTrial(const Case& test_case, oracle::Dialect dialect, const oracle::Geometry& geometry,
           const Capabilities& declared, RunOperator run);

  const Case& test_case() const { return case_; }
  oracle::Dialect dialect() const { return dialect_; }
  const Problem& base() const { return base_; }
  /// The problem of the case with values from another seed.
  Problem Other() const;
  /// The draw of the values of the case.
  const ValueDraw& draw() const { return draw_; }

  /// Says why this backend cannot be asked for the problem, or why its sums may be inexact. Empty if neither is so.
  std::string Obstacle(const Problem& problem) const;
  std::string Obstacle(const Problem& problem, const oracle::Operator& op) const;

  // Run the backend and return its output. Nothing if the trial has ended; an obstacle ends it.
  std::optional<NdArray> OutputOfCase();
  std::optional<NdArray> OutputOf(const Problem& problem);
  std::optional<NdArray> OutputOf(const Problem& problem, const oracle::Operator& op);

  /// Compares two outputs; true if they are equal, else the trial fails. `got` comes from the case, `by_law` was
  /// derived from the outputs of the related operators that ran after it.
  bool Agree(const NdArray& got, const NdArray& by_law);
  void DoesNotApply(std::string why);
  void Fail(FailureClass failure, std::string message);

  const LawOutcome& outcome() const { return outcome_; }

 private:
  /// The problem as an operator spelled for the dialect. Nothing if it would need negative pads.
  std::optional<oracle::Operator> SpelledForDialect(const Problem& problem) const;

  Case case_;
  oracle::Dialect dialect_;
  ValueDraw draw_;
  Problem base_;
  const Capabilities& declared_;
  RunOperator run_;
  Case last_related_;  ///< the operator that was run last
  LawOutcome outcome_;
};

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_LAW_TRIAL_H_
