// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Does what every case target does before and after it judges an input. It opens the backend, reads the case, and
// aborts if there is a finding. A case target is a fuzz target whose inputs are case lines. A finding is a wrong answer
// of the backend, or its end.

#ifndef DECONV_FUZZ_CASES_CASE_INPUT_H_
#define DECONV_FUZZ_CASES_CASE_INPUT_H_

#include <optional>
#include <string>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"
#include "fuzz/cases/input_text.h"

namespace fuzz {

/// The built-in backend of that name, such as "kernel". The first call opens it, and aborts if that fails.
conformance::Backend& OpenedBackend(const std::string& name);

/// Reads the case of the input. Records the input in the state file if the settings name one (shared_state.h). Prints
/// the case if the settings ask for it. Returns nothing if the input is no case.
std::optional<conformance::Case> BeginInput(Input input);

/// Aborts with the text of the finding, if there is one. An abort is how an engine learns of a finding.
void EndInput(const std::optional<Finding>& finding, const conformance::Case& test_case,
              const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_INPUT_H_
