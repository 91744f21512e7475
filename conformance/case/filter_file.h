// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads filter values from a file: the .bin of an OpenVINO IR.

#ifndef DECONV_CONFORMANCE_CASE_FILTER_FILE_H_
#define DECONV_CONFORMANCE_CASE_FILTER_FILE_H_

#include <cstddef>
#include <span>
#include <string>

#include "conformance/case/case.h"
#include "oracle/resolve.h"

namespace conformance {

/// Fills `filter` (FilterCount() elements of the geometry's type) from the file. Values stored as another type are
/// converted (floating types only, to a type that holds them exactly). Returns empty, or what is wrong with the file:
/// its name, what was found, what was expected.
std::string ReadFilter(const FileValues& source, const oracle::Geometry& geometry, std::span<std::byte> filter);

/// Whether every value of the one type is a value of the other: f16 and bf16 in f32 and f64, f32 in f64.
bool Widens(oracle::ElementType from, oracle::ElementType to);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FILTER_FILE_H_
