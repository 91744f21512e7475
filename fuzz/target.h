// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// What the targets share: a backend, opened once, and the way they report. What the environment changes about it:
// settings.h.

#ifndef DECONV_FUZZ_TARGET_H_
#define DECONV_FUZZ_TARGET_H_

#include <cstdint>
#include <span>
#include <string>

#include "conformance/case.h"

namespace fuzz {

using Input = std::span<const std::uint8_t>;

/// Judges the case that the input encodes on the backend of that name, which is opened at the first call. Aborts with
/// the finding on stderr, unless findings go to a file; aborts if there is no such backend.
void RunTarget(const std::string& backend_name, Input input);

/// The same of what the backend resolves the case to, without values.
void ResolveTarget(const std::string& backend_name, Input input);

/// Aborts with the sentence on stderr if it does not hold.
void Require(bool holds, const std::string& otherwise);
/// That the case's line says this case.
void RequireLine(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGET_H_
