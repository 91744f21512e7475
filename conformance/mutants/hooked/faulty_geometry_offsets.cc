// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the offsets of elements in the tensors of an operator, and the numbers of elements. It belongs to the plain
// loop in which faults are planted.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/mutants/hooked/faulty_resolver.h"

namespace conformance::faults {
namespace {

// The product of the dims: 0 for an empty tensor, even if the product of its other dims exceeds 64 bits.
std::int64_t ProductOf(const List& dims) {
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  std::int64_t product = 1;
  for (const std::int64_t dim : dims) product *= dim;
  return product;
}

// The offset, in elements, of an element of data or output. `size` is the member with the tensor's size along an axis.
// Channels first, with one axis: (batch * all channels + channel) * size + position. Channels last:
// (batch * size + position) * all channels + channel.
std::int64_t Offset(bool channels_last, std::int64_t groups, std::int64_t channels, const std::vector<FaultyAxis>& axes,
                    std::int64_t FaultyAxis::* size, const TensorIndex& index) {
  const std::int64_t all_channels = groups * channels;
  const std::int64_t channel = index.group * channels + index.channel;
  std::int64_t offset = channels_last ? index.batch : index.batch * all_channels + channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * (axes[j].*size) + index.position[j];
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

std::int64_t FaultyGeometry::DataOffset(const TensorIndex& index) const {
  return Offset(channels_last, groups, in_channels, axes, &FaultyAxis::data, index);
}

std::int64_t FaultyGeometry::OutputOffset(const TensorIndex& index) const {
  return Offset(channels_last, groups, out_channels, axes, &FaultyAxis::output, index);
}

std::int64_t FaultyGeometry::FilterOffset(const FilterIndex& index) const {
  const bool last = filter_order == FilterOrder::kChannelsLast;
  std::int64_t offset = last ? 0 : (index.group * in_channels + index.in_channel) * out_channels + index.out_channel;
  for (std::size_t j = 0; j < axes.size(); ++j) offset = offset * axes[j].kernel + index.tap[j];
  if (!last) return offset;
  return (offset * out_channels + index.out_channel) * (groups * in_channels) + index.group * in_channels +
         index.in_channel;
}

}  // namespace conformance::faults
