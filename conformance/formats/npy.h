// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tensors as .npy files of NumPy, version 1.0. Debian has no C++ library for this format, which is a header of
// one line before the elements.

#ifndef DECONV_CONFORMANCE_FORMATS_NPY_H_
#define DECONV_CONFORMANCE_FORMATS_NPY_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "oracle/operator.h"

namespace conformance::formats {

/// NumPy's name of a type, such as "<f4" or "|i1". bf16, which NumPy does not have, is written as "<u2". Empty for
/// boolean and string.
std::string_view NpyType(oracle::ElementType type);

/// The content of the file. `bytes`: the elements in C order, little-endian.
std::string Npy(oracle::ElementType type, const oracle::Dims& dims, std::span<const std::byte> bytes);

}  // namespace conformance::formats

#endif  // DECONV_CONFORMANCE_FORMATS_NPY_H_
