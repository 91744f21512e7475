// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Laws of sums. The output is linear in the data and in the filter, and the operator is the adjoint of the forward
// convolution: for all tensors y in the shape of the output, <output, y> = <data, forward convolution of y>.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "conformance/verdict/element.h"
#include "conformance/verdict/properties/check.h"
#include "oracle/wide_integer.h"

namespace conformance::properties {
namespace {

using Wide = oracle::I128;

/// The output position to which data element i and tap k contribute along one axis: s * i + d * k - pads_begin, or -1
/// if it is cropped. Sorted by i, then k. Example with 2 data elements, 3 taps, s = 2, d = 1, pads_begin = 1 and output
/// 3: -1 0 1, 1 2 -1.
std::vector<std::int64_t> OutputPositions(const oracle::Axis& axis) {
  std::vector<std::int64_t> positions;
  positions.reserve(static_cast<std::size_t>(axis.data * axis.kernel));
  for (std::int64_t i = 0; i < axis.data; ++i) {
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t at = axis.stride * i + axis.dilation * k - axis.pads_begin;
      positions.push_back(at >= 0 && at < axis.output ? at : -1);
    }
  }
  return positions;
}

/// The forward convolution of one plane of `weights`, a tensor in the shape of the output, with one plane of the
/// filter. It has neither batch nor channels.
class Forward {
 public:
  explicit Forward(const oracle::Geometry& geometry) : geometry_(geometry) {
    for (const oracle::Axis& axis : geometry.axes) positions_.push_back(OutputPositions(axis));
  }

  /// Adds the convolution to `sums`, one for each data position.
  void Add(const double* weights, const double* filter, std::vector<double>& sums) const {
    Along(0, 0, 0, 0, weights, filter, sums);
  }

 private:
  /// Loops over axis j and, by recursion, over the axes after it. `i`, `k` and `y` are the flat positions of data,
  /// filter and output in the axes before j.
  void Along(std::size_t j, std::int64_t i, std::int64_t k, std::int64_t y, const double* weights, const double* filter,
             std::vector<double>& sums) const {
    if (j == geometry_.axes.size()) {
      sums[static_cast<std::size_t>(i)] += weights[y] * filter[k];
      return;
    }
    const oracle::Axis& axis = geometry_.axes[j];
    for (std::int64_t own_i = 0; own_i < axis.data; ++own_i) {
      for (std::int64_t own_k = 0; own_k < axis.kernel; ++own_k) {
        const std::int64_t at = positions_[j][static_cast<std::size_t>(own_i * axis.kernel + own_k)];
        if (at < 0) continue;
        Along(j + 1, i * axis.data + own_i, k * axis.kernel + own_k, y * axis.output + at, weights, filter, sums);
      }
    }
  }

  const oracle::Geometry& geometry_;
  std::vector<std::vector<std::int64_t>> positions_;
};

/// The problem with only the input channels [begin, begin + count) of each group.
Problem OfInputChannels(Problem problem, std::int64_t begin, std::int64_t count) {
  oracle::Geometry& geometry = problem.geometry;
  // Splits the axis of G * C_IN channels into [G, C_IN], cuts out the channels of each group, and joins the axes again.
  const auto keep_part = [&](NdArray& array, std::size_t channels_at) {
    oracle::Dims dims = array.dims;
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(channels_at), geometry.groups);
    dims[channels_at + 1] = geometry.in_channels;
    NdArray cut = Window(Reshaped(std::move(array), dims), channels_at + 1, begin, count);
    dims = cut.dims;
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(channels_at));
    dims[channels_at] = geometry.groups * count;
    array = Reshaped(std::move(cut), dims);
  };
  keep_part(problem.data, 1);
  keep_part(problem.filter, 0);
  geometry.in_channels = count;
  return problem;
}

}  // namespace

