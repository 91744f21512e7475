// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One case on one backend in this very process: what conformance/judge.h does with worker processes, without their
// price. A crash or a hang of the backend is the caller's, who is a fuzzer and wants it.

#ifndef DECONV_FUZZ_JUDGE_IN_PROCESS_H_
#define DECONV_FUZZ_JUDGE_IN_PROCESS_H_

#include <optional>
#include <string>

#include "conformance/backend.h"
#include "conformance/case.h"
#include "conformance/result.h"

namespace fuzz {

/// What is wrong with a backend's answer.
struct Finding {
  conformance::FailureClass failure = conformance::FailureClass::kNone;
  std::string text;  ///< "wrong-value: output [0,0,3]: expected 4, got 5 ..."
};

/// Runs the case under the dialect that the backend is judged by, and compares refusal, output dimensions, every value
/// (conformance/compare.h) and the inputs. Buffers lie on the heap with their exact sizes, so that memory checkers see
/// one byte too many; the seed decides what the output holds before, and whether buffers are aligned to more than an
/// element. Nothing is found in a case that the backend does not declare to do.
std::optional<Finding> JudgeInProcess(conformance::Backend& backend, const conformance::Case& test_case);

/// Resolves the case as the backend does and compares refusal, output dimensions and, where it tells them, pads_begin.
/// Nothing is found on a backend that does not resolve alone.
std::optional<Finding> ResolveInProcess(conformance::Backend& backend, const conformance::Case& test_case);

/// What a fuzzer prints before it aborts: the finding, the case line, and how to see it again on `backend_name`.
std::string FindingText(const Finding& finding, const conformance::Case& test_case, const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_JUDGE_IN_PROCESS_H_
