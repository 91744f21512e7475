// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The targets whose inputs are cases. settings.h lists what the environment changes about them.

#ifndef DECONV_FUZZ_CASES_TARGET_H_
#define DECONV_FUZZ_CASES_TARGET_H_

#include <string>

#include "fuzz/cases/case_input.h"

namespace fuzz {

/// Judges the case of the input on the backend of that name, which is opened at the first call. Aborts with the finding
/// on stderr, or if there is no such backend.
int RunTarget(const std::string& backend_name, Input input);

/// Judges only the sizes and pads that the backend resolves the case to, without values.
int ResolveTarget(const std::string& backend_name, Input input);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_TARGET_H_
