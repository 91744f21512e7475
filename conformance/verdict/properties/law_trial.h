// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The trial of a law on one case. A law is a relation between the outputs of related operators. The check of a law asks
// the trial for the outputs of the case and of related problems (geometry and values), and tells it which outputs must
// be equal. The first failure ends the trial.

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

/// What the check of a law on a case found.
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
  std::int64_t outputs = 0;  ///< number of compared outputs
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

/// Runs the operators of one law for one case, and collects the outcome.
class LawTrial {
 public:
  /// `declared` is the backend's declaration, `dialect` judges it, and `geometry` is the geometry to which the case
  /// resolves.
  LawTrial(const Case& test_case, oracle::Dialect dialect, const oracle::Geometry& geometry,
           const Capabilities& declared, RunOperator run);

  const Case& test_case() const { return case_; }
  oracle::Dialect dialect() const { return dialect_; }
  const Problem& base() const { return base_; }
  /// The problem of the case with values from another seed.
  Problem Other() const;
  /// The draw of the values of the case.
  const ValueDraw& draw() const { return draw_; }

  /// Says why this backend cannot run the problem, or why its sums may be inexact. Empty if the problem can be used.
  std::string Obstacle(const Problem& problem) const;
  std::string Obstacle(const Problem& problem, const oracle::Operator& op) const;

  // Run the backend and return its output. nullopt if the trial has ended. An obstacle ends the trial.
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
  /// The problem as an operator, spelled as the dialect demands. nullopt if it would need negative pads.
  std::optional<oracle::Operator> SpelledForDialect(const Problem& problem) const;

  Case case_;
  oracle::Dialect dialect_;
  ValueDraw draw_;
  Problem base_;
  const Capabilities& declared_;
  RunOperator run_;
  Case last_related_;  ///< the related operator that was run last
  LawOutcome outcome_;
};

}  // namespace conformance::properties

#endif  // DECONV_CONFORMANCE_VERDICT_PROPERTIES_LAW_TRIAL_H_
