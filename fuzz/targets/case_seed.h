// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes an input that encodes cases as lines that a person can read, and makes the input from such lines. Some targets
// read more than one case: the lines stand for the parts of their input, one after the other.

#ifndef DECONV_FUZZ_TARGETS_CASE_SEED_H_
#define DECONV_FUZZ_TARGETS_CASE_SEED_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fuzz {

/// A line of a seed, its escapes resolved, and where it stands in the file.
struct SeedLine {
  std::string text;
  std::size_t number = 0;
};

struct SeedError {
  std::size_t line = 0;
  std::string message;  ///< what was found, and what was expected
};

/// The keys of the lines of the target's seeds, in their order; none if its inputs are no cases.
///   case      a case line
///   choices   what kernel_interface_fuzzer.cc does wrong: the values of its choices, without the zeros at their end
///   steps     what kernel_sequences_fuzzer.cc does, for example "create 0, pack 0 7, run 0 1, destroy 0"
/// A case of several whose bytes would not leave room for the next has the key "bytes" and the bytes' values.
std::span<const std::string_view> CaseSeedKeys(std::string_view target);

/// The lines of an input. Inputs with the same meaning have the same lines.
std::string CaseSeedText(std::span<const std::string_view> keys, std::string_view bytes);

/// The input of the lines.
std::variant<std::string, SeedError> CaseSeedBytes(std::span<const std::string_view> keys,
                                                   const std::vector<SeedLine>& lines);

}  // namespace fuzz

#endif  // DECONV_FUZZ_TARGETS_CASE_SEED_H_
