// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of the algorithm "rows": the sums of a few phases by a few output channels by a few vectors of
// cells. A phase is the outputs with the same remainder modulo the stride; a cell is neighbouring outputs, one of each.
// In each step it loads vectors of data once and multiplies them by a tap of every phase in the step's mask. The
// branches on the mask repeat for every input channel, so the CPU predicts them.
//
// Example: 16 registers, four phases (strides 2 in y and x), one output channel. RowVectors() gives 3 vectors of cells.
// The 4 * 1 * 3 = 12 sums, 3 vectors of data and 1 weight fill all 16 registers.
// A step that all phases read loads 3 vectors and 4 weights, and makes 12 products: 12 products for 7 loads.
// With one vector it would make 4 products for 5 loads, so loads would set the speed.
// Sum number 7 belongs to phase 7 / 3 = 2, channel 0 and vector 7 % 3 = 1.
// A 3 x 3 filter without pads needs 4 steps for 9 taps. Phases 0 and 1 are those of even rows, 2 and 3 of odd rows.
//   mask 0001 reads tap 8.           mask 0011 reads taps 6 7.
//   mask 0101 reads taps 2 5.        mask 1111 reads taps 0 1 3 4.
// The packed weights lie in this order: 8 6 7 2 5 0 1 3 4.

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
#include "kernel/base/vectors-inl.h"
#include "kernel/rows/rows_layout.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The most sums (phases by channels) of a tile. Each loaded weight serves all vectors of its sum. With one vector,
// loads take as long as products. So 16 registers hold at most 6 sums, which leaves space for two vectors.
inline constexpr int64_t kMostSums = kVectorRegisters == 32 ? 12 : 6;
inline constexpr int64_t kMostTilePhases = std::min(kMostSums, kRowsPhases[0]);
// A tile is compiled for each number of phases, channels and vectors up to these limits (kSumRows), so they bound the
// size of the code. No measurement chose them. With one phase and one channel, six vectors are six independent sums.
// An addition waits four cycles for the one before it, and six sums hide most of this wait (as in phased_tile-inl.h).
inline constexpr int64_t kMostRowVectors = 6;
inline constexpr int64_t kMostRowChannels = 4;

// Returns the most output channels of a tile.
constexpr int64_t RowChannels(int64_t phases) {
  return std::max<int64_t>(1, std::min(kMostRowChannels, kMostSums / phases));
}
// Returns the most vectors of cells of a tile, so that registers hold all sums, the data of a step and a weight.
constexpr int64_t RowVectors(int64_t phases, int64_t channels) {
  return std::max<int64_t>(1, std::min(kMostRowVectors, (kVectorRegisters - 1) / (phases * channels + 1)));
}

struct RowsInput {
  const float* data = nullptr;  // first cell of the tile in channel 0, without the offset of a step
  int64_t channel_pitch = 0;    // elements from one channel of the padded copy to the next
  int64_t in_channels = 0;
  const RowsStep* steps = nullptr;
  size_t step_count = 0;
  const char* weights = nullptr;  // any alignment
};

// The size of a tile. Sum k belongs to phase k / (kChannels * kVectors), channel k / kVectors % kChannels and vector k
// % kVectors. kMasksPadding: padding is left out by a mask, because the filter has NaN or Inf.
template <int64_t phases, int64_t channels, int64_t vectors, bool masks_padding>
struct RowsShape {
  static constexpr int64_t kPhases = phases;
  static constexpr int64_t kChannels = channels;
  static constexpr int64_t kVectors = vectors;
  static constexpr int64_t kSums = phases * channels * vectors;
  static constexpr bool kMasksPadding = masks_padding;
};

// Adds a product to sum number kSum: its weight, broadcast to all lanes, times a vector of data.
template <class Shape, size_t kSum, class V>
HWY_INLINE void AddRowsProduct(const char* weights, const V& data, const float* padding_mask, V& sum) {
  const hn::DFromV<V> d;
  const V weight = hn::Set(d, LoadElement<float>(weights, kSum / Shape::kVectors % Shape::kChannels));
  const V added = hn::MulAdd(weight, data, sum);
  if constexpr (Shape::kMasksPadding) {
    const float* at = padding_mask + kSum % Shape::kVectors * hn::Lanes(d);
    sum = hn::IfThenElse(hn::Ne(hn::LoadU(d, at), hn::Zero(d)), added, sum);
  } else {
    sum = added;
  }
}

