// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of the algorithm "phased". This algorithm computes the outputs of one phase (the same remainder
// modulo the stride) as a convolution of stride 1. A cell is neighbouring outputs, one of each phase. A vector has one
// cell in each lane: the lane sums the cell's output of the phase. The sums of a few output channels by a few
// vectors of cells stay in registers while the products of all input channels and taps are added:
//   for each input channel, each tap, each output channel c, each vector v:
//     sum[c][v] += broadcast(next weight) * data[v + offset of the tap]
// The packed filter has the weights in this order, so one pointer walks through them. Example: with 32 registers, 8
// channels by 3 vectors are 24 sums. With 3 vectors of data and one weight they take 28 registers.

#if defined(DECONV_KERNEL_PHASED_PHASED_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_TILE_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_TILE_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_TILE_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/registers-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/phased/phased_layout.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Measured on Zen 4 (32 registers): 8x3, 6x4 and 12x2 all reach the multiply-add limit; 8x3 (channels x vectors)
// divides the common numbers of channels without a rest. With 16 registers at most 12 sums leave enough registers for
// the operands: 6x2 reaches the limit, 8x3 falls to a fifth. Tiles of fewer channels have more vectors, because an
// addition to a sum must wait about four cycles for the one before it.
inline constexpr int64_t kFullTileChannels = kVectorRegisters == 32 ? 8 : 6;
inline constexpr int64_t kFullVectors = kVectorRegisters == 32 ? 3 : 2;
inline constexpr int64_t kFourVectors = kVectorRegisters == 32 ? 4 : 3;  // vectors of tiles with four channels
inline constexpr int64_t kMostVectors = 6;  // vectors of tiles with two channels and with one; no tile is wider

// Returns the most vectors of a tile of `channels` output channels.
constexpr int64_t VectorsFor(int64_t channels) {
  return channels == kFullTileChannels ? kFullVectors : channels == 4 ? kFourVectors : kMostVectors;
}

// Describes the register tile of this target for the plan. C is the type of the sums.
template <class C>
PhasedTile PhasedTileOfTarget() {
  const hn::ScalableTag<C> d;
  PhasedTile tile;
  tile.rows = kFullTileChannels;
  tile.lanes = static_cast<int64_t>(hn::Lanes(d));
  tile.vectors = kFullVectors;
  tile.streams = HWY_ARCH_X86;
  tile.columns = kMostVectors * tile.lanes;
  return tile;
}

// The operands of a tile. C is the type of data, weights and sums. The data are a padded copy in scratch.
template <class C>
struct PhasedTileInput {
  const C* data = nullptr;           // first cell of the tile in channel 0, without the offset of a tap
  int64_t channel_pitch = 0;         // elements from one channel of the padded copy to the next
  int64_t channels = 0;              // input channels
  const int64_t* offsets = nullptr;  // of each tap: elements from `data` to the data that the tap multiplies
  int64_t taps = 0;                  // taps of this phase; "col2im" passes its input channels as taps
  const char* weights = nullptr;     // [input channel][tap][output channel], any alignment
};

template <class V>
HWY_INLINE V MultiplyAdd(V weight, V data, V sum) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::MulAdd(weight, data, sum);
  } else {
    return hn::Add(hn::Mul(weight, data), sum);
  }
}

// Adds a product to a sum. kMasksPadding is for filters with NaN or Inf, because a padding zero times NaN or Inf is
// NaN. The padded copy of the data then has one more channel, the mask: 1 for data, 0 for padding. Where `mask` is 0,
// the sum does not change.
template <bool kMasksPadding, class C, class V>
HWY_INLINE void AddPhasedProduct(C weight, const C* data, const C* mask, V& sum) {
  const hn::DFromV<V> d;
  const V added = MultiplyAdd(hn::Set(d, weight), hn::LoadU(d, data), sum);
  if constexpr (kMasksPadding) {
    sum = hn::IfThenElse(hn::Ne(hn::LoadU(d, mask), hn::Zero(d)), added, sum);
  } else {
    sum = added;
  }
}

