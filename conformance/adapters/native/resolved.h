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
#include <span>
#include <string>

#include "conformance/adapters/native/adapter.h"

namespace native {

using Geometry = deconv_resolved_geometry;

/// A tensor as a list of dims, with the distance in elements from one index of a dim to the next (its step). Example:
/// the dims [2, 3] in row-major order have the steps [3, 1].
struct Strided {
  Dims dims, steps;
};

inline std::int64_t Count(const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  return count;
}

/// Returns the tensor with its dims in another order: dim i of the result is dim order[i] of `t`.
inline Strided Ordered(const Strided& t, std::span<const std::size_t> order) {
  Strided ordered;
  for (const std::size_t j : order) {
    ordered.dims.push_back(t.dims[j]);
    ordered.steps.push_back(t.steps[j]);
  }
  return ordered;
}

/// Steps are products of sizes. A size of 0 counts as 1 in them, so that an empty tensor has steps too.
inline std::int64_t AtLeast1(std::int64_t size) { return std::max<std::int64_t>(size, 1); }

/// [N, C, spatial...] of data or output, wherever the channels are in memory.
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

/// [N, spatial..., C] of data or output of one or two spatial axes.
inline Strided ChannelsLast(const Geometry& g, std::int64_t channels, const std::int64_t* spatial) {
  const std::size_t order[] = {0, 2, 3, 1};
  const std::size_t order_1d[] = {0, 2, 1};
  return Ordered(ChannelsFirst(g, channels, spatial),
                 g.spatial_rank == 2 ? std::span<const std::size_t>(order) : order_1d);
}

/// [G, I/G, O/G, spatial...] of the filter, whatever its order in memory is.
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
/// from strided to dense if `kToDense`, else from dense to strided.
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

inline void ToDense(const Strided& t, const void* from, void* to, std::size_t bytes) {
  Copy<true>(t, const_cast<void*>(from), to, bytes);
}

inline void FromDense(const Strided& t, const void* from, void* to, std::size_t bytes) {
  Copy<false>(t, to, const_cast<void*>(from), bytes);
}

/// The largest of the numbers that a library may have to hold in 32 bits: sizes, steps, pads.
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

/// Returns the part of the description that all adapters with resolved geometry share. Each adapter completes it.
inline deconv_backend_description Described(const char* name, const char* version, const char* const* dialects) {
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
