// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the input of a case target, and does what every case target does before and after it judges an input. It opens
// the backend, reads the case, and aborts if there is a finding. A case target is a fuzz target whose inputs are case
// lines. A finding is a wrong answer of the backend, or its end.

#ifndef DECONV_FUZZ_CASES_CASE_INPUT_H_
#define DECONV_FUZZ_CASES_CASE_INPUT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/interface/backend.h"
#include "fuzz/cases/finding.h"
#include "oracle/resolve.h"

namespace fuzz {

// An input is a case line. Some targets read a line of words first, and then several case lines. A blank or missing
// case line is the smallest case; a blank first line has no words.

using Input = std::span<const std::uint8_t>;

inline std::string_view TextOf(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// The value that a target returns for an input that is no case, or a case that is too large. The engine does not keep
/// such an input.
inline constexpr int kNoCase = -1;

/// The parts between the separators. A text without separators is one part.
std::vector<std::string_view> Split(std::string_view text, char separator);

/// The case of a line. A blank line is a case with one data element and a kernel of 1, because engines start an empty
/// corpus with a line break. Returns nothing for a line that does not parse. Fuzz targets judge no laws, sweeps,
/// repetitions and cases with values of their own, so these return nothing, too. (A law compares two runs; a sweep
/// varies one attribute.)
std::optional<conformance::Case> CaseOfText(std::string_view line);

/// Whether the operator exceeds the limits of a large case (conformance/case/sketch.h). It would take a fuzzer too
/// long.
bool TooLarge(const oracle::Geometry& geometry);
/// Whether a case that is valid in its own dialect is too large.
bool TooLarge(const conformance::Case& test_case);

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
