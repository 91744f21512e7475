// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of a register tile of the algorithm "channels": a few cells (groups of neighbouring outputs) by a few
// vectors of output channels. This file numbers the vectors of a tile, and loads earlier sums into them. It prefetches
// the cache lines of the outputs, and stores the sums as 32-bit lanes or as bytes.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_TILE_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_SUMS_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_SUMS_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_TILE_SUMS_INL_H_
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/checked.h"
#include "kernel/base/convert-inl.h"
#include "kernel/base/quads-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/channels/channels_tile_input-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns in how many parts each sum of a tile is formed; `sums` is the number of its sum vectors. An addition to a sum
// must wait about four cycles for the addition before it. Eight independent sums hide this wait. Example: a tile of 2
// sums has 4 parts. Part 0 adds the products of the units (of input channels) 0, 4, 8, and part 1 those of 1, 5, 9. In
// the end the parts are added.
constexpr int64_t PartsOf(int64_t sums) {
  return sums >= 8 ? 1 : 8 / static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(sums)));
}

// Units between two prefetches: a multiple of every number of parts (1, 2, 4 and 8), as SumTap asserts.
inline constexpr int64_t kUnitsOfFetch = 8;

// Numbers the vectors of a tile. Number k is part k / kSums of the sums of vector k % kVectors of cell k % kSums /
// kVectors. Example: one cell by two vectors has four parts, so number 5 is part 2 of vector 1. P says how a target
// multiplies (channels_products-inl.h).
template <class P, int64_t cells, int64_t vectors>
struct TileShape {
  using Products = P;
  using Lane = typename P::Lane;
  using Tag = typename P::Tag;
  static constexpr int64_t kCells = cells;
  static constexpr size_t kVectors = vectors;
  static constexpr size_t kSums = kCells * kVectors;
  static constexpr int64_t kParts = PartsOf(cells * vectors);

  static constexpr size_t Part(size_t k) { return k / kSums; }
  static constexpr int64_t Cell(size_t k) { return static_cast<int64_t>(k % kSums / kVectors); }
  static constexpr int64_t Vector(size_t k) { return static_cast<int64_t>(k % kVectors); }
  static constexpr bool IsLastOfCell(size_t k) { return k % kVectors + 1 == kVectors; }
};

// Prefetches the cache lines of the output while a tile is summed. Otherwise the stores would wait for these lines,
// because the lines of cells lie apart. `sums_of(m)` returns the address of the sums of cell m. A prefetch of all lines
// before the first unit made rows of 16 cells by 128 channels with stride 2 a fifth faster on Zen 3. But it delays the
// loads of weights. So the lines are fetched one by one between the units: on Zen 5, the layer maskrcnn
// (kernel/bench/layers.txt) with channels last then takes 0.97 of its time.
template <int64_t kCells, int64_t kParts, class SumsOf>
struct SumsToFetch {
  const SumsOf& sums_of;
  int64_t bytes_of_cell = 0;
  int64_t next_cell = kCells;  // the cell of the next line
  int64_t next_byte = 0;       // the place of the next line in the sums of this cell

  HWY_INLINE bool HasMore() const { return next_cell < kCells; }
  // Prefetches the next line.
  HWY_INLINE void Fetch() {
    hwy::Prefetch(sums_of(next_cell) + next_byte);
    next_byte += kLineBytes;
    if (next_byte >= bytes_of_cell) {
      next_byte = 0;
      ++next_cell;
    }
  }
  // Starts at the first line. SumTap fetches a line every kUnitsOfFetch units. Begin fetches at once the lines that are
  // left over: more than SumTap will fetch.
  HWY_INLINE void Begin(const TileTaps& taps) {
    const auto& [z, y, x] = taps.box;
    const int64_t lines_of_tap = DivideUp(taps.units / kParts * kParts, kUnitsOfFetch);
    const int64_t lines_between_units = z.taps * y.taps * x.taps * lines_of_tap;
    const int64_t lines = kCells * DivideUp(bytes_of_cell, kLineBytes);
    next_cell = 0;
    for (int64_t i = lines_between_units; i < lines; ++i) Fetch();
  }
};

// Loads vector number kNumber, if it is of part 0, with the sums of earlier passes (of other input channels). The other
// parts begin with 0. `last_lanes`: how many lanes of a cell's last vector hold channels.
template <class Shape, size_t kNumber, class SumsOf, class V>
HWY_INLINE void LoadSum(int64_t last_lanes, const SumsOf& sums_of, V& sum) {
  if constexpr (Shape::Part(kNumber) == 0) {
    const typename Shape::Tag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const char* from = sums_of(Shape::Cell(kNumber)) + Shape::Vector(kNumber) * lanes * kUnitBytes;
    sum = !Shape::IsLastOfCell(kNumber) || last_lanes == lanes ? LoadBytes(d, from) : LoadLanes(d, from, last_lanes);
  }
}

#if HWY_TARGET != HWY_SCALAR
// Loads vector number kNumber like LoadSum, but from sums that were stored as elements of 8 bits. Only targets with
// vectors store such sums.
template <class Shape, size_t kNumber, class SumsOf, class V>
HWY_INLINE void LoadByteSum(int64_t last_lanes, const SumsOf& sums_of, V& sum) {
  if constexpr (Shape::Part(kNumber) == 0) {
    const typename Shape::Tag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    const char* from = sums_of(Shape::Cell(kNumber)) + Shape::Vector(kNumber) * lanes;
    if constexpr (Shape::IsLastOfCell(kNumber)) {
      sum = LoadWidened<uint8_t>(d, from, last_lanes);
    } else {
      sum = WidenElements<uint8_t>(d, LoadBytes(hn::Rebind<uint8_t, typename Shape::Tag>(), from));
    }
  }
}
#endif

