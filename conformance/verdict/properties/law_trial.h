// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The trial of a law: it asks for the outputs of the case and of related problems, and states which of them must agree.
// The first error ends the trial.

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

/// supports() answered no to an operator.
struct NotSupported {
  std::string reason;
};

/// Computes an operator that resolves to the problem's geometry; the output as [N, G * C_OUT, Y...], or why there is
/// none.
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
  /// The base with values from another seed.
  Problem Other() const;
  /// The draw of the base's values.
  const ValueDraw& draw() const { return draw_; }

  /// Why the problem cannot be put to this backend; empty if it can.
  std::string Obstacle(const Problem& problem) const;
  std::string Obstacle(const Problem& problem, const oracle::Operator& op) const;

  // The output; none once the trial has ended, as it does with an obstacle.
  std::optional<NdArray> OutputOfCase();
  std::optional<NdArray> OutputOf(const Problem& problem);
  std::optional<NdArray> OutputOf(const Problem& problem, const oracle::Operator& op);

  /// Ends the trial unless both are equal: `got` comes from the case, `by_law` follows from the operators run since
  /// then. True if they are.
  bool Agree(const NdArray& got, const NdArray& by_law);
  void DoesNotApply(std::string why);
  void Fail(FailureClass failure, std::string message);

  const LawOutcome& outcome() const { return outcome_; }

 private:
  /// The problem as an operator of the dialect; absent if it would need negative pads.
  std::optional<oracle::Operator> Spoken(const Problem& problem) const;

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
