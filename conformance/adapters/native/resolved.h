// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// For adapters that take resolved geometry (sizes and pads that the suite has computed): the dims and steps of the
// suite's tensors, copies into another layout, and a description that these adapters share.

#ifndef DECONV_CONFORMANCE_ADAPTERS_NATIVE_RESOLVED_H_
#define DECONV_CONFORMANCE_ADAPTERS_NATIVE_RESOLVED_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "conformance/adapters/native/adapter.h"

namespace native {

using Geometry = deconv_resolved_geometry;

/// A tensor as a list of dims, with the distance in elements from one index of a dim to the next (its step). Example:
/// the dims [2, 3] in row-major order have the steps [3, 1].
struct Strided {
  Dims dims, steps;
};

/// Returns the number of elements of a tensor.
inline std::int64_t Count(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

/// Returns the tensor with its axis 1 behind the others: [A, B, C, D] becomes [A, C, D, B]. The memory stays as it is.
inline Strided WithAxis1Last(Strided t) {
  std::rotate(t.dims.begin() + 1, t.dims.begin() + 2, t.dims.end());
  std::rotate(t.steps.begin() + 1, t.steps.begin() + 2, t.steps.end());
  return t;
}

/// Returns the tensor without its axis 0, whose size is 1. For filters with one group.
inline Strided WithoutAxis0(Strided t) {
  t.dims.erase(t.dims.begin());
  t.steps.erase(t.steps.begin());
  return t;
}

/// Steps are products of sizes. A size of 0 counts as 1 in them, so that an empty tensor has steps too.
inline std::int64_t AtLeast1(std::int64_t size) { return std::max<std::int64_t>(size, 1); }

/// Returns data or output as [N, C, spatial...], wherever the channels are in memory. `spatial` are its sizes. Example:
/// with batch 1, 3 channels and the sizes 4 and 5, the dims are [1, 3, 4, 5]. The steps are [60, 20, 5, 1] if the
/// memory has the channels first, and [60, 1, 15, 3] if it has them last.
inline Strided ChannelsFirst(const Geometry& g, std::int64_t channels, const std::int64_t* spatial) {
  const auto rank = static_cast<std::size_t>(g.spatial_rank);
  Strided t{.dims = {g.batch, channels}, .steps = Dims(rank + 2)};
  t.dims.insert(t.dims.end(), spatial, spatial + rank);
  std::int64_t step = 1;
  if (g.channels_last != 0) {
    t.steps[1] = 1;
    step = AtLeast1(channels);
  }
  for (std::size_t j = rank + 1; j >= 2; --j) {
    t.steps[j] = step;
    step *= AtLeast1(t.dims[j]);
  }
  if (g.channels_last == 0) {
    t.steps[1] = step;
    step *= AtLeast1(channels);
  }
  t.steps[0] = step;
  return t;
}

/// Returns data or output as [N, spatial..., C], wherever the channels are in memory.
inline Strided ChannelsLast(const Geometry& g, std::int64_t channels, const std::int64_t* spatial) {
  return WithAxis1Last(ChannelsFirst(g, channels, spatial));
}

/// Returns the filter as [G, I/G, O/G, spatial...], whatever its order in memory is: XIO is [spatial..., O/G, I], and
/// the other layouts are in the order of the result.
inline Strided FilterOf(const Geometry& g) {
  const auto rank = static_cast<std::size_t>(g.spatial_rank);
  Strided t{.dims = {g.groups, g.in_channels / g.groups, g.out_channels / g.groups}, .steps = Dims(rank + 3)};
  t.dims.insert(t.dims.end(), g.kernel, g.kernel + rank);
  const bool xio = g.filter_layout == DECONV_FILTER_XIO;
  std::int64_t step = xio ? AtLeast1(g.in_channels) * AtLeast1(t.dims[2]) : 1;
  for (std::size_t j = rank + 2; j >= 3; --j) {
    t.steps[j] = step;
    step *= AtLeast1(t.dims[j]);
  }
  t.steps[2] = xio ? AtLeast1(g.in_channels) : step;
  t.steps[1] = xio ? 1 : step * AtLeast1(t.dims[2]);
  t.steps[0] = t.steps[1] * AtLeast1(t.dims[1]);
  return t;
}

/// Copies between a tensor with steps and a dense tensor of the same dims, with `bytes` bytes for each element. Copies
/// from strided to dense if `kToDense`, else from dense to strided. `index` counts through the dims like an odometer,
/// and `offset` is its place in the strided tensor, in elements.
template <bool kToDense>
void Copy(const Strided& t, void* strided, void* dense, std::size_t bytes) {
  if (Count(t.dims) == 0) return;
  auto* const first = static_cast<char*>(strided);
  auto* packed = static_cast<char*>(dense);
  Dims index(t.dims.size(), 0);
  std::int64_t offset = 0;
  while (true) {
    char* const element = first + offset * static_cast<std::int64_t>(bytes);
    std::memcpy(kToDense ? packed : element, kToDense ? element : packed, bytes);
    packed += bytes;
    std::size_t j = index.size();
    while (j > 0 && index[j - 1] + 1 == t.dims[j - 1]) {
      offset -= index[j - 1] * t.steps[j - 1];
      index[--j] = 0;
    }
    if (j == 0) return;
    ++index[j - 1];
    offset += t.steps[j - 1];
  }
}

/// Copies the elements of a tensor with steps in the order of its dims.
inline void ToDense(const Strided& t, const void* from, void* to, std::size_t bytes) {
  Copy<true>(t, const_cast<void*>(from), to, bytes);
}

/// Copies dense elements into a tensor with steps.
inline void FromDense(const Strided& t, const void* from, void* to, std::size_t bytes) {
  Copy<false>(t, to, const_cast<void*>(from), bytes);
}

/// Returns the largest of the numbers that a library may have to hold in 32 bits: sizes, strides, dilations and pads. A
/// negative pad counts as -(pad + 1), because 32 bits hold one more number below 0 than above it.
inline std::int64_t LargestNumber(const Geometry& g) {
  std::int64_t largest = std::max({g.batch, g.groups, g.in_channels, g.out_channels});
  for (std::int32_t j = 0; j < g.spatial_rank; ++j) {
    for (const std::int64_t value : {g.data[j], g.kernel[j], g.strides[j], g.dilations[j], g.output[j], g.pads_begin[j],
                                     g.pads_end[j], g.output_padding[j]}) {
      largest = std::max(largest, value < 0 ? -(value + 1) : value);
    }
  }
  return largest;
}

/// Whether the suite can send resolved geometry. The requests of an older suite end before the field `resolved`. A
/// backend that needs the field must not open then.
inline bool SendsResolved(const deconv_backend& suite) { return Has(suite, &deconv_backend::supports); }

/// Returns an operator of a type with one spatial axis, in which every size is 1. An adapter asks the library for it,
/// to learn whether the library has the type on this CPU.
inline Geometry SmallestGeometry(std::int32_t element_type) {
  Geometry g{};
  g.element_type = element_type;
  g.spatial_rank = 1;
  g.batch = g.groups = g.in_channels = g.out_channels = 1;
  g.data[0] = g.kernel[0] = g.strides[0] = g.dilations[0] = g.output[0] = 1;
  return g;
}

/// Returns the part of the description that all adapters with resolved geometry share. Each adapter completes it.
inline deconv_backend_description CommonDescription(const char* name, const char* version,
                                                    const char* const* dialects) {
  deconv_backend_description d{};
  d.size = sizeof(d);
  d.name = name;
  d.version = version;
  d.dialects = dialects;
  d.operators = 1U << DECONV_ID_CONVOLUTION_BACKPROP_DATA | 1U << DECONV_ID_GROUP_CONVOLUTION_BACKPROP_DATA |
                1U << DECONV_ID_CONVOLUTION_BACKWARD_DATA | 1U << DECONV_ID_CONV_TRANSPOSE;
  d.element_types = 1U << DECONV_ID_F32;
  d.min_rank = 3;
  d.max_rank = 4;
  d.takes_resolved = 1;
  return d;
}

}  // namespace native

#endif  // DECONV_CONFORMANCE_ADAPTERS_NATIVE_RESOLVED_H_
