// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts the byte order of tensors. Tensors are little-endian in the process protocol (process_protocol.md), and have
// the machine's byte order in a backend (an implementation that the suite judges).

#ifndef DECONV_CONFORMANCE_BACKENDS_BYTE_ORDER_H_
#define DECONV_CONFORMANCE_BACKENDS_BYTE_ORDER_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace conformance {

/// Reverses the bytes of each element. `width` is the number of bytes of an element, at least 1. Bytes after the last
/// whole element are not changed.
inline void ReverseElements(std::span<std::byte> tensor, std::size_t width) {
  for (; tensor.size() >= width; tensor = tensor.subspan(width)) std::ranges::reverse(tensor.first(width));
}

/// Converts from the protocol's byte order to the machine's, or back.
inline void ConvertByteOrder(std::span<std::byte> tensor, std::size_t width) {
  if constexpr (std::endian::native == std::endian::big) ReverseElements(tensor, width);
}

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_BYTE_ORDER_H_
