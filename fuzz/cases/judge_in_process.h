// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one case (an operator with its values) on one backend, in this process. The suite's judge
// (conformance/verdict/judge/judge.h) runs the backend in another process, which is safer but slower, and a fuzzer
// needs speed. A crash or a hang of the backend ends this process; the fuzzing engine then reports a finding.

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
  std::byte poison{};  ///< the byte that filled the output buffer before the run, so that unwritten outputs show
  conformance::RunAnswer answer = {};
  std::vector<std::byte> output;
  conformance::ComparedOutputs outputs = {};  ///< set if values are wrong
};

/// Runs the case in the dialect (the reading of the attributes) by which the backend is judged. Compares refusal,
/// output dimensions and every value with those of the oracle, the reference implementation
/// (conformance/verdict/compare.h). Checks that data and filter did not change. Each buffer has its exact size on the
/// heap, so that AddressSanitizer reports an access one byte past the end. The seed of the case chooses the bytes in
/// the output before the run, and whether buffers are aligned to more than an element.
///
/// Returns the finding, or nothing if the answer is right. Also returns nothing if the backend does not declare the
/// operator, or if it is too large in the dialect. `failed_run`, if given, is filled together with a finding.
std::optional<Finding> JudgeInProcess(conformance::Backend& backend, const conformance::Case& test_case,
                                      ObservedRun* failed_run = nullptr);

/// Calls the backend's resolve function, which computes sizes and pads from the attributes, but no output values.
/// Compares refusal, output dimensions, and pads_begin if the backend reports it, with those of the oracle. Returns the
/// finding, or nothing if all agree. It also returns nothing if the backend has no resolve function, or if the operator
/// is undefined or not supported. Defined in resolve_in_process.cc.
std::optional<Finding> JudgeGeometryInProcess(conformance::Backend& backend, const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_JUDGE_IN_PROCESS_H_
