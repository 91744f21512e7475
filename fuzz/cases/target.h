// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs case targets: fuzz targets whose inputs are case lines. settings.h lists the environment variables that change
// them.

#ifndef DECONV_FUZZ_CASES_TARGET_H_
#define DECONV_FUZZ_CASES_TARGET_H_

#include <string>

#include "fuzz/cases/case_input.h"

namespace fuzz {

/// Judges the case of the input on the backend of that name, which the first call opens. Aborts with a message on
/// stderr if there is a finding or no such backend. Returns 0, or kNoCase if the input is no case or too large a case
/// (case_input.h).
int RunTarget(const std::string& backend_name, Input input);

/// Like RunTarget(), but judges only the sizes and pads to which the backend resolves the case. No values are
/// computed, so no case is too large.
int ResolveTarget(const std::string& backend_name, Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_TARGET_H_
