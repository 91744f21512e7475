// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The second of the two loops that compute the reference outputs. It goes data element by data element. A filter
// element is called a tap. Along an axis, data element i and tap k contribute to the output stride * i + dilation * k -
// pads_begin (rule V1 of oracle/clauses.md). Example: stride 2, no pads. Element 1 and tap 2 contribute to output 4.
//
// The outputs are computed in parts of a fixed size, to bound the memory. Data elements that contribute to no output of
// the current part are skipped. oracle/loops_test.cc compares this loop with the first one, gather.cc.

#include <algorithm>
#include <cassert>
#include <vector>

#include "oracle/products.h"

namespace oracle {
namespace {

/// The sum of an output takes up to 2 KB (FloatTerms has three ExactSums of 68 limbs), so a part takes up to 8 MB.
constexpr std::int64_t kOutputsInPart = 4096;

/// Coordinates along one dimension of the output, both ends included.
struct Interval {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Returns an interval for each dimension, which together contain the outputs [begin, end) of the flattened tensor. The
/// leading coordinates that the first and the last output share are fixed. The first dimension in which they differ has
/// an interval from one to the other. All later dimensions are whole.
///
/// Example: dims 2 x 3 x 4, outputs 5 to 10, that is from (0,1,1) to (0,2,2). The box is [0,0] x [1,2] x [0,3].
std::vector<Interval> BoxAround(const Dims& dims, std::int64_t begin, std::int64_t end) {
  std::vector<Interval> box(dims.size());
  std::int64_t first = begin;
  std::int64_t last = end - 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    box[i] = {.first = first % dims[i], .last = last % dims[i]};
    first /= dims[i];
    last /= dims[i];
  }
  bool differ = false;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (differ) {
      box[i] = {.first = 0, .last = dims[i] - 1};
    } else {
      differ = box[i].first != box[i].last;
    }
  }
  return box;
}

/// Computes the sums of a range of outputs. `Products` is a class of oracle/products.h, which multiplies and adds.
template <class Products>
class Scatterer {
 public:
  Scatterer(const Geometry& geometry, const Products& products)
      : geometry_(geometry),
        products_(products),
        is_nxc_(geometry.layout == DataLayout::kNxc),
        tap_0_output_(geometry.axes.size()) {
    for (const Axis& axis : geometry.axes) {
      taps_per_channel_pair_ *= axis.kernel;
      outputs_per_channel_ *= axis.output;
    }
  }

  /// Fills `results` with one entry for each output of `range`.
  void ComputeSums(OutputRange range, std::span<typename Products::Result> results) {
    const std::int64_t end = range.begin + range.count;
    for (std::int64_t begin = range.begin; begin < end; begin += kOutputsInPart) {
      part_begin_ = begin;
      part_end_ = std::min(begin + kOutputsInPart, end);
      const auto count = static_cast<std::size_t>(part_end_ - part_begin_);
      sums_.resize(std::max(sums_.size(), count));
      for (std::size_t n = 0; n < count; ++n) Products::Clear(sums_[n]);
      ComputePart();
      const auto at = static_cast<std::size_t>(part_begin_ - range.begin);
      for (std::size_t n = 0; n < count; ++n) products_.FinishSum(sums_[n], results[at + n]);
    }
  }

 private:
  /// Adds all products of the outputs [part_begin_, part_end_) to `sums_`.
  void ComputePart() {
    const std::vector<Interval> box = BoxAround(geometry_.OutputDims(), part_begin_, part_end_);
    box_channels_ = is_nxc_ ? box.back() : box[1];
    box_axes_.assign(box.begin() + (is_nxc_ ? 1 : 2), box.end() - (is_nxc_ ? 1 : 0));
    for (batch_ = box[0].first; batch_ <= box[0].last; ++batch_) {
      for (group_ = 0; group_ < geometry_.groups; ++group_) {
        // Skips a group whose output channels all lie below or above those of the box.
        if ((group_ + 1) * geometry_.out_channels <= box_channels_.first ||
            group_ * geometry_.out_channels > box_channels_.last)
          continue;
        for (in_channel_ = 0; in_channel_ < geometry_.in_channels; ++in_channel_) {
          // The layout is [N, C, spatial] or [N, spatial, C]: the index begins with batch and channel, or with the
          // batch.
          VisitData(0, is_nxc_ ? batch_ : (batch_ * geometry_.groups + group_) * geometry_.in_channels + in_channel_);
        }
      }
    }
  }

