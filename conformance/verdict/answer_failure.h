// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with a backend's answer before any value is compared. All verdicts share this interpretation of
// answers.

#ifndef DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_
#define DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/backends/worker/worker.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

struct AnswerFailure {
  FailureClass failure = FailureClass::kNone;
  std::string message;
  std::string said = {};  ///< part of the message: the backend's own words
};

/// There was no answer: the worker died, hung or could not be started.
std::optional<AnswerFailure> FailureOfNoAnswer(const WorkerOutcome& outcome);

/// The operator is valid and has these output dims; a right answer says that it was computed, with them.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, const oracle::Dims& expected);

/// `dialect` refuses the operator; a right answer does too, or says that the backend cannot do it.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Refusal& refusal);

/// Whether the backend refused the operator or called it unsupported.
bool IsRefusal(const RunAnswer& answer);

/// Judges an answer by what the dialect expects of a backend. An open operator may be refused. An undefined operator
/// may be answered in any way.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Resolution& resolution);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_
