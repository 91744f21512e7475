// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Says what is wrong if a worker, the process that runs a backend, gave no answer. Programs that run a backend in their
// own process do not need this file.

#ifndef DECONV_CONFORMANCE_VERDICT_NO_ANSWER_H_
#define DECONV_CONFORMANCE_VERDICT_NO_ANSWER_H_

#include <optional>

#include "conformance/backends/worker/worker.h"
#include "conformance/verdict/answer_failure.h"

namespace conformance {

/// The failure of a run that ended without an answer: the worker died, hung or could not be started. Nothing otherwise.
std::optional<AnswerFailure> FailureOfNoAnswer(const WorkerOutcome& outcome);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_VERDICT_NO_ANSWER_H_
