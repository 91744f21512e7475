// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The first of the two loops that compute the reference outputs. For each output it finds the pairs of data element and
// filter element that belong to it, and adds their products. Rule V1 of oracle/clauses.md says which: along an axis,
// data element i and filter element k belong to output o if stride * i + dilation * k = o + pads_begin. Such a pair is
// called a tap. Example: kernel 3, stride 2, no pads. Output 4 is the sum for i = 2, k = 0 and for i = 1, k = 2.
//
// The loop is plain: no threads, no vectors, no blocks. It keeps two lists of taps from output to output, because
// neighbouring outputs share taps. The list of the last axis ("inner") serves every row. The list of the other axes
// ("outer") serves one row. The second loop is in scatter.cc. oracle/loops_test.cc compares both loops with each other,
// and this one with rule V1.

#include <algorithm>
#include <cassert>

#include "oracle/products.h"

namespace oracle {
namespace {

/// A pair (i, k) of data element and filter element, as offsets into the data and filter tensors.
struct Tap {
  std::int64_t data;
  std::int64_t filter;
};

/// The length of a stretch: the most coordinates of the last axis whose taps are kept at a time. A longer row is
/// computed in several stretches. With a kernel of 16 and stride 1, the taps of a stretch take about a megabyte.
constexpr std::int64_t kStretchLength = 4096;

/// The most taps that a stretch keeps, for kernels of any length: 4 MB.
constexpr std::int64_t kKeptTaps = 1 << 18;

/// The distance in elements between neighbours along each dimension of a tensor (the memory strides).
struct Steps {
  std::int64_t batch = 0;
  std::int64_t group = 0;
  std::int64_t in_channel = 0;
  std::int64_t out_channel = 0;
  std::vector<std::int64_t> axes;
};

/// The steps of the data tensor. `is_nxc` stands for the layout [N, spatial, C]; the other layout is [N, C, spatial].
Steps DataSteps(const Geometry& geometry) {
  Steps steps;
  const std::size_t rank = geometry.axes.size();
  steps.axes.resize(rank);
  const bool is_nxc = geometry.layout == DataLayout::kNxc;
  std::int64_t step = is_nxc ? geometry.groups * geometry.in_channels : 1;
  for (std::size_t j = rank; j-- > 0;) {
    steps.axes[j] = step;
    step *= geometry.axes[j].data;
  }
  steps.in_channel = is_nxc ? 1 : step;
  steps.group = steps.in_channel * geometry.in_channels;
  steps.batch = is_nxc ? step : steps.group * geometry.groups;
  return steps;
}

/// The steps of the filter. `is_xoi` stands for the layout [spatial, C_OUT, C_IN]. The other layouts are [C_IN, C_OUT,
/// spatial], with or without groups.
Steps FilterSteps(const Geometry& geometry) {
  Steps steps;
  const std::size_t rank = geometry.axes.size();
  steps.axes.resize(rank);
  const bool is_xoi = geometry.filter_layout == FilterLayout::kXoi;
  std::int64_t step = is_xoi ? geometry.groups * geometry.in_channels * geometry.out_channels : 1;
  for (std::size_t j = rank; j-- > 0;) {
    steps.axes[j] = step;
    step *= geometry.axes[j].kernel;
  }
  steps.in_channel = is_xoi ? 1 : step * geometry.out_channels;
  steps.out_channel = is_xoi ? geometry.groups * geometry.in_channels : step;
  steps.group = steps.in_channel * geometry.in_channels;
  return steps;
}

/// Computes the sums of a range of outputs. `Products` is a class of oracle/products.h, which multiplies and adds.
template <class Products>
class Gatherer {
 public:
  Gatherer(const Geometry& geometry, const Products& products)
      : geometry_(geometry),
        products_(products),
        data_steps_(DataSteps(geometry)),
        filter_steps_(FilterSteps(geometry)),
        dims_(geometry.OutputDims()),
        first_axis_(geometry.layout == DataLayout::kNxc ? 1 : 2) {}

  /// Fills `sums` with one entry for each output of `range`.
  void ComputeSums(OutputRange range, std::span<typename Products::Result> sums) {
    if (range.count == 0) return;
    const std::size_t channel_at = geometry_.layout == DataLayout::kNxc ? dims_.size() - 1 : 1;
    MoveTo(range.begin);
    typename Products::Sum sum;
    for (std::int64_t n = 0; n < range.count; ++n, MoveToNext()) {
      const std::int64_t batch = output_at_[0];
      const std::int64_t group = output_at_[channel_at] / geometry_.out_channels;
      const std::int64_t out_channel = output_at_[channel_at] % geometry_.out_channels;
      const std::int64_t data_of_group = batch * data_steps_.batch + group * data_steps_.group;
      const std::int64_t filter_of_channel = group * filter_steps_.group + out_channel * filter_steps_.out_channel;
      FindOuterTaps();
      const std::span<const Tap> inner = FindInnerTaps(range.count - n);
      Products::Clear(sum);
      for (const Tap& outer : outer_taps_) {
        for (const Tap& tap : inner) {
          const std::int64_t first_data = data_of_group + outer.data + tap.data;
          const std::int64_t first_filter = filter_of_channel + outer.filter + tap.filter;
          // The channel loop is innermost, so that the offsets of a tap are computed once for all channels.
          for (std::int64_t c = 0; c < geometry_.in_channels; ++c) {
            products_.Add(sum, first_data + c * data_steps_.in_channel, first_filter + c * filter_steps_.in_channel);
          }
        }
      }
      products_.FinishSum(sum, sums[static_cast<std::size_t>(n)]);
    }
  }

