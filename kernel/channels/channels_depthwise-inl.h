// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of "channels" for groups of one or few channels, with channels last. Vectors of data are multiplied by
// vectors of weights; each lane holds a unit of one output channel's group. Every product loads its own data, so
// registers gain little. What counts is that nothing else is done for a cell, and that its channels are read and
// written in order.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/base/quads-inl.h"
#include "kernel/channels/channels_tile-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Cells of a row that sum the same taps. Offsets and steps are in bytes.
struct DepthwiseRow {
  const char* data = nullptr;
  int64_t first = 0;  // from `data` to the first cell's, for the first tap of the box
  TileTaps taps;      // units: of each lane, one input channel after the other
  int64_t data_unit_step = 0;
  int64_t weight_unit_step = 0;
  int64_t cells = 0;
  int64_t data_step = 0;  // from cell to cell
  char* sums = nullptr;   // any alignment
  int64_t sums_step = 0;
  bool stream = false;  // sums are whole vectors at aligned addresses, and go around the caches
  int64_t vectors = 0;
  int64_t last_lanes = 0;  // of the last vector, to be stored
  bool has_room = false;   // to read that vector whole
};

// kCells neighbours by kVectors whole vectors, from byte `at` of a cell's channels on; of a single vector the first
// `count` lanes.
template <class P, bool kSeveralUnits, int64_t kCells, int64_t kVectors>
HWY_INLINE void SumDepthwise(const DepthwiseRow& row, int64_t cell, int64_t at, int64_t count) {
  const typename P::Tag d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t bytes = lanes * kUnitBytes;
  const bool whole = kVectors > 1 || count == lanes;
  const bool reads_whole = whole || row.has_room;
  const int64_t first = row.first + cell * row.data_step + at;
  V sums[kCells][kVectors];
  HWY_UNROLL(8) for (int64_t m = 0; m < kCells; ++m) {
    HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) sums[m][v] = hn::Zero(d);
  }
  const auto& [z, y, x] = row.taps.box;
  for (int64_t tz = 0; tz < z.taps; ++tz) {
    for (int64_t ty = 0; ty < y.taps; ++ty) {
      for (int64_t tx = 0; tx < x.taps; ++tx) {
        const char* data = row.data + (first + tz * z.data_step + ty * y.data_step + tx * x.data_step);
        const char* weights = row.taps.weights + (at + tz * z.weight_step + ty * y.weight_step + tx * x.weight_step);
        for (int64_t u = 0; u < (kSeveralUnits ? row.taps.units : 1); ++u) {
          HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) {
            const V weight = LoadBytes(d, weights + v * bytes);
            HWY_UNROLL(8) for (int64_t m = 0; m < kCells; ++m) {
              const char* from = data + m * row.data_step + v * bytes;
              sums[m][v] = P::Add(reads_whole ? LoadBytes(d, from) : LoadLanes(d, from, count), weight, sums[m][v]);
            }
          }
          if constexpr (kSeveralUnits) {
            data += row.data_unit_step;
            weights += row.weight_unit_step;
          }
        }
      }
    }
  }
  char* to = row.sums + cell * row.sums_step + at;
  HWY_UNROLL(8) for (int64_t m = 0; m < kCells; ++m) {
    HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) {
      char* vector = to + m * row.sums_step + v * bytes;
      if (row.stream) {
        hn::Stream(sums[m][v], d, reinterpret_cast<typename P::Lane*>(vector));
      } else if (whole) {
        StoreBytes(sums[m][v], d, vector);
      } else {
        StoreLanes(sums[m][v], d, vector, count);
      }
    }
  }
}

// Eight sums at once hide the latency of one, and leave registers for operands everywhere: four vectors by two cells,
// and single ones, where no more are left, by eight.
inline constexpr int64_t kTogether = 4;
inline constexpr int64_t kNeighbours = 8;

template <class P, bool kSeveralUnits, int64_t kCells>
HWY_INLINE void SumDepthwiseCells(const DepthwiseRow& row, int64_t cell) {
  constexpr int64_t kPair = std::min<int64_t>(kCells, 2);
  const typename P::Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t bytes = lanes * kUnitBytes;
  const int64_t whole = row.last_lanes == lanes ? row.vectors : row.vectors - 1;
  int64_t vector = 0;
  for (; vector + kTogether <= whole; vector += kTogether) {
    for (int64_t m = 0; m < kCells; m += kPair)
      SumDepthwise<P, kSeveralUnits, kPair, kTogether>(row, cell + m, vector * bytes, lanes);
  }
  for (; vector < row.vectors; ++vector) {
    SumDepthwise<P, kSeveralUnits, kCells, 1>(row, cell, vector * bytes, vector < whole ? lanes : row.last_lanes);
  }
}

template <class P, bool kSeveralUnits>
HWY_NOINLINE void SumDepthwiseRow(const DepthwiseRow& row) {
  const typename P::Tag d;
  const bool is_even = row.vectors % kTogether == 0 && row.last_lanes == static_cast<int64_t>(hn::Lanes(d));
  int64_t cell = 0;
  // Otherwise cells are read and written in order; streamed lines should be filled at once.
  if (!is_even && !row.stream) {
    for (; cell + kNeighbours <= row.cells; cell += kNeighbours)
      SumDepthwiseCells<P, kSeveralUnits, kNeighbours>(row, cell);
  }
  for (; cell + 2 <= row.cells; cell += 2) SumDepthwiseCells<P, kSeveralUnits, 2>(row, cell);
  if (cell < row.cells) SumDepthwiseCells<P, kSeveralUnits, 1>(row, cell);
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