// Adds vector number kNumber to the vector of part 0 of the same sums, unless it is of part 0 itself.
template <class Shape, size_t kNumber, class... V>
HWY_INLINE void JoinPart(V&... sums) {
  if constexpr (Shape::Part(kNumber) > 0) {
    auto& joined = PickVector<kNumber % Shape::kSums>(sums...);
    joined = hn::Add(joined, PickVector<kNumber>(sums...));
  }
}

// Stores vector number kNumber, if it is of part 0, with a non-temporal store, which bypasses the caches. `streams` of
// the input is set only if all vectors of the cells are whole and lie at aligned addresses.
template <class Shape, size_t kNumber, class SumsOf, class V>
HWY_INLINE void StreamSum(const V& sum, const SumsOf& sums_of) {
  if constexpr (Shape::Part(kNumber) == 0) {
    const typename Shape::Tag d;
    char* to = sums_of(Shape::Cell(kNumber)) + Shape::Vector(kNumber) * static_cast<int64_t>(hn::Lanes(d)) * kUnitBytes;
    hn::Stream(sum, d, reinterpret_cast<typename Shape::Lane*>(to));
  }
}

// Stores vector number kNumber, if it is of part 0. kWhole: all lanes of every vector hold channels. Otherwise the last
// vector of a cell may have fewer channels than lanes.
template <class Shape, size_t kNumber, bool kWhole, class SumsOf, class V>
HWY_INLINE void StoreSum(const V& sum, int64_t last_lanes, const SumsOf& sums_of) {
  if constexpr (Shape::Part(kNumber) == 0) {
    const typename Shape::Tag d;
    char* to = sums_of(Shape::Cell(kNumber)) + Shape::Vector(kNumber) * static_cast<int64_t>(hn::Lanes(d)) * kUnitBytes;
    if constexpr (kWhole || !Shape::IsLastOfCell(kNumber)) {
      StoreBytes(sum, d, to);
    } else {
      StoreLanes(sum, d, to, last_lanes);
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// Stores vector number kNumber like StoreSum, but as elements of 8 bits: the lowest byte of each lane.
template <class Shape, size_t kNumber, bool kWhole, class SumsOf, class V>
HWY_INLINE void StoreByteSum(const V& sum, int64_t last_lanes, const SumsOf& sums_of) {
  if constexpr (Shape::Part(kNumber) == 0) {
    const typename Shape::Tag d;
    const auto lanes = static_cast<int64_t>(hn::Lanes(d));
    char* to = sums_of(Shape::Cell(kNumber)) + Shape::Vector(kNumber) * lanes;
    if constexpr (kWhole || !Shape::IsLastOfCell(kNumber)) {
      StoreBytes(NarrowLanes<uint8_t>(d, sum), NarrowTag<uint8_t, typename Shape::Tag>(), to);
    } else {
      StoreElements<uint8_t>(sum, d, to, last_lanes);
    }
  }
}
#endif

// Loads the sums of earlier passes. There is one branch for all sums, here and in StoreSums. On Zen 5, a branch for
// each sum made depthwise layers take 1.14 times as long.
template <class Shape, class SumsOf, size_t... kNumber, class... V>
HWY_INLINE void LoadSums(const ChannelsTileInput& input, const SumsOf& sums_of,
                         std::index_sequence<kNumber...> /*sums*/, V&... sums) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (Shape::Products::kStoresBytes) {
    if (input.stores_bytes) return (LoadByteSum<Shape, kNumber>(input.last_lanes, sums_of, sums), ...);
  }
#endif
  (LoadSum<Shape, kNumber>(input.last_lanes, sums_of, sums), ...);
}

// Stores the vectors of part 0, which hold the whole sums.
template <class Shape, class SumsOf, size_t... kNumber, class... V>
HWY_INLINE void StoreSums(const ChannelsTileInput& input, const SumsOf& sums_of,
                          std::index_sequence<kNumber...> /*sums*/, const V&... sums) {
  const bool is_whole = input.last_lanes == static_cast<int64_t>(hn::Lanes(typename Shape::Tag()));
#if HWY_TARGET != HWY_SCALAR
  if constexpr (Shape::Products::kStoresBytes) {
    if (input.stores_bytes && is_whole)
      return (StoreByteSum<Shape, kNumber, true>(sums, input.last_lanes, sums_of), ...);
    if (input.stores_bytes) return (StoreByteSum<Shape, kNumber, false>(sums, input.last_lanes, sums_of), ...);
  }
#endif
  if constexpr (Shape::Products::kStreams) {
    if (input.streams) return (StreamSum<Shape, kNumber>(sums, sums_of), ...);
  }
  if (is_whole) {
    (StoreSum<Shape, kNumber, true>(sums, input.last_lanes, sums_of), ...);
  } else {
    (StoreSum<Shape, kNumber, false>(sums, input.last_lanes, sums_of), ...);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TILE_SUMS_INL_H_
