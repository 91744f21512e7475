// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Judges one input of a fuzzing engine (libFuzzer) by the oracle, the reference implementation. Fuzz targets whose
// inputs are cases call these functions. An input is a case line: an operator and its values as text. settings.h lists
// the environment variables that change what happens.

#ifndef DECONV_FUZZ_CASES_TARGET_H_
#define DECONV_FUZZ_CASES_TARGET_H_

#include <string>

#include "fuzz/cases/case_input.h"

namespace fuzz {

/// Runs the input's case on the backend with this name, such as "kernel", which the first call opens. Compares the
/// output with the oracle's. Aborts with a message on stderr if the answer is wrong, or if there is no such backend.
/// Returns 0, or kNoCase if the input is no case or too large a case (case_input.h).
int JudgeValuesOfInput(const std::string& backend_name, Input input);

/// Like JudgeValuesOfInput(), but compares only the sizes and pads that the backend computes from the attributes. No
/// output values are computed, so no case is too large.
int JudgeGeometryOfInput(const std::string& backend_name, Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_TARGET_H_
