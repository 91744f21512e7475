// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The first of the oracle's two loops. For each output it finds the data elements and taps that belong to it, and adds
// their products. Along an axis, element i and tap k belong to output o if stride * i + dilation * k = o + pads_begin
// (clause V1). Example: kernel 3, stride 2, no pads. Output 4 is the sum for i = 2, k = 0 and for i = 1, k = 2.
//
// The loop is a reference: no threads, no vectors, no blocks. It keeps two lists of taps from output to output, because
// neighbouring outputs share taps. The list of the last axis serves every row; the list of the other axes serves one
// row. The second loop is in scatter.cc. oracle/loops_test.cc compares both with the formula of clause V1.

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
constexpr std::int64_t kStretch = 4096;

/// The most taps that a stretch keeps, for kernels of any length: 4 MB.
constexpr std::int64_t kKeptTaps = 1 << 18;

/// The distance in elements between neighbours along each dimension of a tensor.
struct Steps {
  std::int64_t batch = 0;
  std::int64_t group = 0;
  std::int64_t in_channel = 0;
  std::int64_t out_channel = 0;
  std::vector<std::int64_t> axes;
};

/// `nxc` stands for the layout [N, spatial, C]; the other layout is [N, C, spatial].
Steps DataSteps(const Geometry& geometry) {
  Steps steps;
  const std::size_t rank = geometry.axes.size();
  steps.axes.resize(rank);
  const bool nxc = geometry.layout == DataLayout::kNxc;
  std::int64_t step = nxc ? geometry.groups * geometry.in_channels : 1;
  for (std::size_t j = rank; j-- > 0;) {
    steps.axes[j] = step;
    step *= geometry.axes[j].data;
  }
  steps.in_channel = nxc ? 1 : step;
  steps.group = steps.in_channel * geometry.in_channels;
  steps.batch = nxc ? step : steps.group * geometry.groups;
  return steps;
}

