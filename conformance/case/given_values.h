// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes values that a case line gives instead of a data set: as a list in the line, or in a .npy file with a
// hash. FillOperands fills data and filter of any case, from whichever source the case names.

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
/// Percent-encodes a text: each byte that has a meaning in a case line or in a shell becomes "%" and two hex digits.
std::string EncodeText(std::string_view text);

/// Parses a list of at most 4096 elements, separated by commas. An element is a decimal number that the type represents
/// exactly (f32 and f64 round it to nearest), or "0x" and the hexadecimal digits of its bits. Or returns what is wrong.
std::variant<InlineValues, std::string> ParseInline(std::string_view text, oracle::ElementType type);
/// Two lists of so many elements of up to 6 characters fit a case line, which has at most 64 KiB.
inline constexpr std::size_t kMostInlineValues = 4096;

/// The values of a tensor that is given as bytes.
InlineValues InlineOf(std::span<const std::byte> bytes, oracle::ElementType type);

/// Values with the dims that their source states. Values of a case line have one dim.
struct TensorValues {
  oracle::Dims dims;
  std::vector<std::byte> bytes;
};
/// Returns the values, or an error: the file, what was found in it, and what was expected. A file of more than
/// `most_bytes` is not read.
std::variant<TensorValues, std::string> ReadGivenValues(const GivenValues& values, oracle::ElementType type,
                                                        std::uint64_t most_bytes);

/// Fills data and filter of a case, each with the byte size that `geometry` needs. Returns an empty string, or which
/// values cannot be read and why.
std::string FillOperands(const Case& test_case, const oracle::Geometry& geometry, std::span<std::byte> data,
                         std::span<std::byte> filter);
/// Whether any values of the case come from files.
bool HasFiles(const Case& test_case);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_GIVEN_VALUES_H_
