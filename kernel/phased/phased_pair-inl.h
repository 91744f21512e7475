// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of the algorithm "phased" for planar outputs (each channel is an image of its own) of f32, f16 and
// bf16 with stride 2. A register tile is a block of sums that stay in registers. Both phases in x (the even and the odd
// outputs of a row) must have the same number of taps. The tile sums both phases of the same cells. It interleaves
// the sums in registers (a0 a1 and b0 b1 become a0 b0 a1 b1) and stores them as outputs. On Zen 5, layers with 64 to
// 128 products per output took 6 to 8 % longer with sums that pass through scratch.

#if defined(DECONV_KERNEL_PHASED_PHASED_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_PHASED_PHASED_PAIR_INL_H_
#undef DECONV_KERNEL_PHASED_PHASED_PAIR_INL_H_
#else
#define DECONV_KERNEL_PHASED_PHASED_PAIR_INL_H_
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/algorithm.h"
#include "kernel/base/convert.h"
#include "kernel/base/geometry.h"
#include "kernel/base/registers-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/blocks/fetch_outputs.h"
#include "kernel/blocks/store_pair-inl.h"
#include "kernel/phased/phased_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether a target has this tile. With 16 registers it is not faster. Measured on Zen 5: on AVX2, layers took 0.96 to
// 1.04 of their time; on SSE4, they took 1.35 times as long.
inline constexpr bool kHasPairs = HWY_TARGET != HWY_SCALAR && kVectorRegisters == 32;

// Whether this tile stores outputs of type T. It does not store elements of 8 bits, because algorithms with integer
// sums are faster for them.
template <class T>
inline constexpr bool kStoresPairs = kHasPairs && kJoinsPairs<T> && sizeof(T) > 1;

// Output channels of this tile. The full tile of one phase has twice as many channels, so both have as many sums.
inline constexpr int64_t kPairTileChannels = kFullTileChannels / 2;

struct PhasedPairInput {
  deconv_type type = DECONV_F32;  // the outputs' type
  const float* data = nullptr;    // first cell of the tile in channel 0, without the offset of a tap
  int64_t channel_pitch = 0;
  int64_t channels = 0;
  int64_t taps = 0;                           // taps of each phase
  std::array<const int64_t*, 2> offsets{};    // offsets of each phase
  std::array<const char*, 2> weights{};       // of each phase: [input channel][tap][output channel of the tile]
  int64_t weight_step = 0;                    // bytes from a tap to the next one
  std::array<char*, kFullVectors> outputs{};  // outputs of each vector of cells, before `output_offset`
  int64_t output_offset = 0;                  // bytes to the first output channel of the tile
  int64_t output_pitch = 0;                   // bytes from one output channel to the next
  bool streams = false;  // stores bypass the caches; then each of `outputs` is at the begin of a cache line

  char* Output(size_t channel, size_t vector) const {
    return outputs[vector] + output_offset + static_cast<int64_t>(channel) * output_pitch;
  }
};

#if HWY_TARGET != HWY_SCALAR

// Adds a product to sum number kSum = k, of phase k % 2, vector k / 2 % kVectors and output channel
// k / (2 * kVectors). Example with 3 vectors: sum 9 has phase 1, vector 1 and channel 1.
template <int64_t kVectors, bool kSameOffsets, size_t kSum, class V>
HWY_INLINE void AddPairProduct(const PhasedPairInput& input, int64_t weight_offset, const float* data, int64_t tap,
                               V& sum) {
  const hn::DFromV<V> d;
  constexpr size_t kPhase = kSum % 2;
  const int64_t offset = input.offsets[kSameOffsets ? 0 : kPhase][tap];
  const float* at = data + offset + kSum / 2 % kVectors * hn::Lanes(d);
  const V factor = hn::Set(d, LoadElement<float>(input.weights[kPhase] + weight_offset, kSum / (2 * kVectors)));
  sum = hn::MulAdd(factor, hn::LoadU(d, at), sum);
}

