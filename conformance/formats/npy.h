// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tensors as .npy files, version 1.0. The code is our own: Debian packages no C++ library for it, and a header
// is one line.

#ifndef DECONV_CONFORMANCE_FORMATS_NPY_H_
#define DECONV_CONFORMANCE_FORMATS_NPY_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "oracle/operator.h"

namespace conformance::formats {

/// "<f4", "|i1", ...; bf16, which npy does not have, is its bits as "<u2". Empty for types without a buffer.
std::string_view NpyType(oracle::ElementType type);

/// The whole file; `bytes` are the elements in C order, little-endian.
std::string Npy(oracle::ElementType type, const oracle::Dims& dims, std::span<const std::byte> bytes);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_NPY_H_
