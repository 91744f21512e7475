// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds failures of a backend that need no look at the output values. Maps each kind of answer to a failure class and a
// message.

#include "conformance/verdict/answer_failure.h"

#include <fmt/format.h>

namespace conformance {
namespace {

/// Finds answers that are wrong for every operator: answers that break the contract of the interface, and answers
/// "unsupported" although the function supports() said yes.
std::optional<AnswerFailure> FailureOfBreach(const RunAnswer& answer) {
  if (answer.answer == kContractBroken) return AnswerFailure{FailureClass::kProtocol, answer.message};
  if (answer.answer == kBrokenPromise) return AnswerFailure{FailureClass::kCannotDo, answer.message, answer.message};
  return std::nullopt;
}

}  // namespace

std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, const oracle::Dims& expected) {
  if (auto breach = FailureOfBreach(answer)) return breach;
  switch (answer.answer) {
    case DECONV_ANSWER_REFUSED:
      return AnswerFailure{FailureClass::kWrongRefusal,
                           fmt::format("the backend refused a valid operator: {}", answer.message), answer.message};
    case DECONV_ANSWER_UNSUPPORTED:
      return AnswerFailure{FailureClass::kCannotDo, answer.message, answer.message};
    case DECONV_ANSWER_ERROR:
      return AnswerFailure{FailureClass::kError, answer.message, answer.message};
    case DECONV_ANSWER_COMPUTED:
    case DECONV_ANSWER_OTHER_SHAPE:
      break;
    default:  // any other answer
      return AnswerFailure{
          FailureClass::kProtocol,
          fmt::format("the backend returned {}, which is no value of deconv_answer", static_cast<int>(answer.answer))};
  }
  if (answer.output_dims != expected) {
    return AnswerFailure{FailureClass::kWrongShape, fmt::format("expected output dimensions {}, got {}",
                                                                DimsText(expected), DimsText(answer.output_dims))};
  }
  if (answer.answer == DECONV_ANSWER_OTHER_SHAPE) {
    return AnswerFailure{FailureClass::kError, "the backend answered other-shape, but its output dimensions are right"};
  }
  return std::nullopt;
}

std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Refusal& refusal) {
  if (IsRefusal(answer)) return std::nullopt;
  if (answer.answer == DECONV_ANSWER_ERROR) return AnswerFailure{FailureClass::kError, answer.message, answer.message};
  if (auto breach = FailureOfBreach(answer)) return breach;
  return AnswerFailure{FailureClass::kAcceptedInvalid,
                       fmt::format("the backend gave output {}, but {} refuses the operator ({}): {}",
                                   DimsText(answer.output_dims), dialect, refusal.clause, refusal.message)};
}

bool IsRefusal(const RunAnswer& answer) {
  return answer.answer == DECONV_ANSWER_REFUSED || answer.answer == DECONV_ANSWER_UNSUPPORTED;
}

std::optional<AnswerFailure> FailureOfAnswer(const RunAnswer& answer, std::string_view dialect,
                                             const oracle::Resolution& resolution) {
  using enum oracle::RequiredAnswer;
  const oracle::RequiredAnswer required_answer = resolution.required_answer();
  if (required_answer == kRefused) return FailureOfAnswer(answer, dialect, *resolution.refusal);
  if (required_answer == kComputed) return FailureOfAnswer(answer, resolution.geometry->OutputDims());
  if (IsRefusal(answer)) return std::nullopt;
  if (required_answer == kOpen) return FailureOfAnswer(answer, resolution.geometry->OutputDims());
  if (auto breach = FailureOfBreach(answer)) return breach;
  // The operator is undefined: only an answer that is no value of the enumeration is wrong.
  if (answer.answer > DECONV_ANSWER_ERROR) return FailureOfAnswer(answer, oracle::Dims());
  return std::nullopt;
}

}  // namespace conformance
