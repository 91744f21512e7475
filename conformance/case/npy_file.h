// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads .npy files, as NumPy writes them, for test cases whose tensor values stand in such a file. Any bytes are safe:
// an invalid file is refused with a sentence that says why.

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

/// Parses the bytes of a file: versions 1 to 3, both byte orders, C and Fortran order. An error says what was found and
/// what was expected.
std::variant<NpyTensor, std::string> ParseNpy(std::string_view file);

/// Whether a file's type holds elements of `type`. NumPy has no bf16: its elements are stored as "u2" or "V2".
bool IsNpyTypeOf(const std::string& npy_type, oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_NPY_FILE_H_
