// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps of a case target before and after it judges an input.

#ifndef DECONV_FUZZ_CASES_CASE_INPUT_H_
#define DECONV_FUZZ_CASES_CASE_INPUT_H_

#include <optional>
#include <string>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"
#include "fuzz/cases/input_text.h"

namespace fuzz {

/// The backend of that name, opened at the first call; aborts if there is none.
conformance::Backend& OpenedBackend(const std::string& name);

/// The case of the input, noted and printed where the settings say so. Nothing if the input is none.
std::optional<conformance::Case> BeginInput(Input input);

/// Aborts with the finding, if there is one.
void EndInput(const std::optional<Finding>& finding, const conformance::Case& test_case,
              const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_INPUT_H_
