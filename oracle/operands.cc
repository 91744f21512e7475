// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Decodes data and filter once, so that the loops of gather.cc and scatter.cc add integers. The unit of a
// floating-point tensor is the largest power of two that divides all of its elements. They are stored as integers in
// that unit. Example: 1.5, 0.25 and -2 have the unit 2^-2 and become 6, 1 and -8. If sums of such integers could exceed
// 128 bits, or an element is not finite, the elements are stored undecoded.

#include "oracle/operands.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "oracle/float_bits.h"
#include "oracle/window_sum.h"

namespace oracle {
namespace {

/// What ScanFloats finds in a tensor. Example: 1.5, 0.25 and -2 are multiples of 2^-2 and have magnitudes below 2^2.
struct FloatScan {
  bool all_finite = true;
  bool has_subnormal = false;
  int low = 0;   ///< each finite element is a multiple of 2^low, as large as possible; 0 if all elements are 0
  int high = 0;  ///< the magnitude of each finite element is below 2^high, as small as possible; 0 if all are 0
};

/// The bits of element e; `bytes` is the size of an element.
std::uint64_t LoadElement(std::span<const std::byte> tensor, std::size_t bytes, std::size_t e) {
  return LoadBits(tensor.data() + e * bytes, bytes);
}

FloatScan ScanFloats(std::span<const std::byte> tensor, ElementType type) {
  const std::size_t bytes = ElementBytes(type);
  FloatScan scan;
  bool has_nonzero = false;
  for (std::size_t e = 0; e < tensor.size() / bytes; ++e) {
    const FloatParts parts = DecodeFloat(LoadElement(tensor, bytes, e), type);
    if (parts.kind != FloatClass::kFinite) scan.all_finite = false;
    if (parts.significand == 0) continue;
    scan.has_subnormal = scan.has_subnormal || parts.subnormal;
    const int low = parts.exponent + std::countr_zero(parts.significand);
    const int high = parts.exponent + static_cast<int>(std::bit_width(parts.significand));
    scan.low = has_nonzero ? std::min(scan.low, low) : low;
    scan.high = has_nonzero ? std::max(scan.high, high) : high;
    has_nonzero = true;
  }
  return scan;
}

/// Stores the elements as integers in units of 2^scan.low. All of them are finite.
void DecodeFloats(std::span<const std::byte> tensor, ElementType type, const FloatScan& scan, DecodedTensor& decoded) {
  const std::size_t bytes = ElementBytes(type);
  const std::size_t count = tensor.size() / bytes;
  decoded.exponent = scan.low;
  decoded.values.resize(count);
  if (scan.has_subnormal) decoded.subnormals.resize(count);
  for (std::size_t e = 0; e < count; ++e) {
    const FloatParts parts = DecodeFloat(LoadElement(tensor, bytes, e), type);
    // All bits below the unit are 0, so both shifts are exact.
    const int shift = parts.exponent - scan.low;
    std::uint64_t value = 0;
    if (parts.significand != 0) value = shift >= 0 ? parts.significand << shift : parts.significand >> -shift;
    const auto magnitude = static_cast<std::int64_t>(value);
    decoded.values[e] = parts.negative ? -magnitude : magnitude;
    if (scan.has_subnormal) decoded.subnormals[e] = parts.subnormal ? 1 : 0;
  }
}

/// The number that `bits` stand for in the integer `type`. A u64 keeps its 64 bits.
std::int64_t DecodeInteger(std::uint64_t bits, ElementType type) {
  const int unused = 64 - 8 * static_cast<int>(ElementBytes(type));
  // Shifting a signed number right copies its sign bit.
  return IsSigned(type) ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
}

/// Decodes the tensor, and returns the number of bits of its largest magnitude: 8 for the elements 3 and -130.
int DecodeIntegers(std::span<const std::byte> tensor, ElementType type, DecodedTensor& decoded) {
  const std::size_t bytes = ElementBytes(type);
  decoded.values.resize(tensor.size() / bytes);
  std::uint64_t largest = 0;
  for (std::size_t e = 0; e < decoded.values.size(); ++e) {
    const std::int64_t value = DecodeInteger(LoadElement(tensor, bytes, e), type);
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
  const FloatScan data_scan = ScanFloats(data, type);
  const FloatScan filter_scan = ScanFloats(filter, type);
  const int data_bits = data_scan.high - data_scan.low;
  const int filter_bits = filter_scan.high - filter_scan.low;
  if (data_scan.all_finite && filter_scan.all_finite && WindowFits(data_bits, filter_bits, products)) {
    const bool narrow =
        NarrowWindowFits(data_bits, filter_bits, products) && !data_scan.has_subnormal && !filter_scan.has_subnormal;
    decoded_->form = narrow ? SumForm::kNarrowWindow : SumForm::kWindow;
    DecodeFloats(data, type, data_scan, decoded_->data);
    DecodeFloats(filter, type, filter_scan, decoded_->filter);
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
