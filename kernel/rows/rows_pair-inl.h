// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of the algorithm "rows" for planar outputs (each channel is an image of its own) with stride 2 in
// x. A register tile is a block of sums that stay in registers. This one has two rows of outputs, and both phases in x
// (the even and the odd outputs of a row). It sums like the tile of rows_tile-inl.h. Then it interleaves the sums of
// both phases in registers (a0 a1 and b0 b1 become a0 b0 a1 b1) and stores them. SVE and RVV lack this tile: their
// vectors cannot be elements of arrays, and without arrays the file takes minutes to compile.

#if defined(DECONV_KERNEL_ROWS_ROWS_PAIR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_ROWS_ROWS_PAIR_INL_H_
#undef DECONV_KERNEL_ROWS_ROWS_PAIR_INL_H_
#else
#define DECONV_KERNEL_ROWS_ROWS_PAIR_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/blocks/store_pair-inl.h"
#include "kernel/rows/rows_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#undef DECONV_HAS_ROW_PAIRS
#define DECONV_HAS_ROW_PAIRS (HWY_TARGET != HWY_SCALAR && !DECONV_SIZELESS_VECTORS)
// The rows of outputs and the phases of a tile.
inline constexpr int64_t kPairedRows = 2;
inline constexpr int64_t kPairedPhases = 2 * kPairedRows;

// The outputs of a tile in memory. The last vector of a row may have fewer outputs than others.
struct RowsPairs {
  deconv_type type = DECONV_F32;  // the outputs' type
  char* first = nullptr;          // first output of channel 0
  int64_t row_step = 0;           // bytes from the first row of outputs to the second
  int64_t channel_step = 0;       // bytes
  int64_t count = 0;              // outputs of a row from `first` to the end of the row in the task's block
  bool streams = false;           // stores bypass the caches; rows are whole vectors that begin at cache lines

#if DECONV_HAS_ROW_PAIRS
  // Stores the sums of a tile, which come in the order of RowsShape. The type is a variable, so that the tile is
  // compiled once for all types.
  template <class Shape, size_t... kSum, class V, class... Rest>
  HWY_INLINE void Store(std::index_sequence<kSum...> /*sums*/, V sum, Rest... rest) const {
    constexpr VectorNumbers<Shape::kSums / 2> pairs;
    const std::array<V, Shape::kSums> sums = {sum, rest...};
    switch (type) {
      case DECONV_F16:
        return StorePairsAs<Shape, Float16>(pairs, sums);
      case DECONV_BF16:
        return StorePairsAs<Shape, BFloat16>(pairs, sums);
      case DECONV_I8:
      case DECONV_U8:
        return StorePairsAs<Shape, FloatI8>(pairs, sums);
      default:
        return StorePairsAs<Shape, float>(pairs, sums);
    }
  }

 private:
  // A pair is two vectors of sums of the same row, channel and cells, one of each phase in x.
  template <class Shape, class T, size_t... kPair, class Sums>
  HWY_INLINE void StorePairsAs(std::index_sequence<kPair...> /*pairs*/, const Sums& sums) const {
    if constexpr (kJoinsPairs<T>) (StorePairNumber<Shape, T, kPair>(sums), ...);
  }

