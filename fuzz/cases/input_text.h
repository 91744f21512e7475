// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads inputs of case targets. An input is a case line; some targets read a line of words first and more than one
// case. Lines that are missing or blank are the plainest case and no word.

#ifndef DECONV_FUZZ_CASES_INPUT_TEXT_H_
#define DECONV_FUZZ_CASES_INPUT_TEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace fuzz {

using Input = std::span<const std::uint8_t>;

inline std::string_view TextOf(Input input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// A target's answer to an input that is no case, or a case that is too large: the engine does not keep it.
inline constexpr int kNoCase = -1;

/// The parts between the separators; at least one.
std::vector<std::string_view> Split(std::string_view text, char separator);

/// The case of a line. A blank line is one element and a kernel of 1: engines start an empty corpus with a line break.
/// Nothing if the line is wrong, and for laws, sweeps, repetitions and values of its own, which fuzz targets do not
/// judge.
std::optional<conformance::Case> CaseOfText(std::string_view line);

/// Whether the case is beyond the limits of a large case (conformance/case/fit_sketch.h): a fuzzer has no time for it.
bool TooLarge(const oracle::Geometry& geometry);
/// Whether a case that is valid in its own dialect is too large.
bool TooLarge(const conformance::Case& test_case);

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_INPUT_TEXT_H_
