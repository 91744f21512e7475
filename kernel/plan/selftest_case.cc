// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the cases (small operators) of the self-test of the library, and computes their expected outputs by plain
// loops, with no code of the kernel.
#include "kernel/plan/selftest_case.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace deconv {
namespace {

// Together the cases fill whole and partial vectors and register tiles (the sums that are kept in registers) of every
// target. Outputs of strides up to 4 are interleaved by vectors; some strides are larger. Some outputs have no product
// ("gaps"), some have several. The cases also have crops, dilations, groups, both layouts, and ranks 3 to 6.
// The columns are: name, layout, whether a weight is infinite, batch, groups, input and output channels of a group,
// number of axes, and lists with an entry for each axis: data, kernel, strides, dilations, pads_begin, pads_end and
// output_padding.
// clang-format off: a table.
constexpr SelftestCase kCases[] = {
    {"line", DECONV_NCX, false, 1, 1, 3, 5, 1, {131}, {5}, {2}, {1}, {2}, {1}, {1}},
    {"gaps", DECONV_NCX, false, 2, 1, 2, 3, 1, {37}, {2}, {5}, {1}, {1}, {0}, {0}},
    {"plane", DECONV_NCX, false, 1, 2, 4, 7, 2, {6, 21}, {3, 4}, {2, 3}, {1, 2}, {1, 2}, {1, 0}, {0, 1}},
    {"channels last", DECONV_NXC, false, 2, 1, 5, 19, 2, {5, 18}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {1, 1}},
    {"pointwise", DECONV_NXC, false, 1, 1, 9, 17, 2, {7, 7}, {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
    {"depthwise", DECONV_NCX, false, 1, 11, 1, 1, 2, {6, 33}, {3, 3}, {1, 1}, {2, 2}, {2, 2}, {2, 2}, {0, 0}},
    {"depthwise, channels last", DECONV_NXC, false, 1, 19, 1, 1, 2,
     {4, 7}, {3, 3}, {2, 1}, {1, 2}, {1, 1}, {1, 1}, {0, 0}},
    {"small groups, channels last", DECONV_NXC, false, 1, 9, 3, 2, 2,
     {4, 19}, {3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1}, {0, 1}},
    {"pixel", DECONV_NCX, false, 1, 1, 6, 21, 2, {1, 1}, {3, 4}, {1, 1}, {1, 1}, {0, 0}, {0, 0}, {0, 0}},
    {"solid", DECONV_NCX, false, 1, 1, 3, 4, 3,
     {3, 4, 9}, {2, 3, 2}, {2, 1, 2}, {1, 1, 3}, {0, 1, 1}, {1, 1, 0}, {1, 0, 0}},
    {"rank 6", DECONV_NXC, false, 1, 2, 2, 2, 4,
     {2, 2, 3, 5}, {2, 1, 2, 2}, {1, 2, 2, 1}, {1, 1, 1, 2}, {0, 0, 1, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}},
    {"infinite weight", DECONV_NCX, true, 1, 1, 2, 5, 2, {4, 19}, {3, 3}, {2, 1}, {1, 1}, {1, 1}, {1, 1}, {0, 0}},
};
// clang-format on

// Returns an integer from -2 to 2, for element `index` of tensor 1 (data) or 2 (filter). The bits of the index are
// mixed with the constants of the generator SplitMix64. So values have no short period, and a wrong index mostly finds
// another value.
double SmallInteger(uint64_t tensor, int64_t index) {
  uint64_t bits = (static_cast<uint64_t>(index) + 1) * 0x9e3779b97f4a7c15u + tensor * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 29)) * 0x94d049bb133111ebu;
  return static_cast<double>((bits >> 40) % 5) - 2;
}

// Returns the index in memory of the element [n, channel, position] of a tensor with `channels` channels (those of all
// groups) and `positions` positions.
size_t TensorIndex(const SelftestCase& op, int64_t channels, int64_t positions, int64_t n, int64_t channel,
                   int64_t position) {
  return static_cast<size_t>(op.layout == DECONV_NXC ? (n * positions + position) * channels + channel
                                                     : (n * channels + channel) * positions + position);
}

// Returns the position of the output to which the product of a data position and a tap is added; -1 if it is cropped.
// Positions and taps are numbered along all axes, the innermost one first: in data of 2 x 5, position 7 is row 1,
// column 2.
int64_t OutputPositionOf(const SelftestCase& op, int64_t position, int64_t tap) {
  int64_t output_position = 0;
  int64_t scale = 1;
  for (size_t a = op.axes; a-- > 0;) {
    const int64_t o =
        op.strides[a] * (position % op.data[a]) + op.dilations[a] * (tap % op.kernel[a]) - op.pads_begin[a];
    if (o < 0 || o >= op.OutputSize(a)) return -1;
    output_position += o * scale;
    scale *= op.OutputSize(a);
    position /= op.data[a];
    tap /= op.kernel[a];
  }
  return output_position;
}

// Adds the products of one data position and one tap to the outputs at `output_position`, for all samples and channels.
// Channel `i` of the data belongs to group i / in_channels.
void Scatter(const SelftestCase& op, int64_t batch, int64_t position, int64_t tap, int64_t output_position,
             SelftestTensors& tensors) {
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t i = 0; i < op.groups * op.in_channels; ++i) {
      const double x = tensors.data[TensorIndex(op, op.groups * op.in_channels, op.DataPositions(), n, i, position)];
      for (int64_t o = 0; o < op.out_channels; ++o) {
        const int64_t channel = i / op.in_channels * op.out_channels + o;
        const size_t at =
            TensorIndex(op, op.groups * op.out_channels, op.OutputPositions(), n, channel, output_position);
        tensors.output[at] += x * tensors.filter[static_cast<size_t>((i * op.out_channels + o) * op.Taps() + tap)];
        tensors.has_product[at] = true;
      }
    }
  }
}

}  // namespace

std::span<const SelftestCase> SelftestCases() { return kCases; }

SelftestTensors ScatterReference(const SelftestCase& op, int64_t batch) {
  SelftestTensors tensors;
  tensors.data.resize(static_cast<size_t>(batch * op.groups * op.in_channels * op.DataPositions()));
  tensors.filter.resize(static_cast<size_t>(op.groups * op.in_channels * op.out_channels * op.Taps()));
  tensors.output.resize(static_cast<size_t>(batch * op.groups * op.out_channels * op.OutputPositions()));
  tensors.has_product.resize(tensors.output.size());
  for (size_t i = 0; i < tensors.data.size(); ++i) tensors.data[i] = SmallInteger(1, static_cast<int64_t>(i));
  for (size_t i = 0; i < tensors.filter.size(); ++i) tensors.filter[i] = SmallInteger(2, static_cast<int64_t>(i));
  if (op.has_infinite_weight) tensors.filter[0] = std::numeric_limits<double>::infinity();
  for (int64_t position = 0; position < op.DataPositions(); ++position) {
    for (int64_t tap = 0; tap < op.Taps(); ++tap) {
      const int64_t output_position = OutputPositionOf(op, position, tap);
      if (output_position >= 0) Scatter(op, batch, position, tap, output_position, tensors);
    }
  }
  return tensors;
}

}  // namespace deconv
