// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads filter values from a file: the .bin of an OpenVINO IR.

#ifndef DECONV_CONFORMANCE_CASE_FILTER_FILE_H_
#define DECONV_CONFORMANCE_CASE_FILTER_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// Fills `filter` (FilterCount() elements of the geometry's type) from the file. If the file stores another floating
/// type, values are rounded to nearest, ties to even, as OpenVINO's Convert and ONNX's Cast do. Returns an empty
/// string, or what is wrong: the file's name, what was found, and what was expected.
std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter);

/// Whether a filter may be stored as type `from` and used as type `to`: both must be floating types.
bool CanConvert(oracle::ElementType from, oracle::ElementType to);

/// Converts the bits of a value between two floating types. Rounds to nearest, ties to even.
std::uint64_t ConvertFloat(std::uint64_t bits, oracle::ElementType from, oracle::ElementType to);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FILTER_FILE_H_
