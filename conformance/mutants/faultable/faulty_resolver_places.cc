// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the offsets of elements in a geometry's tensors, and the numbers of elements.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/faultable/faulty_resolver.h"

namespace conformance::faults {
namespace {

// 0 of an empty tensor, even if its other dimensions together are beyond 64 bits.
std::int64_t ProductOf(const List& dims) {
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) product *= dim;
  return product;
}

std::int64_t Offset(bool channels_last, std::int64_t groups, std::int64_t channels, const std::vector<FaultyAxis>& axes,
                    std::int64_t FaultyAxis::* size, const Place& place) {
  const std::int64_t all_channels = groups * channels;
  const std::int64_t channel = place.group * channels + place.channel;
  std::int64_t offset = channels_last ? place.batch : place.batch * all_channels + channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * (axes[j].*size) + place.position[j];
  return channels_last ? offset * all_channels + channel : offset;
}

}  // namespace

List FaultyGeometry::OutputDims() const {
  List dims = {batch};
  if (!channels_last) dims.push_back(groups * out_channels);
  for (const FaultyAxis& axis : axes) dims.push_back(axis.output);
  if (channels_last) dims.push_back(groups * out_channels);
  return dims;
}

std::int64_t FaultyGeometry::OutputCount() const { return ProductOf(OutputDims()); }

std::int64_t FaultyGeometry::DataCount() const {
  List dims = {batch, groups, in_channels};
  for (const FaultyAxis& axis : axes) dims.push_back(axis.data);
  return ProductOf(dims);
}

std::int64_t FaultyGeometry::FilterCount() const {
  List dims = {groups, in_channels, out_channels};
  for (const FaultyAxis& axis : axes) dims.push_back(axis.kernel);
  return ProductOf(dims);
}

std::int64_t FaultyGeometry::DataOffset(const Place& place) const {
  return Offset(channels_last, groups, in_channels, axes, &FaultyAxis::data, place);
}

std::int64_t FaultyGeometry::OutputOffset(const Place& place) const {
  return Offset(channels_last, groups, out_channels, axes, &FaultyAxis::output, place);
}

std::int64_t FaultyGeometry::FilterOffset(const FilterPlace& place) const {
  const bool last = filter_order == FilterOrder::kChannelsLast;
  std::int64_t offset = last ? 0 : (place.group * in_channels + place.in_channel) * out_channels + place.out_channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * axes[j].kernel + place.tap[j];
  if (!last) return offset;
  return (offset * out_channels + place.out_channel) * (groups * in_channels) + place.group * in_channels +
         place.in_channel;
}

}  // namespace conformance::faults
