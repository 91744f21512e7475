// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The steps that all fuzz targets with cases as inputs share: read the case of an input, open the backend, and abort if
// there is a finding. A case is an operator with its values, and a case line is its text on one line. A finding is a
// wrong answer of the backend under test, or the end of its process.

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

/// The bytes that an engine, such as libFuzzer, gives to a target. They are one case line. For some targets they are a
/// line of words, such as "create:0 run:0", and then several case lines.
using Input = std::span<const std::uint8_t>;

inline std::string_view TextOf(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// The value that a target returns to the engine for an input that is no case, or a case that is too large. libFuzzer
/// does not keep an input for which a target returns -1.
inline constexpr int kNoCase = -1;

/// The parts between the separators. A text without separators is one part.
std::vector<std::string_view> Split(std::string_view text, char separator);

/// The case of a line. A blank line is a case with one data element and a kernel of 1, because engines start an empty
/// corpus with a line break. Returns nothing for a line that does not parse. Also returns nothing for lines that stand
/// for more than one run of one operator (laws, sweeps, repetitions), and for lines that contain values of tensors.
std::optional<conformance::Case> CaseOfText(std::string_view line);

/// Whether the operator has more outputs or products than a fuzzer has time for (CaseLimits::Large() in
/// conformance/case/sketch.h).
bool IsTooLarge(const oracle::Geometry& geometry);
/// Whether the case is valid in its own dialect (its reading of the attributes) and too large.
bool IsTooLarge(const conformance::Case& test_case);

/// The built-in backend of that name, such as "kernel". The first call opens it, and aborts if that fails.
conformance::Backend& OpenedBackend(const std::string& name);

/// Reads the case of the input. Returns nothing if the input is no case. Otherwise it also records the input in the
/// state file if the settings name one (shared_state.h), and prints the case if the settings ask for it.
std::optional<conformance::Case> ReadCaseOfInput(Input input);

/// Aborts with the text of the finding, if there is one. An abort is how an engine learns of a finding.
void AbortOnFinding(const std::optional<Finding>& finding, const conformance::Case& test_case,
                    const std::string& backend_name);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_INPUT_H_
