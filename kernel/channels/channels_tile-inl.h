// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of "channels": a few cells by a few vectors of output channels, summed over taps and input
// channels. Weights through one pointer, units of data broadcast from a pointer for each cell, or for three that lie
// evenly; P is what is done with the two (channels_products-inl.h).

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/base/registers-inl.h"
#include "kernel/channels/channels_layout.h"
#include "kernel/channels/channels_products-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Measured on Zen 4 (32 registers): 6x4, 8x3 and 12x2 all reach the multiply-add limit; more vectors of channels load
// less for each product. With 16 registers 12 sums leave room for the operands, 6x2; 4x3 leaves too little (Zen 3: half
// the speed).
inline constexpr int64_t kChannelVectors = kVectorRegisters == 32 ? 4 : 2;
inline constexpr int64_t kMostCells = 12;
// Cycles of a vector multiplied and added, measured on whole layers; units of integers as they were on Zen 4.
inline constexpr double kChannelsProductCycles = kTwoProductsACycle ? 0.6 : 1.05;
inline constexpr double kChannelsIntegerCycles = 1.05;

constexpr int64_t CellsFor(int64_t vectors) {
  if (kChannelVectors == 4) return vectors == 4 ? 6 : vectors == 3 ? 8 : kMostCells;
  return vectors == 2 ? 6 : kMostCells;
}

// Taps in the order in which they are packed: of x from the last to the first. Offsets and steps are in bytes.
struct TapBox {
  int64_t taps = 0;
  int64_t data_step = 0;
  int64_t weight_step = 0;
};
// Weights [next, end) that are wanted soon: fetched into the second-level cache while tiles are summed, a few lines
// every few units.
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
// As many as the most parts of a sum take.
inline constexpr int64_t kUnitsOfFetch = 8;

// What all cells of a tile share.
struct TileInput {
  const char* data = nullptr;
  const char* weights = nullptr;       // of the first tap of the box and the first unit
  int64_t units = 0;                   // of a tap of the box
  std::array<TapBox, 3> box;           // z, y, x
  bool add = false;                    // to what the sums hold
  int64_t last_lanes = 0;              // of the last vector, to be stored
  WeightsToFetch* to_fetch = nullptr;  // if any are
};
// Cells wherever they lie.
struct CellsInput : TileInput {
  std::array<int64_t, kMostCells> cells = {};  // from `data`, for the first tap of the box
  std::array<char*, kMostCells> sums = {};     // any alignment
  int64_t sums_offset = 0;                     // of all of `sums`
};
// Cells that lie evenly, and groups that take turns at each tile of them.
struct CellRow {
  const char* data = nullptr;  // of the first cell, for the first tap of the box
  int64_t data_step = 0;
  char* sums = nullptr;  // any alignment
  int64_t sums_step = 0;
  int64_t tiles = 0;  // whole ones
  int64_t groups = 1;
  int64_t group_data_step = 0;
  int64_t group_weight_step = 0;
  int64_t group_sums_step = 0;
};

// Each of the few sums of a small tile is formed in that many parts, of units in turn: a sum waits four cycles for its
// next addition, and eight at once hide that.
constexpr int64_t PartsOf(int64_t sums) {
  return sums >= 8 ? 1 : 8 / static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(sums)));
}

// The compiler would rather form a pointer from others each time that it is read than keep it in a register.
template <class Pointer>
HWY_INLINE void KeepPointer([[maybe_unused]] Pointer& pointer) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(pointer));
#endif
}

// The units of data that a tile's cells are at: cells that lie anywhere,
template <int64_t kCells>
struct ScatteredCells {
  const char* data[kCells];
  int64_t unit = 0;

  HWY_INLINE const char* At(int64_t cell, int64_t units_on) const {
    return data[cell] + (unit + units_on) * kUnitBytes;
  }
  HWY_INLINE void Advance(int64_t units) { unit += units; }
};
// or evenly. One pointer serves three cells: base, base + step and base + 2 * step are addresses of an instruction on
// x86, and a pointer for each of twelve would not stay in its registers; elsewhere not measured.
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

