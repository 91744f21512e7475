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

/// Fills `filter` (FilterCount() elements of the geometry's type) from the file. Values stored as another type are
/// converted between floating types, as OpenVINO's Convert and ONNX's Cast do: to nearest, ties to even. Returns empty,
/// or what is wrong with the file: its name, what was found, what was expected.
std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter);

/// Whether a filter may be stored as the one type and used as the other: both are floating types.
bool CanConvert(oracle::ElementType from, oracle::ElementType to);

/// The bits of a value of the one floating type in the other one, rounded to nearest, ties to even.
std::uint64_t ConvertFloat(std::uint64_t bits, oracle::ElementType from, oracle::ElementType to);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FILTER_FILE_H_