// Sums and stores a tile. Sum number k belongs to output channel k / kVectors and vector k % kVectors.
template <int64_t kChannels, int64_t kVectors, bool kMasksPadding, class C, size_t... kSum, class... V>
HWY_INLINE void SumPhasedVectors(const PhasedTileInput<C>& input, C* HWY_RESTRICT destination,
                                 int64_t destination_pitch, std::index_sequence<kSum...> /*sums*/, V... sums) {
  const hn::ScalableTag<C> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const C* data = input.data;
  const C* mask = input.data + input.channels * input.channel_pitch;
  const char* weights = input.weights;
  const int64_t taps = input.taps;
  for (int64_t channel = 0; channel < input.channels; ++channel) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      const int64_t offset = input.offsets[tap];
      (AddPhasedProduct<kMasksPadding>(LoadElement<C>(weights, kSum / kVectors),
                                       data + offset + kSum % kVectors * lanes, mask + offset + kSum % kVectors * lanes,
                                       sums),
       ...);
      weights += kChannels * static_cast<int64_t>(sizeof(C));
    }
    data += input.channel_pitch;
  }
  (hn::StoreU(sums, d, destination + kSum / kVectors * destination_pitch + kSum % kVectors * lanes), ...);
}

// Calls SumPhasedVectors with sums that begin at zero.
template <int64_t kChannels, int64_t kVectors, bool kMasksPadding, class C, size_t... kSum>
HWY_INLINE void StartPhasedSums(const PhasedTileInput<C>& input, C* HWY_RESTRICT destination, int64_t destination_pitch,
                                std::index_sequence<kSum...> sums) {
  const hn::ScalableTag<C> d;
  SumPhasedVectors<kChannels, kVectors, kMasksPadding>(input, destination, destination_pitch, sums,
                                                       ZeroVector<kSum>(d)...);
}

// Sums and stores a tile of kChannels output channels by kVectors vectors. kMasksPadding: see AddPhasedProduct.
template <int64_t kChannels, int64_t kVectors, bool kMasksPadding, class C>
HWY_NOINLINE void SumPhasedTile(const PhasedTileInput<C>& input, C* HWY_RESTRICT destination,
                                int64_t destination_pitch) {
  StartPhasedSums<kChannels, kVectors, kMasksPadding>(input, destination, destination_pitch,
                                                      VectorNumbers<kChannels * kVectors>());
}

// RunPhasedTile for a number of channels that is known when the file is compiled. Filters with NaN or Inf are rare, so
// a tile that masks padding is compiled for one vector only.
template <int64_t kChannels, class C>
void RunPhasedTileOf(const PhasedTileInput<C>& input, int64_t vectors, bool masks_padding, C* destination,
                     int64_t destination_pitch) {
  if (masks_padding) return SumPhasedTile<kChannels, 1, true>(input, destination, destination_pitch);
  switch (vectors) {
    case 1:
      return SumPhasedTile<kChannels, 1, false>(input, destination, destination_pitch);
    case 2:
      return SumPhasedTile<kChannels, 2, false>(input, destination, destination_pitch);
    case 3:
      if constexpr (VectorsFor(kChannels) >= 3)
        return SumPhasedTile<kChannels, 3, false>(input, destination, destination_pitch);
      break;
    case 4:
      if constexpr (VectorsFor(kChannels) >= 4)
        return SumPhasedTile<kChannels, 4, false>(input, destination, destination_pitch);
      break;
    case 5:
      if constexpr (VectorsFor(kChannels) >= 5)
        return SumPhasedTile<kChannels, 5, false>(input, destination, destination_pitch);
      break;
    default:
      if constexpr (VectorsFor(kChannels) >= 6)
        return SumPhasedTile<kChannels, 6, false>(input, destination, destination_pitch);
      break;
  }
}

// Sums a tile of `channels` output channels by `vectors` vectors of cells, and stores the sums in `destination`. The
// sums of a channel are `destination_pitch` elements behind those of the channel before it. `vectors` is at most
// VectorsFor(channels). `masks_padding`: the filter has NaN or Inf, so padding is left out by a mask; `vectors` is then
// 1.
template <class C>
void RunPhasedTile(const PhasedTileInput<C>& input, int64_t channels, int64_t vectors, bool masks_padding,
                   C* destination, int64_t destination_pitch) {
  switch (channels) {
    case kFullTileChannels:
      return RunPhasedTileOf<kFullTileChannels>(input, vectors, masks_padding, destination, destination_pitch);
    case 4:
      return RunPhasedTileOf<4>(input, vectors, masks_padding, destination, destination_pitch);
    case 2:
      return RunPhasedTileOf<2>(input, vectors, masks_padding, destination, destination_pitch);
    default:
      return RunPhasedTileOf<1>(input, vectors, masks_padding, destination, destination_pitch);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_TILE_INL_H_