// Interleaves both phases of pair number kPair, stores them as elements of T, and does the same with the other pairs.
template <class T, int64_t kVectors, bool kStreams, size_t kPair, class V, class... Rest>
HWY_INLINE void StorePairsOf(const PhasedPairInput& input, V first, V second, Rest... rest) {
  StorePair<T, kStreams>(first, second, input.Output(kPair / kVectors, kPair % kVectors));
  if constexpr (sizeof...(rest) > 0) StorePairsOf<T, kVectors, kStreams, kPair + 1>(input, rest...);
}

// Stores all pairs as elements of T, if this tile stores such elements.
template <class T, int64_t kVectors, class... V>
HWY_INLINE void StoreOrStreamPairs(const PhasedPairInput& input, V... sums) {
  if constexpr (kStoresPairs<T>) {
    if (input.streams) return StorePairsOf<T, kVectors, true, 0>(input, sums...);
    StorePairsOf<T, kVectors, false, 0>(input, sums...);
  }
}

// Stores all pairs. The type is a variable, so that the tile is compiled once for all types.
template <int64_t kVectors, class... V>
HWY_INLINE void StorePairs(const PhasedPairInput& input, V... sums) {
  switch (input.type) {
    case DECONV_F16:
      return StoreOrStreamPairs<Float16, kVectors>(input, sums...);
    case DECONV_BF16:
      return StoreOrStreamPairs<BFloat16, kVectors>(input, sums...);
    default:
      return StoreOrStreamPairs<float, kVectors>(input, sums...);
  }
}

// Adds the products of all input channels and taps to the sums, and stores the sums.
template <int64_t kVectors, bool kSameOffsets, size_t... kSum, class... V>
HWY_INLINE void SumPairVectors(const PhasedPairInput& input, std::index_sequence<kSum...> /*sums*/, V... sums) {
  const float* data = input.data;
  int64_t weight_offset = 0;
  for (int64_t channel = 0; channel < input.channels; ++channel) {
    for (int64_t tap = 0; tap < input.taps; ++tap) {
      (AddPairProduct<kVectors, kSameOffsets, kSum>(input, weight_offset, data, tap, sums), ...);
      weight_offset += input.weight_step;
    }
    data += input.channel_pitch;
  }
  StorePairs<kVectors>(input, sums...);
}

// Calls SumPairVectors with sums that begin at zero.
template <int64_t kVectors, bool kSameOffsets, size_t... kSum>
HWY_INLINE void StartPairSums(const PhasedPairInput& input, std::index_sequence<kSum...> sums) {
  const hn::ScalableTag<float> d;
  SumPairVectors<kVectors, kSameOffsets>(input, sums, ZeroVector<kSum>(d)...);
}

template <int64_t kVectors, bool kSameOffsets>
HWY_NOINLINE void SumPhasedPair(const PhasedPairInput& input) {
  StartPairSums<kVectors, kSameOffsets>(input, VectorNumbers<kPairTileChannels * 2 * kVectors>());
}

// RunPhasedPair without the prefetch. kSameOffsets: the taps of both phases read the same data.
template <bool kSameOffsets>
void RunPhasedPairOf(const PhasedPairInput& input, int64_t vectors) {
  static_assert(kFullVectors <= 3);
  switch (vectors) {
    case 1:
      return SumPhasedPair<1, kSameOffsets>(input);
    case 2:
      return SumPhasedPair<2, kSameOffsets>(input);
    default:
      if constexpr (kFullVectors == 3) SumPhasedPair<3, kSameOffsets>(input);
  }
}

// Computes kPairTileChannels channels by `vectors` vectors of cells, at most kFullVectors. The cache lines of the
// outputs are prefetched first. This function is a template, so that only targets with this tile compile it.
template <class D>
void RunPhasedPair(D d, const PhasedPairInput& input, int64_t vectors, bool same_offsets) {
  if (!input.streams) {
    const int64_t bytes = 2 * static_cast<int64_t>(hn::Lanes(d) * ElementBytes(input.type));
    for (size_t channel = 0; channel < kPairTileChannels; ++channel) {
      for (size_t vector = 0; vector < static_cast<size_t>(vectors); ++vector) {
        char* const first = input.Output(channel, vector);
        FetchLines(first, first + bytes);
      }
    }
  }
  return same_offsets ? RunPhasedPairOf<true>(input, vectors) : RunPhasedPairOf<false>(input, vectors);
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_PHASED_PHASED_PAIR_INL_H_