  // Stores pair number kPair as elements of T. Pairs are numbered by row, channel and vector; the vector varies
  // fastest. Example with one channel and three vectors: pair 4 is vector 1 of row 1, that is sums 7 and 10.
  template <class Shape, class T, size_t kPair, class V, size_t kSums>
  HWY_INLINE void StorePairNumber(const std::array<V, kSums>& sums) const {
    constexpr size_t kOfPhase = Shape::kChannels * Shape::kVectors;  // sums of a phase
    constexpr size_t kRow = kPair / kOfPhase;
    constexpr size_t kFirst = kRow * 2 * kOfPhase + kPair % kOfPhase;
    constexpr auto kChannel = static_cast<int64_t>(kPair % kOfPhase / Shape::kVectors);
    constexpr auto kVector = static_cast<int64_t>(kPair % Shape::kVectors);
    const hn::DFromV<V> d;
    const V& even = sums[kFirst];
    const V& odd = sums[kFirst + kOfPhase];
    const int64_t pair_bytes = 2 * static_cast<int64_t>(hn::Lanes(d)) * static_cast<int64_t>(sizeof(T));
    char* const to = first + static_cast<int64_t>(kRow) * row_step + kChannel * channel_step + kVector * pair_bytes;
    const int64_t left_bytes =
        kVector + 1 == Shape::kVectors ? count * static_cast<int64_t>(sizeof(T)) - kVector * pair_bytes : pair_bytes;
    if constexpr (sizeof(T) == sizeof(float)) {
      StoreFirst(d, left_bytes, to, hn::InterleaveWholeLower(d, even, odd), hn::InterleaveWholeUpper(d, even, odd));
    } else {
      StoreFirst(PairTag<T, decltype(d)>(), left_bytes, to, JoinPair<T>(d, even, odd));
    }
  }

  // Stores the first `left_bytes` bytes of the vectors, or all if `left_bytes` is more. A pair is joined once, before
  // the way to store it is chosen. If each way joined it, the compiler would take 17 s and 1.5 GB for rows_f32.cc
  // instead of 11 s and 0.9 GB.
  template <class D, class... V>
  HWY_INLINE void StoreFirst(D d, int64_t left_bytes, char* to, V... vectors) const {
    const auto bytes = static_cast<int64_t>(hn::Lanes(d) * sizeof(hn::TFromD<D>));
    int64_t stored_bytes = 0;
    if (left_bytes < bytes * static_cast<int64_t>(sizeof...(V))) {
      const auto store = [&](const auto& vector) HWY_ATTR {
        if (stored_bytes < left_bytes)
          StoreFirstBytes(vector, d, to + stored_bytes, std::min(left_bytes - stored_bytes, bytes));
        stored_bytes += bytes;
      };
      (store(vectors), ...);
    } else if (streams) {
      ((StoreOrStream<true>(vectors, d, to + stored_bytes), stored_bytes += bytes), ...);
    } else {
      ((StoreOrStream<false>(vectors, d, to + stored_bytes), stored_bytes += bytes), ...);
    }
  }
#endif
};

using SumRowPairsFunction = void (*)(const RowsInput& input, const RowsPairs& pairs);

// Functions, indexed by the number of channels less one and by the number of vectors.
using SumRowPairsTable = std::array<std::array<SumRowPairsFunction, kMostRowVectors + 1>, kMostRowChannels>;

#if DECONV_HAS_ROW_PAIRS

// Sums a tile and stores its outputs.
template <int64_t kChannels, int64_t kVectors>
HWY_NOINLINE void SumRowPairs(const RowsInput& input, const RowsPairs& pairs) {
  using Shape = RowsShape<kPairedPhases, kChannels, kVectors, false>;
  StartRowsSums<Shape>(input, pairs, VectorNumbers<Shape::kSums>());
}

// Puts the functions into the table, from kChannels channels and kVectors vectors on.
template <int64_t kChannels, int64_t kVectors>
constexpr void FillRowPairs(SumRowPairsTable& table) {
  if constexpr (kVectors <= RowVectors(kPairedPhases, kChannels)) {
    table[kChannels - 1][kVectors] = &SumRowPairs<kChannels, kVectors>;
    FillRowPairs<kChannels, kVectors + 1>(table);
  } else if constexpr (kChannels < RowChannels(kPairedPhases)) {
    FillRowPairs<kChannels + 1, 1>(table);
  }
}

#endif  // DECONV_HAS_ROW_PAIRS

constexpr SumRowPairsTable MakeSumRowPairsTable() {
  SumRowPairsTable table = {};
#if DECONV_HAS_ROW_PAIRS
  FillRowPairs<1, 1>(table);
#endif
  return table;
}

// Empty on targets without this tile.
inline constexpr SumRowPairsTable kSumRowPairs = MakeSumRowPairsTable();

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_ROWS_ROWS_PAIR_INL_H_
