// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes declarations of a backend as text that its author can paste: in C, as arguments of the Python package, or as
// keys of the process protocol. A declaration says what the backend supports and how it computes, such as "no groups".

#ifndef DECONV_CONFORMANCE_CLI_DOCTOR_DECLARATION_WORDS_H_
#define DECONV_CONFORMANCE_CLI_DOCTOR_DECLARATION_WORDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/interface/backend.h"

namespace conformance {

/// How declarations are written: in the words of the C header, of the package for Python, or of the process protocol.
enum class DeclarationStyle { kHeader, kPython, kProtocol };

/// The style for a backend. `backend`: its name on the command line.
DeclarationStyle StyleOf(std::string_view backend);

/// The names of element types. Bit i of `bits` is deconv_element_type_id i.
std::vector<std::string_view> TypeNames(std::uint32_t bits);

/// The member `unsupported` with these bits of deconv_unsupported_bit.
std::string UnsupportedWords(std::uint32_t bits, DeclarationStyle style);

/// "max_rank=4", "max_rank 4" or "\"max_rank\":4".
std::string NumberWord(std::string_view key, std::int64_t value, DeclarationStyle style);

/// The lines that turn the arithmetic of `declared` into that of `wanted`: accumulators, rounding, subnormals, overflow
/// and known deviations. A list that changes is written whole, because it replaces the old one.
std::vector<std::string> ArithmeticLines(const Capabilities& declared, const Capabilities& wanted,
                                         DeclarationStyle style);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CLI_DOCTOR_DECLARATION_WORDS_H_