// Adds the unit that is `units_on` further by the weights from `weights` on.
template <class P, int64_t kVectors, class Cells, int64_t kCells, class V>
HWY_INLINE void AddUnit(const char* weights, const Cells& data, int64_t units_on, V (&sums)[kCells][kVectors]) {
  const hn::DFromV<V> d;
  const int64_t bytes = static_cast<int64_t>(hn::Lanes(d)) * kUnitBytes;
  V weight[kVectors];
  HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) weight[v] = LoadBytes(d, weights + v * bytes);
  HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
    const V value = hn::Set(d, LoadElement<typename P::Lane>(data.At(m, units_on), 0));
    HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) { sums[m][v] = P::Add(value, weight[v], sums[m][v]); }
  }
}

// One tile: `data_at(offset)` are the data of its cells, so far from those of the first tap of the box; `sums_of(m)`
// are a cell's sums.
template <class P, int64_t kCells, int64_t kVectors, class DataAt, class SumsOf>
HWY_INLINE void SumTile(const TileInput& input, const DataAt& data_at, const SumsOf& sums_of) {
  const hn::ScalableTag<typename P::Lane> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t bytes = lanes * kUnitBytes;
  const bool whole = input.last_lanes == lanes;
  constexpr int64_t kParts = PartsOf(kCells * kVectors);
  static_assert(kUnitsOfFetch % kParts == 0);
  V parts[kParts][kCells][kVectors];
  V(&sums)[kCells][kVectors] = parts[0];
  // Where they go is fetched while they are formed: stores wait for their lines, and those of cells lie apart (rows of
  // 16 cells by 128 channels, stride 2, on Zen 3: a fifth faster).
  if (!input.add) {
    HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
      for (int64_t at = 0; at < kVectors * bytes; at += kLineBytes) hwy::Prefetch(sums_of(m) + at);
    }
  }
  HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
    HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) {
      const char* from = sums_of(m) + v * bytes;
      sums[m][v] = !input.add                    ? hn::Zero(d)
                   : (whole || v + 1 < kVectors) ? LoadBytes(d, from)
                                                 : LoadLanes(d, from, input.last_lanes);
    }
  }
  HWY_UNROLL(7) for (int64_t p = 1; p < kParts; ++p) {
    HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
      HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) parts[p][m][v] = hn::Zero(d);
    }
  }
  const auto& [z, y, x] = input.box;
  for (int64_t tz = 0; tz < z.taps; ++tz) {
    for (int64_t ty = 0; ty < y.taps; ++ty) {
      for (int64_t tx = 0; tx < x.taps; ++tx) {
        const int64_t offset = tz * z.data_step + ty * y.data_step + tx * x.data_step;
        const char* weights = input.weights + tz * z.weight_step + ty * y.weight_step + tx * x.weight_step;
        auto data = data_at(offset);
        int64_t u = 0;
        while (u + kParts <= input.units) {
          int64_t end = input.units;
          if (input.to_fetch != nullptr) {
            input.to_fetch->Fetch();
            end = std::min(end, u + kUnitsOfFetch);
          }
          HWY_UNROLL(1) for (; u + kParts <= end; u += kParts) {
            HWY_UNROLL(8) for (int64_t p = 0; p < kParts; ++p) {
              AddUnit<P, kVectors>(weights, data, p, parts[p]);
              weights += kVectors * bytes;
            }
            data.Advance(kParts);
          }
        }
        HWY_UNROLL(7) for (int64_t p = 0; p + 1 < kParts; ++p) {
          if (u + p < input.units) AddUnit<P, kVectors>(weights + p * kVectors * bytes, data, p, parts[p]);
        }
      }
    }
  }
  HWY_UNROLL(7) for (int64_t p = 1; p < kParts; ++p) {
    HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
      HWY_UNROLL(4) for (int64_t v = 0; v < kVectors; ++v) sums[m][v] = hn::Add(sums[m][v], parts[p][m][v]);
    }
  }
  HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
    char* to = sums_of(m);
    HWY_UNROLL(4) for (int64_t v = 0; v + 1 < kVectors; ++v) StoreBytes(sums[m][v], d, to + v * bytes);
    if (whole) {
      StoreBytes(sums[m][kVectors - 1], d, to + (kVectors - 1) * bytes);
    } else {
      StoreLanes(sums[m][kVectors - 1], d, to + (kVectors - 1) * bytes, input.last_lanes);
    }
  }
}

