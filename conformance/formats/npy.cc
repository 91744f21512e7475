// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tensors in the format .npy of NumPy: a header with type and shape as a text of Python, and then the elements.

#include "conformance/formats/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace conformance::formats {

std::string_view NpyType(oracle::ElementType type) {
  switch (type) {
    case oracle::ElementType::kF64:
      return "<f8";
    case oracle::ElementType::kF32:
      return "<f4";
    case oracle::ElementType::kF16:
      return "<f2";
    case oracle::ElementType::kBf16:
    case oracle::ElementType::kU16:
      return "<u2";
    case oracle::ElementType::kI8:
      return "|i1";
    case oracle::ElementType::kI16:
      return "<i2";
    case oracle::ElementType::kI32:
      return "<i4";
    case oracle::ElementType::kI64:
      return "<i8";
    case oracle::ElementType::kU8:
      return "|u1";
    case oracle::ElementType::kU32:
      return "<u4";
    case oracle::ElementType::kU64:
      return "<u8";
    case oracle::ElementType::kBoolean:
      return "|b1";
    case oracle::ElementType::kString:
      break;
  }
  return "";
}

std::string Npy(oracle::ElementType type, const oracle::Dims& dims, std::span<const std::byte> bytes) {
  // A tuple of one value ends in a comma.
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", NpyType(type),
                                   fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
  // Magic, version and header length take 10 bytes. The header ends with a newline at a multiple of 64 bytes.
  constexpr std::size_t front = 10;
  constexpr std::size_t alignment = 64;
  while ((front + header.size() + 1) % alignment != 0) header += ' ';
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(static_cast<unsigned char>(header.size() & 0xff));
  file += static_cast<char>(static_cast<unsigned char>(header.size() >> 8));
  file += header;
  file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return file;
}

}  // namespace conformance::formats
