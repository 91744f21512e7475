// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the outputs that become NaN if a backend inserts zeros between the data elements and multiplies them. With
// zeros inserted, output o is a dense sum over a window of (K - 1) * d + 1 positions that ends at o + pads_begin. Every
// tap of the filter is multiplied there by a data element or a zero, and every data element in the window by a tap or a
// zero. K is the kernel size, d the dilation.
// Example with stride 2, K = 3, d = 1, no pads, data x, filter f: the spread data are x[0] 0 x[1] 0 x[2] 0 ... Output 2
// is
//   f[0] * x[1] + f[1] * 0 + f[2] * x[0]
// so an infinite f[1] makes it NaN, although the exact sum has no product with f[1].

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "conformance/verdict/declared_arithmetic.h"
#include "conformance/verdict/element.h"
#include "oracle/float_bits.h"
#include "oracle/operands.h"

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Dims;
using oracle::Geometry;

struct Position {
  std::int64_t batch = 0;
  std::int64_t channel = 0;  ///< channel, counted over all groups
  Dims at;                   ///< along the axes
};

/// `coordinate`: [N, C, X...], or [N, X..., C] if `channels_last`.
Position PositionOf(const Dims& coordinate, bool channels_last) {
  Position position;
  position.batch = coordinate.front();
  position.channel = channels_last ? coordinate.back() : coordinate[1];
  const std::ptrdiff_t first_axis = channels_last ? 1 : 2;
  position.at.assign(coordinate.begin() + first_axis, coordinate.end() - (channels_last ? 1 : 0));
  return position;
}

/// The dims of the data in the order in which they lie in memory.
Dims DataDims(const Geometry& geometry) {
  Dims dims = {geometry.batch};
  const std::int64_t channels = geometry.groups * geometry.in_channels;
  const bool channels_last = geometry.layout == oracle::DataLayout::kNxc;
  if (!channels_last) dims.push_back(channels);
  for (const Axis& axis : geometry.axes) dims.push_back(axis.data);
  if (channels_last) dims.push_back(channels);
  return dims;
}

/// Calls `visit` with the flat index of each NaN and infinity.
template <class Visit>
void ForEachSpecial(std::span<const std::byte> raw, oracle::ElementType type, const Visit& visit) {
  const std::size_t bytes = oracle::ElementBytes(type);
  for (std::size_t index = 0; index < raw.size() / bytes; ++index) {
    const double value = oracle::FloatValue(oracle::LoadBits(raw.data() + index * bytes, bytes), type);
    if (!std::isfinite(value)) visit(static_cast<std::int64_t>(index));
  }
}

}  // namespace

StructuralZeros::StructuralZeros(const oracle::Operands& operands) : geometry_(operands.geometry()) {
  // The product of the sizes of an empty filter may overflow.
  if (!oracle::IsFloat(geometry_.type) || geometry_.DataCount() == 0 || geometry_.FilterCount() == 0) return;
  const std::int64_t in = geometry_.in_channels;
  const std::int64_t out = geometry_.out_channels;
  Dims kernel_dims;
  std::int64_t kernel = 1;
  for (const Axis& axis : geometry_.axes) {
    kernel_dims.push_back(axis.kernel);
    kernel *= axis.kernel;
  }
  const bool xoi = geometry_.filter_layout == oracle::FilterLayout::kXoi;
  const std::int64_t channels = in * geometry_.groups;
  // The flat index of a filter element is ((group * in + input) * out + channel) * kernel + tap, where `kernel` is the
  // number of taps. In layout XIO it is (tap * out + channel) * channels + group * in + input.
  // `raw` is empty only if all operands are finite. Then the loops below find nothing.
  const oracle::Operands::Decoded& decoded = operands.decoded();
  ForEachSpecial(decoded.filter.raw, geometry_.type, [&](std::int64_t index) {
    const std::int64_t group = xoi ? index % channels / in : index / (kernel * out * in);
    const std::int64_t channel = xoi ? index / channels % out : index / kernel % out;
    const std::int64_t tap = xoi ? index / channels / out : index % kernel;
    taps_.push_back({group * out + channel, CoordinateOf(tap, kernel_dims)});
  });
  const Dims data_dims = DataDims(geometry_);
  ForEachSpecial(decoded.data.raw, geometry_.type, [&](std::int64_t index) {
    Position data = PositionOf(CoordinateOf(index, data_dims), geometry_.layout == oracle::DataLayout::kNxc);
    data_.push_back({data.batch, data.channel / in, std::move(data.at)});
  });
}

/// A NaN or infinite tap is multiplied at every output of its channel: by a data element, or by a zero between or
/// around the data elements. True if it is multiplied by a zero.
bool StructuralZeros::OverlapsZero(const SpecialTap& tap, const Dims& output) const {
  for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
    const Axis& axis = geometry_.axes[j];
    const std::int64_t from = output[j] + axis.pads_begin - axis.dilation * tap.at[j];
    if (from < 0 || from % axis.stride != 0 || from / axis.stride >= axis.data) return true;
  }
  return false;
}

/// A NaN or infinite data element is multiplied at every output whose window contains it: by a tap, or by a zero
/// between the taps. True if it is multiplied by a zero.
bool StructuralZeros::OverlapsZero(const SpecialData& data, const Dims& output) const {
  bool between_taps = false;
  for (std::size_t j = 0; j < geometry_.axes.size(); ++j) {
    const Axis& axis = geometry_.axes[j];
    const std::int64_t distance = output[j] + axis.pads_begin - axis.stride * data.at[j];
    if (distance < 0 || distance > (axis.kernel - 1) * axis.dilation) return false;
    between_taps = between_taps || distance % axis.dilation != 0;
  }
  return between_taps;
}

bool StructuralZeros::OverlapsSpecial(const Dims& coordinate) const {
  if (taps_.empty() && data_.empty()) return false;
  const Position output = PositionOf(coordinate, geometry_.layout == oracle::DataLayout::kNxc);
  const std::int64_t group = output.channel / geometry_.out_channels;
  return std::ranges::any_of(
             taps_,
             [&](const SpecialTap& tap) { return tap.channel == output.channel && OverlapsZero(tap, output.at); }) ||
         std::ranges::any_of(data_, [&](const SpecialData& data) {
           return data.batch == output.batch && data.group == group && OverlapsZero(data, output.at);
         });
}

}  // namespace conformance
