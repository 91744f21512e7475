// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sizes of the register tile of the algorithm "channels", and the input of one tile. The input is its taps, the
// weights to prefetch, and the addresses of the data and sums of its cells (groups of neighbouring outputs). Cells lie
// at any addresses or at equal distances. A unit is the one, two or four input channels that a lane multiplies at once.
// A pass is the work that adds the products of some units to the sums of many tiles.

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

// The most vectors of channels and the most cells of a tile. Measured on Zen 4 (32 registers): tiles of 6x4, 8x3 and
// 12x2 (cells x vectors) all reach the limit of the multiply-add units. More vectors need fewer loads for 24 products:
// 6x4 needs 10 loads, 8x3 11, and 12x2 14. With 16 registers, 6x2 leaves enough registers for the operands. 4x3 leaves
// too few (on Zen 3: half the speed).
inline constexpr int64_t kChannelVectors = kVectorRegisters == 32 ? 4 : 2;
inline constexpr int64_t kMostCells = 12;

// Returns the most vectors of channels in a tile. P says how a target multiplies (channels_products-inl.h). With half
// vectors, a group has at most one; groups that share a vector have exactly one.
template <class P>
constexpr int64_t MostVectors() {
  return P::kHalf || P::kGroups ? 1 : kChannelVectors;
}

// Returns the most cells of a tile of `vectors` vectors, so that all its sums fit the registers.
constexpr int64_t CellsFor(int64_t vectors) {
  if (kChannelVectors == 4) return vectors == 4 ? 6 : vectors == 3 ? 8 : kMostCells;
  return vectors == 2 ? 6 : kMostCells;
}

// The taps of a tile along one axis, in the order of the packed filter: taps of x from the last to the first. Steps are
// in bytes, from one tap to the next. Three axes make a box of taps.
struct BoxAxis {
  int64_t taps = 0;
  int64_t data_step = 0;
  int64_t weight_step = 0;
};
// The taps and units that a tile sums.
struct TileTaps {
  std::array<BoxAxis, 3> box;     // z, y, x
  const char* weights = nullptr;  // weights of the first tap of the box and the first unit
  int64_t units = 0;              // units of a tap of the box
};

// The weights [next, end) that the next pass reads. While tiles are summed, each Fetch() prefetches the next `lines`
// cache lines into the second-level cache.
struct WeightsToFetch {
  const char* next = nullptr;
  const char* end = nullptr;
  int64_t lines = 0;

  HWY_INLINE void Fetch() {
    for (int64_t i = 0; i < lines && next < end; ++i) {
      __builtin_prefetch(next, 0, 2);  // 0: to read; 2: not into the first-level cache
      next += kLineBytes;
    }
  }
};

// The values that all cells of a tile share.
struct ChannelsTileInput {
  const char* data = nullptr;
  TileTaps taps;
  bool continues_sums = false;          // adds to the sums of earlier passes, which memory holds
  bool stores_bytes = false;            // sums are stored as elements of 8 bits
  bool streams = false;                 // stores bypass the caches: whole vectors at aligned addresses
  bool fetches_sums = false;            // the cache lines of the sums are prefetched
  int64_t last_lanes = 0;               // lanes of the last vector that are stored
  WeightsToFetch* to_fetch = nullptr;   // null if none
  const int32_t* lane_units = nullptr;  // if groups share a vector: the first unit of each lane's group
};
// Cells at any addresses. Of the arrays, as many entries are set as the tile has cells.
struct ScatteredInput : ChannelsTileInput {
  std::array<int64_t, kMostCells> cells;  // bytes from `data`, for the first tap of the box
  std::array<char*, kMostCells> sums;     // any alignment
  int64_t sums_offset = 0;                // added to all of `sums`
};
// Cells at equal distances, which form whole tiles. All groups of a task may be summed at a tile before the next tile.
// Then the group steps lead from one group to the next. Steps are in bytes.
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

// Makes the compiler keep a pointer in a register. Otherwise it computes the pointer from other pointers at each use.
template <class Pointer>
HWY_INLINE void KeepPointer([[maybe_unused]] Pointer& pointer) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(pointer));
#endif
}

// Where the cells of a tile read their next units of data, for cells at any addresses. At() returns the address of a
// unit of a cell, `units_on` units behind the next one.
template <int64_t kCells>
struct ScatteredCells {
  const char* data[kCells];
  int64_t unit = 0;

  HWY_INLINE const char* At(int64_t cell, int64_t units_on) const {
    return data[cell] + (unit + units_on) * kUnitBytes;
  }
  HWY_INLINE void Advance(int64_t units) { unit += units; }
};
// The same for cells at equal distances. One pointer serves three cells: on x86 an instruction can address base, base +
// step and base + 2 * step. Twelve pointers would not stay in registers. Not measured elsewhere.
template <int64_t kCells>
struct EvenlySpacedCells {
  static constexpr int64_t kShare = 3;
  static constexpr int64_t kBases = (kCells + kShare - 1) / kShare;
  const char* bases[kBases];
  int64_t step = 0;

  HWY_INLINE EvenlySpacedCells(const char* first, int64_t cell_step) : step(cell_step) {
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