  /// Visits all data elements of a channel that may reach the box: one loop for axis j, and a call for the next axis.
  /// `position` is the flat index over the dimensions of data before axis j.
  void VisitData(std::size_t j, std::int64_t position) {
    if (j == geometry_.axes.size()) {
      const std::int64_t channel = group_ * geometry_.in_channels + in_channel_;
      const std::int64_t channels = geometry_.groups * geometry_.in_channels;
      data_index_ = is_nxc_ ? position * channels + channel : position;
      VisitTaps(0, 0, 0);
      return;
    }
    const Axis& axis = geometry_.axes[j];
    for (std::int64_t i = 0; i < axis.data; ++i) {
      const std::int64_t tap_0_output = axis.stride * i - axis.pads_begin;
      if (tap_0_output > box_axes_[j].last) break;
      if (tap_0_output + axis.dilation * (axis.kernel - 1) < box_axes_[j].first) continue;
      tap_0_output_[j] = tap_0_output;
      VisitData(j + 1, position * axis.data + i);
    }
  }

  /// Visits all taps of a data element, axis by axis. `tap` and `output` are the flat indices of filter and output over
  /// the axes before j.
  void VisitTaps(std::size_t j, std::int64_t tap, std::int64_t output) {
    if (j == geometry_.axes.size()) {
      AddToChannels(tap, output);
      return;
    }
    const Axis& axis = geometry_.axes[j];
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t o = tap_0_output_[j] + axis.dilation * k;
      if (o < box_axes_[j].first || o > box_axes_[j].last) continue;
      VisitTaps(j + 1, tap * axis.kernel + k, output * axis.output + o);
    }
  }

  /// Adds the products of one data element and one tap to all output channels of its group that lie in the box. `tap`
  /// and `output` are flat indices over the spatial axes, as in VisitTaps.
  void AddToChannels(std::int64_t tap, std::int64_t output) {
    const std::int64_t in_channels = geometry_.groups * geometry_.in_channels;
    const std::int64_t in_channel = group_ * geometry_.in_channels + in_channel_;
    const std::int64_t out_channels = geometry_.groups * geometry_.out_channels;
    const std::int64_t before = group_ * geometry_.out_channels;  // output channels of the groups before this one
    const std::int64_t first = std::max<std::int64_t>(box_channels_.first - before, 0);
    const std::int64_t last = std::min(box_channels_.last - before, geometry_.out_channels - 1);
    for (std::int64_t c = first; c <= last; ++c) {
      const std::int64_t channel = before + c;
      const std::int64_t index = is_nxc_ ? (batch_ * outputs_per_channel_ + output) * out_channels + channel
                                         : (batch_ * out_channels + channel) * outputs_per_channel_ + output;
      if (index < part_begin_ || index >= part_end_) continue;
      const std::int64_t filter = geometry_.filter_layout == FilterLayout::kXoi
                                      ? (tap * geometry_.out_channels + c) * in_channels + in_channel
                                      : (in_channel * geometry_.out_channels + c) * taps_per_channel_pair_ + tap;
      products_.Add(sums_[static_cast<std::size_t>(index - part_begin_)], data_index_, filter);
    }
  }

  const Geometry& geometry_;
  const Products& products_;
  const bool is_nxc_;
  std::int64_t taps_per_channel_pair_ = 1;      ///< filter elements of an input and an output channel
  std::int64_t outputs_per_channel_ = 1;        ///< outputs of one output channel
  std::int64_t part_begin_ = 0, part_end_ = 0;  ///< the current part of the outputs
  std::vector<typename Products::Sum> sums_;    ///< the unfinished sums of the part

  // The box around the current part: its output channels, and its coordinates along the spatial axes.
  Interval box_channels_;
  std::vector<Interval> box_axes_;

  // The current data element.
  std::int64_t batch_ = 0, group_ = 0, in_channel_ = 0;
  std::int64_t data_index_ = 0;  ///< index of the data element
  Dims tap_0_output_;            ///< for each axis, the output coordinate of tap 0
};

}  // namespace

void Scatter(const Operands& operands, OutputRange range, std::span<FloatSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithFloatProducts(operands,
                    [&](const auto& products) { Scatterer(operands.geometry(), products).ComputeSums(range, sums); });
}

void Scatter(const Operands& operands, OutputRange range, std::span<IntegerSum> sums) {
  assert(static_cast<std::int64_t>(sums.size()) == range.count);
  if (FillWithoutData(operands.geometry(), sums)) return;
  WithIntegerProducts(operands,
                      [&](const auto& products) { Scatterer(operands.geometry(), products).ComputeSums(range, sums); });
}

}  // namespace oracle
