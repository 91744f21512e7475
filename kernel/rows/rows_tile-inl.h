// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of "rows": a few phases by a few output channels by a few vectors of cells. Each step loads data
// once. The branches on its mask repeat for every input channel and are predicted.

#if defined(DECONV_KERNEL_ROWS_ROWS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_ROWS_ROWS_TILE_INL_H_
#undef DECONV_KERNEL_ROWS_ROWS_TILE_INL_H_
#else
#define DECONV_KERNEL_ROWS_ROWS_TILE_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/registers-inl.h"
#include "kernel/rows/rows_layout.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sums (phases by channels) that a tile may have. A weight is loaded for each of them and serves all their vectors:
// with a single vector loads would take as long as products, so that 16 registers take at most 6.
inline constexpr int64_t kMostSums = kVectorRegisters == 32 ? 12 : 6;
inline constexpr int64_t kMostTilePhases = std::min(kMostSums, kRowsPhases[0]);
inline constexpr int64_t kMostRowVectors = 6;
inline constexpr int64_t kMostRowChannels = 4;

constexpr int64_t RowChannels(int64_t phases) {
  return std::max<int64_t>(1, std::min(kMostRowChannels, kMostSums / phases));
}
// As many as registers hold beside the data of a step and a weight.
constexpr int64_t RowVectors(int64_t phases, int64_t channels) {
  return std::max<int64_t>(1, std::min(kMostRowVectors, (kVectorRegisters - 1) / (phases * channels + 1)));
}

struct RowsInput {
  const float* data = nullptr;  // first cell of the tile in channel 0, before any offset
  int64_t channel_pitch = 0;
  int64_t in_channels = 0;
  const RowsStep* steps = nullptr;
  size_t step_count = 0;
  const char* weights = nullptr;  // any alignment
};

// Sums to `out`, `pitch` apart. kClipped: data that padding made do not multiply, as in phased.
template <int64_t kPhases, int64_t kChannels, int64_t kVectors, bool kClipped>
HWY_NOINLINE void SumRows(const RowsInput& input, float* HWY_RESTRICT out, int64_t pitch) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  V sums[kPhases][kChannels][kVectors];
  HWY_UNROLL(9) for (int64_t p = 0; p < kPhases; ++p) {
    HWY_UNROLL(4) for (int64_t c = 0; c < kChannels; ++c) {
      HWY_UNROLL(6) for (int64_t v = 0; v < kVectors; ++v) sums[p][c][v] = hn::Zero(d);
    }
  }
  const float* data = input.data;
  const float* real = input.data + input.in_channels * input.channel_pitch;
  const char* weights = input.weights;
  const RowsStep* const end = input.steps + input.step_count;
  for (int64_t channel = 0; channel < input.in_channels; ++channel) {
    for (const RowsStep* step = input.steps; step != end; ++step) {
      const float* at = data + step->offset;
      const uint32_t mask = step->mask;
      V values[kVectors];
      HWY_UNROLL(6) for (int64_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, at + v * lanes);
      HWY_UNROLL(9) for (int64_t p = 0; p < kPhases; ++p) {
        if ((mask >> p & 1) == 0) continue;
        HWY_UNROLL(4) for (int64_t c = 0; c < kChannels; ++c) {
          const V weight = hn::Set(d, LoadElement<float>(weights, c));
          HWY_UNROLL(6) for (int64_t v = 0; v < kVectors; ++v) {
            const V sum = hn::MulAdd(weight, values[v], sums[p][c][v]);
            if constexpr (kClipped) {
              const auto is_real = hn::Ne(hn::LoadU(d, real + step->offset + v * lanes), hn::Zero(d));
              sums[p][c][v] = hn::IfThenElse(is_real, sum, sums[p][c][v]);
            } else {
              sums[p][c][v] = sum;
            }
          }
        }
        weights += kChannels * static_cast<int64_t>(sizeof(float));
      }
    }
    data += input.channel_pitch;
  }
  HWY_UNROLL(9) for (int64_t p = 0; p < kPhases; ++p) {
    HWY_UNROLL(4) for (int64_t c = 0; c < kChannels; ++c) {
      HWY_UNROLL(6) for (int64_t v = 0; v < kVectors; ++v) {
        hn::StoreU(sums[p][c][v], d, out + (p * kChannels + c) * pitch + v * lanes);
      }
    }
  }
}

using SumRowsFunction = void (*)(const RowsInput& input, float* out, int64_t pitch);

// By phases, channels less one, and vectors; without vectors the clipped one.
using SumRowsTable =
    std::array<std::array<std::array<SumRowsFunction, kMostRowVectors + 1>, kMostRowChannels>, kRowsPhases[0] + 1>;

template <int64_t kPhases, int64_t kChannels, int64_t kVectors>
constexpr void FillRowVectors(SumRowsTable& table) {
  if constexpr (kVectors <= RowVectors(kPhases, kChannels)) {
    table[kPhases][kChannels - 1][kVectors] = &SumRows<kPhases, kChannels, kVectors, false>;
    FillRowVectors<kPhases, kChannels, kVectors + 1>(table);
  }
}

template <int64_t kPhases, int64_t kChannels>
constexpr void FillRowChannels(SumRowsTable& table) {
  if constexpr (kChannels <= RowChannels(kPhases)) {
    table[kPhases][kChannels - 1][0] = &SumRows<kPhases, kChannels, 1, true>;
    FillRowVectors<kPhases, kChannels, 1>(table);
    FillRowChannels<kPhases, kChannels + 1>(table);
  }
}

template <size_t... kIndex>
constexpr SumRowsTable MakeSumRowsTable(std::index_sequence<kIndex...> /*of kRowsPhases*/) {
  SumRowsTable table = {};
  const auto fill = [&table]<int64_t kPhases>() {
    if constexpr (kPhases <= kMostTilePhases) FillRowChannels<kPhases, 1>(table);
  };
  (fill.template operator()<kRowsPhases[kIndex]>(), ...);
  return table;
}

inline constexpr SumRowsTable kSumRows = MakeSumRowsTable(std::make_index_sequence<std::size(kRowsPhases)>());

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_ROWS_ROWS_TILE_INL_H_
