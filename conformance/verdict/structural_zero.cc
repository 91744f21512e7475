// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// With zeros inserted, the output at o is a dense sum over the window of (K - 1) * d + 1 positions that ends at o +
// pads_begin. Every tap of the filter meets an element there, and so does every data element in the window.

#include "conformance/verdict/structural_zero.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "conformance/verdict/bound.h"
#include "conformance/verdict/compare.h"
#include "oracle/float_bits.h"
#include "oracle/operands.h"

namespace conformance {
namespace {

using oracle::Axis;
using oracle::Dims;
using oracle::Geometry;

struct Position {
  std::int64_t batch = 0;
  std::int64_t channel = 0;  ///< over all groups
  Dims at;                   ///< along the axes
};

Position PositionOf(const Dims& coordinate, bool channels_last) {
  Position position;
  position.batch = coordinate.front();
  position.channel = channels_last ? coordinate.back() : coordinate[1];
  const std::ptrdiff_t first = channels_last ? 1 : 2;
  position.at.assign(coordinate.begin() + first, coordinate.end() - (channels_last ? 1 : 0));
  return position;
}

Dims DataDims(const Geometry& geometry) {
  Dims dims = {geometry.batch};
  const std::int64_t channels = geometry.groups * geometry.in_channels;
  const bool last = geometry.layout == oracle::DataLayout::kNxc;
  if (!last) dims.push_back(channels);
  for (const Axis& axis : geometry.axes) dims.push_back(axis.data);
  if (last) dims.push_back(channels);
  return dims;
}

/// Calls `visit` with the flat index of each NaN and infinity until it returns true; whether it did.
template <class Visit>
bool AnySpecial(std::span<const std::byte> raw, oracle::ElementType type, const Visit& visit) {
  const std::size_t bytes = oracle::ElementBytes(type);
  for (std::size_t e = 0; e < raw.size() / bytes; ++e) {
    const double value = oracle::FloatValue(oracle::LoadBits(raw.data() + e * bytes, bytes), type);
    if (!std::isfinite(value) && visit(static_cast<std::int64_t>(e))) return true;
  }
  return false;
}

}  // namespace

bool StructuralZeroMeetsSpecial(const oracle::Operands& operands, const Dims& coordinate) {
  const Geometry& geometry = operands.geometry();
  if (!oracle::IsFloat(geometry.type)) return false;
  // Operands that are all finite need no bits, and have none here.
  const oracle::Operands::Decoded& decoded = operands.decoded();
  const bool channels_last = geometry.layout == oracle::DataLayout::kNxc;
  const Position output = PositionOf(coordinate, channels_last);
  const std::int64_t group = output.channel / geometry.out_channels;

  std::int64_t kernel = 1;
  for (const Axis& axis : geometry.axes) kernel *= axis.kernel;
  const auto reads_tap = [&](std::int64_t e) {
    const std::int64_t in = geometry.in_channels;
    const std::int64_t out = geometry.out_channels;
    const bool xoi = geometry.filter_layout == oracle::FilterLayout::kXoi;
    const std::int64_t channels = in * geometry.groups;
    const std::int64_t tap_group = xoi ? e % channels / in : e / (kernel * out * in);
    const std::int64_t tap_out = xoi ? e / channels % out : e / kernel % out;
    return tap_group == group && tap_out == output.channel % out;
  };
  const Dims data_dims = DataDims(geometry);
  const auto reads_data = [&](std::int64_t e) {
    const Position data = PositionOf(CoordinateOf(e, data_dims), channels_last);
    if (data.batch != output.batch || data.channel / geometry.in_channels != group) return false;
    for (std::size_t j = 0; j < geometry.axes.size(); ++j) {
      const Axis& axis = geometry.axes[j];
      const std::int64_t distance = output.at[j] + axis.pads_begin - axis.stride * data.at[j];
      if (distance < 0 || distance > (axis.kernel - 1) * axis.dilation) return false;
    }
    return true;
  };
  return AnySpecial(decoded.filter.raw, geometry.type, reads_tap) ||
         AnySpecial(decoded.data.raw, geometry.type, reads_data);
}

}  // namespace conformance
