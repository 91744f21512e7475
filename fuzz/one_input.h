// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What a target does with an input before and after it is judged. An abort is how it tells its engine of a finding.

#ifndef DECONV_FUZZ_ONE_INPUT_H_
#define DECONV_FUZZ_ONE_INPUT_H_

#include <optional>
#include <string>

#include "conformance/backend.h"
#include "conformance/case.h"
#include "fuzz/judge_in_process.h"
#include "fuzz/target.h"

namespace fuzz {

/// Ends the process with the text on stderr, as a finding.
[[noreturn]] void Report(const std::string& text);

/// The backend of that name, opened at the first call; aborts if there is none.
conformance::Backend& OpenedBackend(const std::string& name);

/// The case that the input encodes, noted and printed where the settings say so.
conformance::Case BeginInput(Input input);

/// Aborts with the finding, or appends it to the file of the settings.
void EndInput(const std::optional<Finding>& finding, const conformance::Case& test_case,
              const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_ONE_INPUT_H_
