// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the register tile of "channels", and what a tile reads and writes: taps, weights to prefetch, and cells
// that lie at any place or evenly.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INPUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INPUT_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INPUT_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INPUT_INL_H_
#endif

#include <array>
#include <cstdint>

#include "kernel/base/registers-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {

// Measured on Zen 4 (32 registers): 6x4, 8x3 and 12x2 all reach the multiply-add limit; more vectors of channels load
// less for each product: 6x4 makes 24 products for 10 loads, 8x3 for 11, 12x2 for 14. With 16 registers 12 sums leave
// room for the operands, 6x2; 4x3 leaves too little (Zen 3: half the speed).
inline constexpr int64_t kChannelVectors = kVectorRegisters == 32 ? 4 : 2;
inline constexpr int64_t kMostCells = 12;

// The most vectors of channels in a tile. The channels of a group fill one half vector or less, those of groups that
// share a vector this one.
template <class P>
constexpr int64_t MostVectors() {
  return P::kHalf || P::kGroups ? 1 : kChannelVectors;
}

constexpr int64_t CellsFor(int64_t vectors) {
  if (kChannelVectors == 4) return vectors == 4 ? 6 : vectors == 3 ? 8 : kMostCells;
  return vectors == 2 ? 6 : kMostCells;
}

// Taps along one axis, in the order in which they are packed: those of x from the last to the first. Steps are in
// bytes.
struct TapBox {
  int64_t taps = 0;
  int64_t data_step = 0;
  int64_t weight_step = 0;
};
// The taps and units that a tile sums.
struct TileTaps {
  std::array<TapBox, 3> box;      // z, y, x
  const char* weights = nullptr;  // weights of the first tap of the box and the first unit
  int64_t units = 0;              // units of a tap of the box
};

// Weights [next, end) that the next pass reads. They are fetched into the second-level cache while tiles are summed, a
// few lines every few units.
struct WeightsToFetch {
  const char* next = nullptr;
  const char* end = nullptr;
  int64_t lines = 0;

  HWY_INLINE void Fetch() {
    for (int64_t i = 0; i < lines && next < end; ++i) {
      __builtin_prefetch(next, 0, 2);
      next += kLineBytes;
    }
  }
};

// The values that all cells of a tile share.
struct ChannelsTileInput {
  const char* data = nullptr;
  TileTaps taps;
  bool add = false;                     // adds to the values that the sums already hold
  bool stores_bytes = false;            // sums are stored as elements of 8 bits
  bool streams = false;                 // stores go around the caches: to whole vectors, each aligned
  bool fetches_sums = false;            // the cache lines of the sums are prefetched
  int64_t last_lanes = 0;               // lanes of the last vector that are stored
  WeightsToFetch* to_fetch = nullptr;   // null if none
  const int32_t* lane_units = nullptr;  // groups share a vector: the first unit of each lane's group
};
// Cells at any place. Only the cells of the tile are set.
struct ScatteredInput : ChannelsTileInput {
  std::array<int64_t, kMostCells> cells;  // bytes from `data`, for the first tap of the box
  std::array<char*, kMostCells> sums;     // any alignment
  int64_t sums_offset = 0;                // added to all of `sums`
};
// Cells that lie evenly, and groups that take turns at each tile of them.
struct CellRow {
  const char* data = nullptr;  // data of the first cell, for the first tap of the box
  int64_t data_step = 0;
  char* sums = nullptr;  // any alignment
  int64_t sums_step = 0;
  int64_t tiles = 0;  // whole tiles
  int64_t groups = 1;
  int64_t group_data_step = 0;
  int64_t group_weight_step = 0;
  int64_t group_sums_step = 0;
};

// Keeps a pointer in a register. Otherwise the compiler computes it from other pointers at each use.
template <class Pointer>
HWY_INLINE void KeepPointer([[maybe_unused]] Pointer& pointer) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(pointer));
#endif
}

// ScatteredCells: the units of data that the cells of a tile read next, for cells at any place.
template <int64_t kCells>
struct ScatteredCells {
  const char* data[kCells];
  int64_t unit = 0;

  HWY_INLINE const char* At(int64_t cell, int64_t units_on) const {
    return data[cell] + (unit + units_on) * kUnitBytes;
  }
  HWY_INLINE void Advance(int64_t units) { unit += units; }
};
// EvenCells: the same for cells at equal distances. One pointer serves three cells: on x86 an instruction can address
// base, base + step and base + 2 * step, and twelve pointers would not stay in registers. Not measured elsewhere.
template <int64_t kCells>
struct EvenCells {
  static constexpr int64_t kShare = 3;
  static constexpr int64_t kBases = (kCells + kShare - 1) / kShare;
  const char* bases[kBases];
  int64_t step = 0;

  HWY_INLINE EvenCells(const char* first, int64_t cell_step) : step(cell_step) {
    HWY_UNROLL(6) for (int64_t b = 0; b < kBases; ++b) bases[b] = first + b * kShare * cell_step;
  }
  HWY_INLINE const char* At(int64_t cell, int64_t units_on) const {
    return bases[cell / kShare] + cell % kShare * step + units_on * kUnitBytes;
  }
  HWY_INLINE void Advance(int64_t units) {
    HWY_UNROLL(6) for (int64_t b = 0; b < kBases; ++b) {
      bases[b] += units * kUnitBytes;
      KeepPointer(bases[b]);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INPUT_INL_H_
