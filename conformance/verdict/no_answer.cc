// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps each way in which a worker (a process that runs a backend) can end without an answer to a failure.

#include "conformance/verdict/no_answer.h"

#include <fmt/format.h>

namespace conformance {

std::optional<AnswerFailure> FailureOfNoAnswer(const WorkerOutcome& outcome) {
  switch (outcome.end) {
    case WorkerOutcome::End::kAnswered:
      break;
    case WorkerOutcome::End::kTimedOut:
      return AnswerFailure{FailureClass::kHang, outcome.detail};
    case WorkerOutcome::End::kOutOfMemory:
      return AnswerFailure{FailureClass::kMemory, outcome.detail};
    case WorkerOutcome::End::kBrokeProtocol:
      return AnswerFailure{FailureClass::kProtocol, outcome.detail};
    case WorkerOutcome::End::kCrashed:
      return AnswerFailure{FailureClass::kCrash, outcome.detail};
    case WorkerOutcome::End::kWroteToInput:
      return AnswerFailure{FailureClass::kModifiedInput,
                           fmt::format("the backend wrote to {}, which it may only read", outcome.detail)};
    case WorkerOutcome::End::kNotStarted:
      return AnswerFailure{FailureClass::kSuiteError, outcome.detail};
  }
  return std::nullopt;
}

}  // namespace conformance
