// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Values that a case names: in its line, or in a .npy file with a hash. And the operands of any case, wherever their
// values come from.

#ifndef DECONV_CONFORMANCE_CASE_GIVEN_VALUES_H_
#define DECONV_CONFORMANCE_CASE_GIVEN_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// The text of the values in a case line.
std::string ToText(const GivenValues& values, oracle::ElementType type);
/// A text in which every byte that means something in a line or in a shell is "%" and two digits.
std::string EncodeText(std::string_view text);

/// A list of at most 4096 elements: decimal numbers that the type has exactly (f32 and f64: the nearest one), or their
/// bits as 0x and hexadecimal digits. Or what is wrong.
std::variant<InlineValues, std::string> ParseInline(std::string_view text, oracle::ElementType type);
inline constexpr std::size_t kMostInlineValues = 4096;

/// The values from bytes of elements.
InlineValues InlineOf(std::span<const std::byte> bytes, oracle::ElementType type);

/// Values with the dims that they have by themselves; those of a line have one dim.
struct TensorValues {
  oracle::Dims dims;
  std::vector<std::byte> bytes;
};
/// Returns the values, or an error: the file, what was found in it, and what was expected. A file of more than
/// `most_bytes` is not read.
std::variant<TensorValues, std::string> ReadGivenValues(const GivenValues& values, oracle::ElementType type,
                                                        std::uint64_t most_bytes);

/// Fills both operands of a case. Empty, or which values cannot be read and why.
std::string FillOperands(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> data,
                         std::span<std::byte> filter);
/// Whether values of the case lie in files.
bool HasFiles(const Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_GIVEN_VALUES_H_