/// Compares both sides of <output, y> = <data, forward convolution of y> for drawn integers y, here called `weights`.
void CheckAdjoint(LawTrial& trial) {
  const Problem& base = trial.base();
  const oracle::Geometry& geometry = base.geometry;
  const auto output = trial.OutputOfCase();
  if (!output) return;
  // Exact sums of integers are integers. The loops below convert them to 64 bits.
  for (std::size_t i = 0; i < output->values.size(); ++i) {
    const double value = output->values[i];
    if (std::fabs(value) <= 0x1p53 && value == std::trunc(value)) continue;
    trial.Fail(FailureClass::kBrokenLaw,
               fmt::format("output {}: got {}, where all operands are integers and all sums exact",
                           DimsText(CoordinateOf(static_cast<std::int64_t>(i), output->dims)), value));
    return;
  }
  const NdArray weights = WeightsOfOutputs(geometry, {.seed = trial.draw().seed + 1});
  // Elements of one channel: of the data, of the filter, and of the output.
  std::int64_t data_plane = 1;
  std::int64_t kernel_plane = 1;
  std::int64_t output_plane = 1;
  for (const oracle::Axis& axis : geometry.axes) {
    data_plane *= axis.data;
    kernel_plane *= axis.kernel;
    output_plane *= axis.output;
  }
  const Forward forward(geometry);
  for (std::int64_t n = 0; n < geometry.batch; ++n) {
    for (std::int64_t g = 0; g < geometry.groups; ++g) {
      // Samples and groups are compared separately, so that a failure names them.
      const std::int64_t outputs_of_group = geometry.out_channels * output_plane;
      const std::int64_t outputs_at = (n * geometry.groups + g) * outputs_of_group;
      Wide of_outputs = 0;  // <output, y>
      for (std::int64_t i = outputs_at; i < outputs_at + outputs_of_group; ++i) {
        const auto index = static_cast<std::size_t>(i);
        of_outputs +=
            Wide{static_cast<std::int64_t>(output->values[index])} * static_cast<std::int64_t>(weights.values[index]);
      }
      Wide of_data = 0;  // <data, forward convolution of y>
      for (std::int64_t c = g * geometry.in_channels; c < (g + 1) * geometry.in_channels; ++c) {
        std::vector<double> sums(static_cast<std::size_t>(data_plane), 0.0);
        for (std::int64_t o = 0; o < geometry.out_channels; ++o) {
          forward.Add(weights.values.data() + outputs_at + o * output_plane,
                      base.filter.values.data() + (c * geometry.out_channels + o) * kernel_plane, sums);
        }
        const std::int64_t data_at = (n * geometry.groups * geometry.in_channels + c) * data_plane;
        for (std::int64_t i = 0; i < data_plane; ++i) {
          of_data += Wide{static_cast<std::int64_t>(sums[static_cast<std::size_t>(i)])} *
                     static_cast<std::int64_t>(base.data.values[static_cast<std::size_t>(data_at + i)]);
        }
      }
      if (of_outputs == of_data) continue;
      trial.Fail(FailureClass::kBrokenLaw,
                 fmt::format("sample {}, group {}: <output, y> = {}, <data, forward convolution of y> = {}", n, g,
                             static_cast<double>(of_outputs), static_cast<double>(of_data)));
      return;
    }
  }
}

/// The output for the sum of two data tensors is the sum of both outputs.
void CheckLinearData(LawTrial& trial) {
  const auto first = trial.OutputOfCase();
  if (!first) return;
  Problem other = trial.base();
  other.data = trial.Other().data;
  const auto second = trial.OutputOf(other, trial.test_case().op);
  if (!second) return;
  other.data = Sum(std::move(other.data), trial.base().data);
  const auto both = trial.OutputOf(other, trial.test_case().op);
  if (both) trial.Agree(*both, Sum(*first, *second));
}

/// The output for the sum of two filters is the sum of both outputs.
void CheckLinearFilter(LawTrial& trial) {
  const auto first = trial.OutputOfCase();
  if (!first) return;
  Problem other = trial.base();
  other.filter = trial.Other().filter;
  const auto second = trial.OutputOf(other, trial.test_case().op);
  if (!second) return;
  other.filter = Sum(std::move(other.filter), trial.base().filter);
  const auto both = trial.OutputOf(other, trial.test_case().op);
  if (both) trial.Agree(*both, Sum(*first, *second));
}

/// Powers of two that multiply data and filter multiply the output, without rounding.
void CheckPowerOfTwo(LawTrial& trial) {
  const auto plain = trial.OutputOfCase();
  if (!plain) return;
  // The factors are far from 1 where the type's exponents allow it, and all numbers stay normal. In f16, products of
  // integers up to 15 * 15 are multiplied by 2^-3 * 2^2 = 2^-1; in the other types by 2^-50 * 2^30 = 2^-20.
  const oracle::ElementType type = trial.base().geometry.type;
  int of_data = 1;
  int of_filter = 0;
  if (oracle::IsFloat(type)) {
    of_data = type == oracle::ElementType::kF16 ? -3 : -50;
    of_filter = type == oracle::ElementType::kF16 ? 2 : 30;
  }
  Problem scaled = trial.base();
  scaled.data = Scaled(std::move(scaled.data), std::ldexp(1.0, of_data));
  scaled.filter = Scaled(std::move(scaled.filter), std::ldexp(1.0, of_filter));
  if (oracle::IsFloat(type)) scaled.unit = std::ldexp(1.0, of_data + of_filter);
  const auto output = trial.OutputOf(scaled, trial.test_case().op);
  if (output) trial.Agree(*output, Scaled(*plain, std::ldexp(1.0, of_data + of_filter)));
}

/// The output is the sum of the outputs for two parts of each group's input channels.
void CheckInputChannelSum(LawTrial& trial) {
  const std::int64_t channels = trial.base().geometry.in_channels;
  if (channels < 2) return trial.DoesNotApply("one input channel has no parts");
  const auto whole = trial.OutputOfCase();
  if (!whole) return;
  // A third of the channels, because half may coincide with a block boundary of the backend.
  const std::int64_t cut = (channels + 2) / 3;
  const auto first = trial.OutputOf(OfInputChannels(trial.base(), 0, cut));
  const auto second = trial.OutputOf(OfInputChannels(trial.base(), cut, channels - cut));
  if (first && second) trial.Agree(*whole, Sum(*first, *second));
}

}  // namespace conformance::properties
