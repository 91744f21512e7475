// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one case on one backend in this process: like conformance/verdict/judge/judge.h, without the cost of worker
// processes. A crash or a hang of the backend ends this process, and the engine that started it reports a finding.

#ifndef DECONV_FUZZ_CASES_JUDGE_IN_PROCESS_H_
#define DECONV_FUZZ_CASES_JUDGE_IN_PROCESS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "conformance/verdict/compared_outputs.h"
#include "fuzz/cases/finding.h"

namespace fuzz {

/// The answer and the output of a backend in the run that failed.
struct ObservedRun {
  std::byte poison{};  ///< the contents of the output before the run
  conformance::RunAnswer answer = {};
  std::vector<std::byte> output;
  conformance::ComparedOutputs outputs = {};  ///< set if values are wrong
};

/// Runs the case under the dialect that the backend is judged by, and compares refusal, output dimensions, every value
/// (conformance/verdict/compare.h) and the inputs. Buffers lie on the heap with their exact sizes, so that
/// AddressSanitizer reports an access one byte past the end; the seed decides what the output holds before the run, and
/// whether buffers are aligned to more than an element. Returns nothing for a case that the backend does not declare,
/// or that is too large in its dialect. `failed`, if given, is filled if something is found.
std::optional<Finding> JudgeInProcess(conformance::Backend& backend, const conformance::Case& test_case,
                                      ObservedRun* failed = nullptr);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_JUDGE_IN_PROCESS_H_
