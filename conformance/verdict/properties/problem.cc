// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts between operators and problems (the geometry and values of an operator), and between tensor layouts.

#include "conformance/verdict/properties/problem.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "conformance/verdict/properties/nd_array.h"

namespace conformance::properties {
namespace {

using oracle::Dims;
using oracle::Geometry;

// Orders for Transposed: axis order[i] of the array becomes axis i of the result. For rank 4, ChannelsLast is 0 2 3 1.

/// [N, C, X...] to [N, X..., C].
std::vector<std::size_t> ChannelsLast(std::size_t rank) {
  std::vector<std::size_t> order = {0};
  for (std::size_t i = 2; i < rank; ++i) order.push_back(i);
  order.push_back(1);
  return order;
}

/// [N, X..., C] to [N, C, X...].
std::vector<std::size_t> ChannelsSecond(std::size_t rank) {
  std::vector<std::size_t> order = {0, rank - 1};
  for (std::size_t i = 1; i + 1 < rank; ++i) order.push_back(i);
  return order;
}

/// [I, O, X...] to [X..., O, I], and back, when `back` is set.
std::vector<std::size_t> FilterOrder(std::size_t rank, bool back) {
  std::vector<std::size_t> order;
  if (back) order = {rank - 1, rank - 2};
  for (std::size_t i = 2; i < rank; ++i) order.push_back(back ? i - 2 : i);
  if (!back) order.insert(order.end(), {1, 0});
  return order;
}

/// The dims `first`, `second`, and the member `size` of each axis.
Dims WithSpatial(std::int64_t first, std::int64_t second, const Geometry& geometry, std::int64_t oracle::Axis::* size) {
  Dims dims = {first, second};
  for (const oracle::Axis& axis : geometry.axes) dims.push_back(axis.*size);
  return dims;
}

/// The integers of data set `integers`, with their magnitudes reduced to the range from 1 to `largest`.
std::vector<double> Filled(const Geometry& geometry, const ValueDraw& draw, Tensor tensor, std::int64_t count) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * oracle::ElementBytes(geometry.type));
  FillTensor(DataSet::kIntegers, draw.seed, geometry, tensor, bytes);
  std::vector<double> values = Decode(geometry.type, bytes);
  for (double& value : values) {
    value = std::copysign(std::fmod(std::fabs(value) - 1, static_cast<double>(draw.largest)) + 1, value);
  }
  return values;
}

}  // namespace

std::int64_t NaturalSize(const oracle::Axis& axis) {
  return axis.stride * (axis.data - 1) + axis.dilation * (axis.kernel - 1) + 1;
}

Problem ProblemOf(const Case& test_case, const Geometry& geometry, const ValueDraw& draw) {
  Problem problem;
  problem.kind = test_case.op.kind;
  problem.geometry = geometry;
  const std::int64_t channels = geometry.groups * geometry.in_channels;
  const Dims data = WithSpatial(geometry.batch, channels, geometry, &oracle::Axis::data);
  const Dims filter = WithSpatial(channels, geometry.out_channels, geometry, &oracle::Axis::kernel);
  NdArray data_in_layout{geometry.layout == oracle::DataLayout::kNcx ? data : [&] {
                           Dims dims;
                           for (const std::size_t i : ChannelsLast(data.size())) dims.push_back(data[i]);
                           return dims;
                         }(),
                         Filled(geometry, draw, Tensor::kData, geometry.DataCount())};
  problem.data = FromLayout(std::move(data_in_layout), geometry.layout);
  NdArray filter_in_layout{{}, Filled(geometry, draw, Tensor::kFilter, geometry.FilterCount())};
  if (geometry.filter_layout == oracle::FilterLayout::kXoi) {
    for (const std::size_t i : FilterOrder(filter.size(), false)) filter_in_layout.dims.push_back(filter[i]);
    problem.filter = Transposed(filter_in_layout, FilterOrder(filter.size(), true));
  } else {
    filter_in_layout.dims = filter;
    problem.filter = std::move(filter_in_layout);
  }
  return problem;
}

NdArray WeightsOfOutputs(const Geometry& geometry, const ValueDraw& draw) {
  return {OutputDims(geometry), Filled(geometry, draw, Tensor::kData, geometry.OutputCount())};
}

Dims OutputDims(const Geometry& geometry) {
  return WithSpatial(geometry.batch, geometry.groups * geometry.out_channels, geometry, &oracle::Axis::output);
}

OperatorDraft DraftOf(const Problem& problem) {
  const Geometry& geometry = problem.geometry;
  OperatorDraft draft;
  draft.kind = problem.kind;
  draft.batch = geometry.batch;
  draft.groups = geometry.groups;
  draft.in = geometry.in_channels;
  draft.out = geometry.out_channels;
  draft.type = geometry.type;
  draft.data_format = geometry.layout == oracle::DataLayout::kNxc ? DataFormat::kNxc : DataFormat::kNcx;
  draft.weights_format =
      geometry.filter_layout == oracle::FilterLayout::kXoi ? WeightsFormat::kXio : WeightsFormat::kOix;
  for (const oracle::Axis& axis : geometry.axes) {
    // The elements that pads_end crops; negative if output_padding lengthens the output.
    const std::int64_t rest = NaturalSize(axis) - axis.pads_begin - axis.output;
    draft.axes.push_back({.data = axis.data,
                          .kernel = axis.kernel,
                          .stride = axis.stride,
                          .dilation = axis.dilation,
                          .pads_begin = std::max<std::int64_t>(axis.pads_begin, 0),
                          .pads_end = std::max<std::int64_t>(rest, 0),
                          .output_padding = std::max<std::int64_t>(-rest, 0)});
  }
  return draft;
}

std::optional<oracle::Operator> Express(const Problem& problem) {
  const auto negative = [](const oracle::Axis& axis) { return axis.pads_begin < 0; };
  if (std::ranges::any_of(problem.geometry.axes, negative)) return std::nullopt;
  return Build(DraftOf(problem));
}

bool HaveEqualOutputs(Geometry a, Geometry b) {
  for (Geometry* geometry : {&a, &b}) {
    for (oracle::Axis& axis : geometry->axes) axis.pads_end = 0;
  }
  // GIOX and IOX name the same order of elements.
  for (Geometry* geometry : {&a, &b}) {
    if (geometry->filter_layout == oracle::FilterLayout::kGiox) geometry->filter_layout = oracle::FilterLayout::kIox;
  }
  return a == b;
}

NdArray InLayout(const NdArray& array, oracle::DataLayout layout) {
  if (layout == oracle::DataLayout::kNcx) return array;
  return Transposed(array, ChannelsLast(array.dims.size()));
}

NdArray FromLayout(NdArray array, oracle::DataLayout layout) {
  if (layout == oracle::DataLayout::kNcx) return array;
  return Transposed(array, ChannelsSecond(array.dims.size()));
}

NdArray FilterInLayout(const NdArray& filter, oracle::FilterLayout layout) {
  if (layout != oracle::FilterLayout::kXoi) return filter;
  return Transposed(filter, FilterOrder(filter.dims.size(), false));
}

}  // namespace conformance::properties