 private:
  /// Sets `output_at_` to the coordinates of the output with the flat index `index`.
  void MoveTo(std::int64_t index) {
    output_at_.resize(dims_.size());
    for (std::size_t i = dims_.size(); i-- > 0;) {
      output_at_[i] = index % dims_[i];
      index /= dims_[i];
    }
  }

  /// Sets `output_at_` to the coordinates of the next output.
  void MoveToNext() {
    for (std::size_t i = dims_.size(); i-- > 0;) {
      if (++output_at_[i] < dims_[i]) return;
      output_at_[i] = 0;
    }
  }

  /// Appends the taps of output coordinate `o` of axis j. Appends nothing without input channels: such a filter is
  /// empty, and its other sizes may be too large for a loop.
  void AppendTaps(std::size_t j, std::int64_t o, std::vector<Tap>& taps) const {
    if (geometry_.in_channels == 0) return;
    const Axis& axis = geometry_.axes[j];
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t shifted = o + axis.pads_begin;  // stride * i + dilation * k
      if (shifted < axis.dilation * k) break;
      const std::int64_t strided = shifted - axis.dilation * k;  // stride * i
      if (strided % axis.stride != 0) continue;
      const std::int64_t i = strided / axis.stride;
      if (i < axis.data) taps.push_back({.data = i * data_steps_.axes[j], .filter = k * filter_steps_.axes[j]});
    }
  }

  /// Sets `outer_taps_` to the combined taps of all axes but the last: each choice of one tap for each axis, with the
  /// offsets added. Does nothing while the coordinates of these axes stay the same.
  void FindOuterTaps() {
    const auto coordinates = std::span(output_at_).subspan(first_axis_, geometry_.axes.size() - 1);
    if (outer_known_ && std::equal(coordinates.begin(), coordinates.end(), outer_at_.begin())) return;
    outer_known_ = true;
    outer_at_.assign(coordinates.begin(), coordinates.end());
    outer_taps_.assign(1, Tap{.data = 0, .filter = 0});
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      one_axis_taps_.clear();
      AppendTaps(j, coordinates[j], one_axis_taps_);
      combined_taps_.clear();
      for (const Tap& before : outer_taps_) {
        for (const Tap& tap : one_axis_taps_) {
          combined_taps_.push_back({.data = before.data + tap.data, .filter = before.filter + tap.filter});
        }
      }
      outer_taps_.swap(combined_taps_);
    }
  }

  /// Returns the taps of the current coordinate of the last axis. If these taps are not kept yet, it first finds the
  /// taps of up to `wanted` coordinates, beginning with the current one.
  ///
  /// Example: kernel 3, stride 2, no pads, 3 data elements. `inner_taps_` holds the taps of the outputs 0 to 6 one by
  /// one: k0 | k1 | k0 k2 | k1 | k0 k2 | k1 | k2. `inner_taps_ends_` is 1 2 4 5 7 8 9.
  std::span<const Tap> FindInnerTaps(std::int64_t wanted) {
    const std::size_t last = geometry_.axes.size() - 1;
    const std::int64_t o = output_at_[first_axis_ + last];
    const auto known = static_cast<std::int64_t>(inner_taps_ends_.size());
    if (o < stretch_first_ || o >= stretch_first_ + known) {
      stretch_first_ = o;
      inner_taps_ends_.clear();
      inner_taps_.clear();
      const std::int64_t affordable = std::max<std::int64_t>(kKeptTaps / geometry_.axes[last].kernel, 1);
      const std::int64_t count = std::min({wanted, kStretchLength, affordable, geometry_.axes[last].output - o});
      for (std::int64_t n = 0; n < count; ++n) {
        AppendTaps(last, o + n, inner_taps_);
        inner_taps_ends_.push_back(inner_taps_.size());
      }
    }
    const auto index = static_cast<std::size_t>(o - stretch_first_);
    const std::size_t begin = index == 0 ? 0 : inner_taps_ends_[index - 1];
    return std::span(inner_taps_).subspan(begin, inner_taps_ends_[index] - begin);
  }

  const Geometry& geometry_;
  const Products& products_;
  const Steps data_steps_;
  const Steps filter_steps_;
  const Dims dims_;
  const std::size_t first_axis_;  ///< the first spatial dimension of the output

  Dims output_at_;  ///< coordinates of the current output

  bool outer_known_ = false;                        ///< `outer_at_` and `outer_taps_` are set
  Dims outer_at_;                                   ///< the output's coordinates along all spatial axes but the last
  std::vector<Tap> outer_taps_;                     ///< taps of the coordinates `outer_at_`
  std::vector<Tap> one_axis_taps_, combined_taps_;  ///< buffers of FindOuterTaps

  std::int64_t stretch_first_ = 0;            ///< the first coordinate of the stretch
  std::vector<std::size_t> inner_taps_ends_;  ///< for each coordinate, the end of its taps in `inner_taps_`
  std::vector<Tap> inner_taps_;               ///< taps of the coordinates of the stretch, one after the other
};

}  // namespace

void Gather(const Operands& operands, OutputRange range, std::span<FloatSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithFloatProducts(operands,
                    [&](const auto& products) { Gatherer(operands.geometry(), products).ComputeSums(range, sums); });
}

void Gather(const Operands& operands, OutputRange range, std::span<IntegerSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithIntegerProducts(operands,
                      [&](const auto& products) { Gatherer(operands.geometry(), products).ComputeSums(range, sums); });
}

}  // namespace oracle
