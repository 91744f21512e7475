// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads .npy files, as NumPy writes them. Files come from anywhere: a wrong one is refused with a sentence.

#ifndef DECONV_CONFORMANCE_CASE_NPY_FILE_H_
#define DECONV_CONFORMANCE_CASE_NPY_FILE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "oracle/operator.h"

namespace conformance {

struct NpyTensor {
  std::string type;  ///< the type without the byte order: "f4", "i1"
  oracle::Dims dims;
  std::vector<std::byte> bytes;  ///< little-endian, in C order
};

/// Versions 1 to 3, both byte orders, C and Fortran order. Or what was found and what was expected.
std::variant<NpyTensor, std::string> ParseNpy(std::string_view file);

/// Whether elements of a file's type are those of `type`. bf16, which NumPy does not have, is 2 bytes of any kind.
bool IsNpyTypeOf(const std::string& npy_type, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_NPY_FILE_H_
