// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes data and filter. The unit of a floating-point tensor is the largest power of two that divides all of its
// elements, which are stored as integers in that unit. Example: 1.5, 0.25 and -2 have the unit 2^-2 and become 6, 1 and
// -8. If sums of such integers could exceed 128 bits, or an element is not finite, the elements are stored undecoded.

#include "oracle/operands.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "oracle/float_bits.h"
#include "oracle/window_sum.h"

namespace oracle {
namespace {

/// Each element of a tensor is a multiple of 2^low, and its magnitude is below 2^high. Both are 0 if all elements are
/// 0.
struct Extent {
  bool finite = true;
  bool subnormal = false;
  int low = 0;
  int high = 0;
};

std::uint64_t Element(std::span<const std::byte> tensor, std::size_t bytes, std::size_t e) {
  return LoadBits(tensor.data() + e * bytes, bytes);
}

Extent ScanFloats(std::span<const std::byte> tensor, ElementType type) {
  const std::size_t bytes = ElementBytes(type);
  Extent extent;
  bool any = false;
  for (std::size_t e = 0; e < tensor.size() / bytes; ++e) {
    const FloatParts parts = DecodeFloat(Element(tensor, bytes, e), type);
    if (parts.kind != FloatClass::kFinite) extent.finite = false;
    if (parts.significand == 0) continue;
    extent.subnormal = extent.subnormal || parts.subnormal;
    const int low = parts.exponent + std::countr_zero(parts.significand);
    const int high = parts.exponent + static_cast<int>(std::bit_width(parts.significand));
    extent.low = any ? std::min(extent.low, low) : low;
    extent.high = any ? std::max(extent.high, high) : high;
    any = true;
  }
  return extent;
}

void DecodeFloats(std::span<const std::byte> tensor, ElementType type, const Extent& extent, DecodedTensor& decoded) {
  const std::size_t bytes = ElementBytes(type);
  const std::size_t count = tensor.size() / bytes;
  decoded.exponent = extent.low;
  decoded.values.resize(count);
  if (extent.subnormal) decoded.subnormals.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    const FloatParts parts = DecodeFloat(Element(tensor, bytes, e), type);
    // All bits below the unit are 0, so both shifts are exact.
    const int shift = parts.exponent - extent.low;
    std::uint64_t value = 0;
    if (parts.significand != 0) value = shift >= 0 ? parts.significand << shift : parts.significand >> -shift;
    const auto magnitude = static_cast<std::int64_t>(value);
    decoded.values[e] = parts.negative ? -magnitude : magnitude;
    if (extent.subnormal) decoded.subnormals[e] = parts.subnormal ? 1 : 0;
  }
}

std::int64_t DecodeInteger(std::uint64_t bits, ElementType type) {
  const int unused = 64 - 8 * static_cast<int>(ElementBytes(type));
  // Shifting a signed number right copies its sign bit.
  return IsSigned(type) ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
}

/// Decodes the tensor, and returns the smallest p with all magnitudes below 2^p.
int DecodeIntegers(std::span<const std::byte> tensor, ElementType type, DecodedTensor& decoded) {
  const std::size_t bytes = ElementBytes(type);
  decoded.values.resize(tensor.size() / bytes);
  std::uint64_t largest = 0;
  for (std::size_t e = 0; e < decoded.values.size(); ++e) {
    const std::int64_t value = DecodeInteger(Element(tensor, bytes, e), type);
    decoded.values[e] = value;
    const auto bits = static_cast<std::uint64_t>(value);
    largest = std::max(largest, IsSigned(type) && value < 0 ? std::uint64_t{0} - bits : bits);
  }
  return static_cast<int>(std::bit_width(largest));
}

/// The most products of an output: the number of filter elements of one output channel.
std::uint64_t MostProducts(const Geometry& geometry) {
  auto products = static_cast<std::uint64_t>(geometry.in_channels);
  for (const Axis& axis : geometry.axes) products *= static_cast<std::uint64_t>(axis.kernel);
  return products;
}

}  // namespace

Operands::Operands(const Geometry& geometry, std::span<const std::byte> data, std::span<const std::byte> filter)
    : decoded_(std::make_unique<Decoded>()) {
  const ElementType type = geometry.type;
  [[maybe_unused]] const std::size_t bytes = ElementBytes(type);
  assert(data.size() == static_cast<std::size_t>(geometry.DataCount()) * bytes);
  assert(filter.size() == static_cast<std::size_t>(geometry.FilterCount()) * bytes);
  decoded_->geometry = geometry;
  const std::uint64_t products = MostProducts(geometry);
  if (IsInteger(type)) {
    const int data_bits = DecodeIntegers(data, type, decoded_->data);
    const int filter_bits = DecodeIntegers(filter, type, decoded_->filter);
    decoded_->form = WindowFits(data_bits, filter_bits, products) ? SumForm::kNarrowInteger : SumForm::kWideInteger;
    return;
  }
  const Extent data_extent = ScanFloats(data, type);
  const Extent filter_extent = ScanFloats(filter, type);
  const int data_bits = data_extent.high - data_extent.low;
  const int filter_bits = filter_extent.high - filter_extent.low;
  if (data_extent.finite && filter_extent.finite && WindowFits(data_bits, filter_bits, products)) {
    const bool narrow =
        NarrowWindowFits(data_bits, filter_bits, products) && !data_extent.subnormal && !filter_extent.subnormal;
    decoded_->form = narrow ? SumForm::kNarrowWindow : SumForm::kWindow;
    DecodeFloats(data, type, data_extent, decoded_->data);
    DecodeFloats(filter, type, filter_extent, decoded_->filter);
    return;
  }
  decoded_->form = SumForm::kExact;
  decoded_->data.raw.assign(data.begin(), data.end());
  decoded_->filter.raw.assign(filter.begin(), filter.end());
}

Operands::~Operands() = default;
Operands::Operands(Operands&&) noexcept = default;
Operands& Operands::operator=(Operands&&) noexcept = default;

const Geometry& Operands::geometry() const { return decoded_->geometry; }

}  // namespace oracle