/// `xoi` stands for the layout [spatial, C_OUT, C_IN]; the others are [C_IN, C_OUT, spatial] with or without groups.
Steps FilterSteps(const Geometry& geometry) {
  Steps steps;
  const std::size_t rank = geometry.axes.size();
  steps.axes.resize(rank);
  const bool xoi = geometry.filter_layout == FilterLayout::kXoi;
  std::int64_t step = xoi ? geometry.groups * geometry.in_channels * geometry.out_channels : 1;
  for (std::size_t j = rank; j-- > 0;) {
    steps.axes[j] = step;
    step *= geometry.axes[j].kernel;
  }
  steps.in_channel = xoi ? 1 : step * geometry.out_channels;
  steps.out_channel = xoi ? geometry.groups * geometry.in_channels : step;
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

  void Run(OutputRange range, std::span<typename Products::Result> sums) {
    if (range.count == 0) return;
    const std::size_t channel_at = geometry_.layout == DataLayout::kNxc ? dims_.size() - 1 : 1;
    MoveTo(range.begin);
    typename Products::Sum sum;
    for (std::int64_t n = 0; n < range.count; ++n, Next()) {
      const std::int64_t batch = at_[0];
      const std::int64_t group = at_[channel_at] / geometry_.out_channels;
      const std::int64_t out_channel = at_[channel_at] % geometry_.out_channels;
      const std::int64_t data_of_group = batch * data_steps_.batch + group * data_steps_.group;
      const std::int64_t filter_of_channel = group * filter_steps_.group + out_channel * filter_steps_.out_channel;
      FindOuter();
      const std::span<const Tap> inner = FindInner(range.count - n);
      Products::Clear(sum);
      for (const Tap& outer : outer_) {
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
  /// Sets the coordinates `at_` to those of output `index` of the flattened tensor. Next() moves on by one output.
  void MoveTo(std::int64_t index) {
    at_.resize(dims_.size());
    for (std::size_t i = dims_.size(); i-- > 0;) {
      at_[i] = index % dims_[i];
      index /= dims_[i];
    }
  }

  void Next() {
    for (std::size_t i = dims_.size(); i-- > 0;) {
      if (++at_[i] < dims_[i]) return;
      at_[i] = 0;
    }
  }

  /// Appends the taps of coordinate `o` of axis j. Appends nothing without input channels: such a filter is empty, and
  /// its other sizes may be too large for a loop.
  void AppendTaps(std::size_t j, std::int64_t o, std::vector<Tap>& taps) const {
    if (geometry_.in_channels == 0) return;
    const Axis& axis = geometry_.axes[j];
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t shifted = o + axis.pads_begin;
      if (shifted < axis.dilation * k) break;
      const std::int64_t strided = shifted - axis.dilation * k;  // stride * i
      if (strided % axis.stride != 0) continue;
      const std::int64_t i = strided / axis.stride;
      if (i < axis.data) taps.push_back({.data = i * data_steps_.axes[j], .filter = k * filter_steps_.axes[j]});
    }
  }

  /// Sets `outer_` to the combined taps of all axes but the last: each choice of one tap for each axis, with the
  /// offsets added. Does nothing while the coordinates of these axes stay the same.
  void FindOuter() {
    const auto coordinates = std::span(at_).subspan(first_axis_, geometry_.axes.size() - 1);
    if (outer_known_ && std::equal(coordinates.begin(), coordinates.end(), outer_at_.begin())) return;
    outer_known_ = true;
    outer_at_.assign(coordinates.begin(), coordinates.end());
    outer_.assign(1, Tap{.data = 0, .filter = 0});
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      axis_taps_.clear();
      AppendTaps(j, coordinates[j], axis_taps_);
      combined_.clear();
      for (const Tap& before : outer_) {
        for (const Tap& tap : axis_taps_) {
          combined_.push_back({.data = before.data + tap.data, .filter = before.filter + tap.filter});
        }
      }
      outer_.swap(combined_);
    }
  }

  /// Returns the taps of the current coordinate of the last axis. If these taps are not kept yet, it first finds the
  /// taps of up to `wanted` coordinates, beginning with the current one.
  ///
  /// Example: kernel 3, stride 2, no pads, 3 data elements. `inner_` holds the taps of the outputs 0 to 6 one by one:
  /// k0 | k1 | k0 k2 | k1 | k0 k2 | k1 | k2. `inner_ends_` is 1 2 4 5 7 8 9.
  std::span<const Tap> FindInner(std::int64_t wanted) {
    const std::size_t last = geometry_.axes.size() - 1;
    const std::int64_t o = at_[first_axis_ + last];
    const auto known = static_cast<std::int64_t>(inner_ends_.size());
    if (o < inner_first_ || o >= inner_first_ + known) {
      inner_first_ = o;
      inner_ends_.clear();
      inner_.clear();
      const std::int64_t affordable = std::max<std::int64_t>(kKeptTaps / geometry_.axes[last].kernel, 1);
      const std::int64_t count = std::min({wanted, kStretch, affordable, geometry_.axes[last].output - o});
      for (std::int64_t n = 0; n < count; ++n) {
        AppendTaps(last, o + n, inner_);
        inner_ends_.push_back(inner_.size());
      }
    }
    const auto index = static_cast<std::size_t>(o - inner_first_);
    const std::size_t begin = index == 0 ? 0 : inner_ends_[index - 1];
    return std::span(inner_).subspan(begin, inner_ends_[index] - begin);
  }

  const Geometry& geometry_;
  const Products& products_;
  const Steps data_steps_;
  const Steps filter_steps_;
  const Dims dims_;
  const std::size_t first_axis_;  ///< the first spatial dimension of the output

  Dims at_;  ///< coordinates of the output

  bool outer_known_ = false;
  Dims outer_at_;
  std::vector<Tap> outer_;                 ///< taps of the coordinates `outer_at_`
  std::vector<Tap> axis_taps_, combined_;  ///< buffers of FindOuter

  std::int64_t inner_first_ = 0;         ///< the first coordinate of the stretch
  std::vector<std::size_t> inner_ends_;  ///< for each coordinate, the end of its taps in `inner_`
  std::vector<Tap> inner_;
};

}  // namespace

void Gather(const Operands& operands, OutputRange range, std::span<FloatSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithFloatProducts(operands, [&](const auto& products) { Gatherer(operands.geometry(), products).Run(range, sums); });
}

void Gather(const Operands& operands, OutputRange range, std::span<IntegerSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithIntegerProducts(operands,
                      [&](const auto& products) { Gatherer(operands.geometry(), products).Run(range, sums); });
}

}  // namespace oracle
