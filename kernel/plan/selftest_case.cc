// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the cases of the self-test and computes their expected outputs by plain loops, with no code of the kernel.
#include "kernel/plan/selftest_case.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace deconv {
namespace {

// Together the cases have whole and partial vectors and register tiles of every target, strides that interleave in
// vectors and strides that do not. They have gaps without products, overlaps, crops, dilation, groups, both layouts,
// and ranks 3 to 6.
// The columns are: name, layout, whether one weight is infinite, batch, groups, input and output channels of a group,
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

// Returns a value from -2 to 2. The bits of the index are mixed with the constants of the generator SplitMix64. So
// values have no short period, and a wrong index mostly finds another value.
double Value(uint64_t tensor, int64_t index) {
  uint64_t bits = (static_cast<uint64_t>(index) + 1) * 0x9e3779b97f4a7c15u + tensor * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 29)) * 0x94d049bb133111ebu;
  return static_cast<double>((bits >> 40) % 5) - 2;
}

// Returns the index in memory of an element, for `positions` positions and `channels` channels of all groups.
size_t TensorIndex(const SelftestCase& c, int64_t channels, int64_t positions, int64_t n, int64_t channel,
                   int64_t position) {
  return static_cast<size_t>(c.layout == DECONV_NXC ? (n * positions + position) * channels + channel
                                                    : (n * channels + channel) * positions + position);
}

// Returns the output position of the product of a data position and a tap; -1 if this output is cropped.
int64_t OutputPositionOf(const SelftestCase& c, int64_t position, int64_t tap) {
  int64_t output_position = 0;
  int64_t scale = 1;
  for (size_t a = c.axes; a-- > 0;) {
    const int64_t o = c.strides[a] * (position % c.data[a]) + c.dilations[a] * (tap % c.kernel[a]) - c.pads_begin[a];
    if (o < 0 || o >= c.Output(a)) return -1;
    output_position += o * scale;
    scale *= c.Output(a);
    position /= c.data[a];
    tap /= c.kernel[a];
  }
  return output_position;
}

// Adds the products of one data position and one tap to the outputs at `output_position`, for all samples and channels.
void Scatter(const SelftestCase& c, int64_t batch, int64_t position, int64_t tap, int64_t output_position,
             SelftestTensors& t) {
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t i = 0; i < c.groups * c.in_channels; ++i) {
      const double x = t.data[TensorIndex(c, c.groups * c.in_channels, c.DataPositions(), n, i, position)];
      for (int64_t o = 0; o < c.out_channels; ++o) {
        const int64_t channel = i / c.in_channels * c.out_channels + o;
        const size_t at = TensorIndex(c, c.groups * c.out_channels, c.OutputPositions(), n, channel, output_position);
        t.output[at] += x * t.filter[static_cast<size_t>((i * c.out_channels + o) * c.Taps() + tap)];
        t.reached[at] = true;
      }
    }
  }
}

}  // namespace

std::span<const SelftestCase> SelftestCases() { return kCases; }

SelftestTensors ScatterReference(const SelftestCase& c, int64_t batch) {
  SelftestTensors t;
  t.data.resize(static_cast<size_t>(batch * c.groups * c.in_channels * c.DataPositions()));
  t.filter.resize(static_cast<size_t>(c.groups * c.in_channels * c.out_channels * c.Taps()));
  t.output.resize(static_cast<size_t>(batch * c.groups * c.out_channels * c.OutputPositions()));
  t.reached.resize(t.output.size());
  for (size_t i = 0; i < t.data.size(); ++i) t.data[i] = Value(1, static_cast<int64_t>(i));
  for (size_t i = 0; i < t.filter.size(); ++i) t.filter[i] = Value(2, static_cast<int64_t>(i));
  if (c.infinite) t.filter[0] = std::numeric_limits<double>::infinity();
  for (int64_t position = 0; position < c.DataPositions(); ++position) {
    for (int64_t tap = 0; tap < c.Taps(); ++tap) {
      const int64_t output_position = OutputPositionOf(c, position, tap);
      if (output_position >= 0) Scatter(c, batch, position, tap, output_position, t);
    }
  }
  return t;
}

}  // namespace deconv