// Adds the products of one phase in one step. `weights` points to the weights of the phase and is moved behind them.
// The first kVectors of `all` are data, the others are sums.
template <class Shape, size_t kPhase, size_t... kOfPhase, class... V>
HWY_INLINE void AddRowsPhase(const char*& weights, const float* padding_mask, std::index_sequence<kOfPhase...> /*sums*/,
                             V&... all) {
  constexpr size_t kFirst = kPhase * sizeof...(kOfPhase);
  (AddRowsProduct<Shape, kOfPhase>(weights, PickVector<kOfPhase % Shape::kVectors>(all...), padding_mask,
                                   PickVector<Shape::kVectors + kFirst + kOfPhase>(all...)),
   ...);
  weights += Shape::kChannels * static_cast<int64_t>(sizeof(float));
}

// Adds the products of one step for all phases in its mask.
template <class Shape, size_t... kPhase, class... V>
HWY_INLINE void AddRowsStep(uint32_t mask, const char*& weights, const float* padding_mask,
                            std::index_sequence<kPhase...> /*phases*/, V&&... all) {
  constexpr VectorNumbers<Shape::kChannels * Shape::kVectors> sums_of_phase;
  (((mask >> kPhase & 1) != 0 ? AddRowsPhase<Shape, kPhase>(weights, padding_mask, sums_of_phase, all...) : void()),
   ...);
}

// Where a tile stores its sums in scratch. `pitch`: elements from the sums of a phase and channel to the next ones.
struct RowsSums {
  float* first = nullptr;
  int64_t pitch = 0;

  template <class Shape, size_t... kSum, class... V>
  HWY_INLINE void Store(std::index_sequence<kSum...> /*sums*/, V... sums) const {
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    float* HWY_RESTRICT to = first;
    (hn::StoreU(sums, d, to + kSum / Shape::kVectors * pitch + kSum % Shape::kVectors * lanes), ...);
  }
};

// Adds all products to the sums, and lets `outputs` store the sums.
template <class Shape, class Outputs, size_t... kSum, size_t... kVector, class... V>
HWY_INLINE void SumRowsVectors(const RowsInput& input, const Outputs& outputs, std::index_sequence<kSum...> numbers,
                               std::index_sequence<kVector...> /*vectors*/, V... sums) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr VectorNumbers<Shape::kPhases> phases;
  const float* data = input.data;
  const float* padding_mask = input.data + input.in_channels * input.channel_pitch;
  const char* weights = input.weights;
  const RowsStep* const end = input.steps + input.step_count;
  for (int64_t channel = 0; channel < input.in_channels; ++channel) {
    for (const RowsStep* step = input.steps; step != end; ++step) {
      const float* at = data + step->offset;
      AddRowsStep<Shape>(step->mask, weights, padding_mask + step->offset, phases,
                         hn::LoadU(d, at + kVector * lanes)..., sums...);
    }
    data += input.channel_pitch;
  }
  outputs.template Store<Shape>(numbers, sums...);
}

// Calls SumRowsVectors with sums that begin at zero.
template <class Shape, class Outputs, size_t... kSum>
HWY_INLINE void StartRowsSums(const RowsInput& input, const Outputs& outputs, std::index_sequence<kSum...> sums) {
  const hn::ScalableTag<float> d;
  SumRowsVectors<Shape>(input, outputs, sums, VectorNumbers<Shape::kVectors>(), ZeroVector<kSum>(d)...);
}

// Sums a tile and stores its sums in scratch.
template <int64_t kPhases, int64_t kChannels, int64_t kVectors, bool kMasksPadding>
HWY_NOINLINE void SumRows(const RowsInput& input, const RowsSums& sums) {
  using Shape = RowsShape<kPhases, kChannels, kVectors, kMasksPadding>;
  StartRowsSums<Shape>(input, sums, VectorNumbers<Shape::kSums>());
}

using SumRowsFunction = void (*)(const RowsInput& input, const RowsSums& sums);

// Functions, indexed by the number of phases, of channels less one, and of vectors. Index 0 of vectors is the
// tile that masks padding, with one vector.
using SumRowsTable =
    std::array<std::array<std::array<SumRowsFunction, kMostRowVectors + 1>, kMostRowChannels>, kRowsPhases[0] + 1>;

// Puts the functions for kPhases phases and kChannels channels into the table, from kVectors vectors on.
template <int64_t kPhases, int64_t kChannels, int64_t kVectors>
constexpr void FillRowVectors(SumRowsTable& table) {
  if constexpr (kVectors <= RowVectors(kPhases, kChannels)) {
    table[kPhases][kChannels - 1][kVectors] = &SumRows<kPhases, kChannels, kVectors, false>;
    FillRowVectors<kPhases, kChannels, kVectors + 1>(table);
  }
}

// Puts the functions for kPhases phases into the table, from kChannels channels on.
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