// Cells from `first` on.
template <class P, int64_t kCells, int64_t kVectors>
HWY_NOINLINE void SumCells(const CellsInput& input, size_t first) {
  SumTile<P, kCells, kVectors>(
      input,
      [&](int64_t offset) {
        ScatteredCells<kCells> cells;
        HWY_UNROLL(16) for (int64_t m = 0; m < kCells; ++m) {
          cells.data[m] = input.data + input.cells[first + static_cast<size_t>(m)] + offset;
        }
        return cells;
      },
      [&](int64_t m) { return input.sums[first + static_cast<size_t>(m)] + input.sums_offset; });
}

template <class P, int64_t kVectors>
HWY_NOINLINE void SumRowOf(TileInput input, CellRow row) {
  constexpr int64_t kCells = CellsFor(kVectors);
  const char* const weights = input.weights;
  for (; row.tiles > 0; --row.tiles) {
    const char* data = row.data;
    char* sums = row.sums;
    input.weights = weights;
    for (int64_t group = 0; group < row.groups; ++group) {
      SumTile<P, kCells, kVectors>(
          input, [&](int64_t offset) { return EvenCells<kCells>(data + offset, row.data_step); },
          [&](int64_t m) { return sums + m * row.sums_step; });
      data += row.group_data_step;
      sums += row.group_sums_step;
      input.weights += row.group_weight_step;
    }
    row.data += kCells * row.data_step;
    row.sums += kCells * row.sums_step;
  }
}

// The numbers of cells that tiles are compiled for, descending; other numbers are two tiles. Each is compiled for every
// number of vectors and every target: with all of 1 to 12 sanitized builds took more than eight minutes for it.
inline constexpr std::array<int64_t, 7> kTileCells = {12, 8, 6, 4, 3, 2, 1};

template <class P, int64_t kVectors, size_t... kIndex>
HWY_INLINE void SumAllCells(const CellsInput& input, size_t cells, std::index_sequence<kIndex...> /*tiles*/) {
  size_t first = 0;
  const auto sum = [&]<int64_t kCells>() {
    if constexpr (kCells <= CellsFor(kVectors)) {
      for (; first + kCells <= cells; first += kCells) SumCells<P, kCells, kVectors>(input, first);
    }
  };
  (sum.template operator()<kTileCells[kIndex]>(), ...);
}

template <class P, int64_t kVectors>
void RunCellsOf(const CellsInput& input, int64_t cells) {
  SumAllCells<P, kVectors>(input, static_cast<size_t>(cells), std::make_index_sequence<kTileCells.size()>());
}

// `visit` with the number of vectors as a constant.
template <class Visit>
void VisitVectors(int64_t vectors, const Visit& visit) {
  switch (vectors) {
    case 1:
      return visit.template operator()<1>();
    case 2:
      return visit.template operator()<2>();
    case 3:
      if constexpr (kChannelVectors >= 3) return visit.template operator()<3>();
      break;
    default:
      if constexpr (kChannelVectors >= 4) return visit.template operator()<4>();
      break;
  }
}

// `cells` at most CellsFor(vectors).
template <class P>
void RunCells(const CellsInput& input, int64_t cells, int64_t vectors) {
  VisitVectors(vectors, [&]<int64_t kVectors>() { RunCellsOf<P, kVectors>(input, cells); });
}

// Tiles of CellsFor(vectors) cells each.
template <class P>
void RunRow(const TileInput& input, const CellRow& row, int64_t vectors) {
  VisitVectors(vectors, [&]<int64_t kVectors>() { SumRowOf<P, kVectors>(input, row); });
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
