// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says what is wrong with a backend's answer before any output value is compared: no answer, a wrong refusal, a wrong
// shape. Single cases, laws (relations between operators) and sweeps (many small operators) all use these functions.

#ifndef DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_
#define DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_

#include <optional>
#include <string>
#include <string_view>

#include "conformance/interface/backend.h"
#include "conformance/verdict/result.h"
#include "oracle/resolve.h"

namespace conformance {

/// A failure, with the message for the user.
struct AnswerFailure {
  FailureClass failure = FailureClass::kNone;
  std::string message;
  std::string said = {};  ///< part of the message: the backend's own words
};

/// The failure of an answer to a valid operator whose output has the dims `expected`. Nothing if the backend computed
/// an output of these dims.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, const oracle::Dims& expected);

/// The failure of an answer to an operator that `dialect` refuses. Nothing if the backend refuses it too, or says that
/// it does not support it.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Refusal& refusal);

/// Whether the backend refused the operator or called it unsupported.
bool IsRefusal(const RunAnswer& answer);

/// The failure of an answer to an operator with this resolution; nullopt if there is none. An open operator, about
/// which its document is silent or contradicts itself, may be refused. An undefined operator may be answered in any way
/// that the interface allows.
std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Resolution& resolution);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_ANSWER_FAILURE_H_
