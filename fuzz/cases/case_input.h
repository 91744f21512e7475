// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What a target of cases does with an input before and after it is judged.

#ifndef DECONV_FUZZ_CASES_CASE_INPUT_H_
#define DECONV_FUZZ_CASES_CASE_INPUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "conformance/case/case.h"
#include "conformance/door/backend.h"
#include "fuzz/cases/finding.h"

namespace fuzz {

using Input = std::span<const std::uint8_t>;

/// The backend of that name, opened at the first call; aborts if there is none.
conformance::Backend& OpenedBackend(const std::string& name);

/// The case that the input encodes, noted and printed where the settings say so.
conformance::Case BeginInput(Input input);

/// Aborts with the finding, or appends it to the file of the settings.
void EndInput(const std::optional<Finding>& finding, const conformance::Case& test_case,
              const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_INPUT_H_
