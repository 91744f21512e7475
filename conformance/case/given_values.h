// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes tensor values that a case line (the one-line text of a test) gives instead of a data set (a rule for
// values). The values stand in the line, in a .npy file with a hash, or in the .bin of an OpenVINO IR. FillOperands
// fills data and filter of any case, from whichever source the case names.

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

/// Parses a list of at most kMostInlineValues elements, separated by commas. An element is a decimal number that the
/// type represents exactly (f32 and f64 round it to nearest), or "0x" and the hexadecimal digits of its bits. The
/// string says what is wrong.
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

/// Fills `filter` (FilterCount() elements of the geometry's type) from the file. If the file stores another floating
/// type, values are rounded to nearest, ties to even, as OpenVINO's Convert and ONNX's Cast do. Returns an empty
/// string, or what is wrong: the file's name, what was found, and what was expected.
std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter);

/// Whether a filter may be stored as type `from` and used as type `to`: both must be floating types.
bool CanConvert(oracle::ElementType from, oracle::ElementType to);

/// Converts the bits of a value between two floating types. Rounds to nearest, ties to even.
std::uint64_t ConvertFloat(std::uint64_t bits, oracle::ElementType from, oracle::ElementType to);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_GIVEN_VALUES_H_
