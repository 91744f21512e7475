// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The register tile of the algorithm "channels": the sums of a few cells by a few vectors of output channels stay in
// registers while the products of all taps and input channels are added:
//   for each tap, each unit u (the 32 bits that a lane multiplies at once), each cell m, each vector v:
//     sum[m][v] += broadcast(data[m][u]) * weights[u][v]
// Weights are loaded through one pointer. Data are read through a pointer for each cell, or through one pointer for
// three cells at equal distances. P says how a target multiplies (channels_products-inl.h). Example: 6 cells by 4
// vectors are 24 sums. A step loads 4 vectors of weights and broadcasts 6 units of data, and makes 24 products.

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/convert.h"
#include "kernel/base/quads-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/channels/channels_products-inl.h"
#include "kernel/channels/channels_tile_input-inl.h"
#include "kernel/channels/channels_tile_sums-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Gives all lanes the same unit of data. At() returns the unit that lies `units_on` units behind the next one, and
// Advance() goes on by some units.
template <class P, class Cells>
struct BroadcastUnits {
  Cells cells;

  template <class D>
  HWY_INLINE hn::Vec<D> At(D d, int64_t cell, int64_t units_on) const {
    return hn::Set(d, LoadElement<typename P::Lane>(cells.At(cell, units_on), 0));
  }
  HWY_INLINE void Advance(int64_t units) { cells.Advance(units); }
};

#if !DECONV_SIZELESS_VECTORS
// Gives each lane a unit of its own group. The units of all groups of a vector lie in one vector of data, which is
// loaded again and permuted for each unit.
template <class P, class Cells>
struct PermutedUnits {
  using Units = hn::RebindToSigned<typename P::Tag>;
  Cells cells;
  hn::Vec<Units> units;  // for each lane, the index of its unit in the vector of data

  template <class D>
  HWY_INLINE hn::Vec<D> At(D d, int64_t cell, int64_t units_on) const {
    const auto of_lanes = hn::Add(units, hn::Set(Units(), static_cast<int32_t>(units_on)));
    return hn::TableLookupLanes(LoadBytes(d, cells.At(cell, 0)), hn::IndicesFromVec(d, of_lanes));
  }
  HWY_INLINE void Advance(int64_t more) { units = hn::Add(units, hn::Set(Units(), static_cast<int32_t>(more))); }
};
#endif

// Returns PermutedUnits if groups share a vector, else BroadcastUnits.
template <class P, class Cells>
HWY_INLINE auto UnitsOf([[maybe_unused]] const ChannelsTileInput& input, const Cells& cells) {
#if !DECONV_SIZELESS_VECTORS
  if constexpr (P::kGroups) {
    return PermutedUnits<P, Cells>{cells, hn::LoadU(hn::RebindToSigned<typename P::Tag>(), input.lane_units)};
  } else
#endif
    return BroadcastUnits<P, Cells>{cells};
}

// Adds the product of a unit to vector number kNumber if this vector belongs to part kPart (TileShape). The unit of
// data lies `units_on` units behind the next one.
template <class Shape, size_t kPart, size_t kNumber, class Units, class V>
HWY_INLINE void AddProduct(const char* weights, const Units& data, int64_t units_on, V& sum) {
  if constexpr (Shape::Part(kNumber) == kPart) {
    const typename Shape::Tag d;
    using P = typename Shape::Products;
    const int64_t bytes = static_cast<int64_t>(hn::Lanes(d)) * P::kWeightBytes;
    const V value = data.At(d, Shape::Cell(kNumber), units_on);
    sum = P::Add(value, P::LoadWeights(d, weights + Shape::Vector(kNumber) * bytes), sum);
  }
}

// Adds the products of one unit, with the weights that begin at `weights`.
template <class Shape, size_t kPart, class Units, size_t... kNumber, class... V>
HWY_INLINE void AddUnit(const char* weights, const Units& data, int64_t units_on,
                        std::index_sequence<kNumber...> /*sums*/, V&... sums) {
  (AddProduct<Shape, kPart, kNumber>(weights, data, units_on, sums), ...);
}

// Adds the products of all units of one tap. The parts of the sums take units in turn. At the end, fewer units than
// parts may be left.
template <class Shape, class Units, class Sums, size_t... kPart, size_t... kNumber, class... V>
HWY_INLINE void SumTap(const ChannelsTileInput& input, const char* weights, Units& data, Sums& sums_to_fetch,
                       std::index_sequence<kPart...> /*parts*/, std::index_sequence<kNumber...> numbers, V&... sums) {
  constexpr int64_t kParts = Shape::kParts;
  static_assert(kUnitsOfFetch % kParts == 0);
  const int64_t unit_bytes =
      static_cast<int64_t>(Shape::kVectors * hn::Lanes(typename Shape::Tag())) * Shape::Products::kWeightBytes;
  int64_t u = 0;
  while (u + kParts <= input.taps.units) {
    int64_t end = input.taps.units;
    if (input.to_fetch != nullptr) {
      input.to_fetch->Fetch();
      end = std::min(end, u + kUnitsOfFetch);
    }
    if (sums_to_fetch.HasMore()) {
      sums_to_fetch.Fetch();
      end = std::min(end, u + kUnitsOfFetch);
    }
    HWY_UNROLL(1) for (; u + kParts <= end; u += kParts) {
      (AddUnit<Shape, kPart>(weights + kPart * unit_bytes, data, kPart, numbers, sums...), ...);
      weights += kParts * unit_bytes;
      data.Advance(kParts);
    }
  }
  const auto rest = static_cast<size_t>(input.taps.units - u);
  ((kPart + 1 < kParts && kPart < rest
        ? AddUnit<Shape, kPart>(weights + kPart * unit_bytes, data, kPart, numbers, sums...)
        : void()),
   ...);
}

// Sums a tile whose vectors `sums` hold zeros, joins the parts and stores the sums.
template <class Shape, class DataAt, class SumsOf, size_t... kNumber, class... V>
HWY_INLINE void SumTileVectors(const ChannelsTileInput& input, const DataAt& data_at, const SumsOf& sums_of,
                               std::index_sequence<kNumber...> numbers, V... sums) {
  constexpr VectorNumbers<Shape::kParts> parts;
  SumsToFetch<Shape::kCells, Shape::kParts, SumsOf> sums_to_fetch{
      sums_of,
      static_cast<int64_t>(Shape::kVectors * hn::Lanes(typename Shape::Tag())) * (input.stores_bytes ? 1 : kUnitBytes)};
  if (input.fetches_sums) sums_to_fetch.Begin(input.taps);
  if (input.continues_sums) LoadSums<Shape>(input, sums_of, numbers, sums...);
  const auto& [z, y, x] = input.taps.box;
  for (int64_t tz = 0; tz < z.taps; ++tz) {
    for (int64_t ty = 0; ty < y.taps; ++ty) {
      for (int64_t tx = 0; tx < x.taps; ++tx) {
        const int64_t offset = tz * z.data_step + ty * y.data_step + tx * x.data_step;
        const char* weights = input.taps.weights + tz * z.weight_step + ty * y.weight_step + tx * x.weight_step;
        auto data = UnitsOf<typename Shape::Products>(input, data_at(offset));
        SumTap<Shape>(input, weights, data, sums_to_fetch, parts, numbers, sums...);
      }
    }
  }
  (JoinPart<Shape, kNumber>(sums...), ...);
  StoreSums<Shape>(input, sums_of, numbers, sums...);
}

// Calls SumTileVectors with sums that begin at zero.
template <class Shape, class DataAt, class SumsOf, size_t... kNumber>
HWY_INLINE void StartTileSums(const ChannelsTileInput& input, const DataAt& data_at, const SumsOf& sums_of,
                              std::index_sequence<kNumber...> numbers) {
  SumTileVectors<Shape>(input, data_at, sums_of, numbers, ZeroVector<kNumber>(typename Shape::Tag())...);
}

// Sums one tile. `data_at(offset)` returns the data of its cells, `offset` bytes behind the data of the first tap of
// the box. `sums_of(m)` points to the sums of cell m.
template <class P, int64_t kCells, int64_t kVectors, class DataAt, class SumsOf>
HWY_INLINE void SumChannelsTile(const ChannelsTileInput& input, const DataAt& data_at, const SumsOf& sums_of) {
  using Shape = TileShape<P, kCells, kVectors>;
  StartTileSums<Shape>(input, data_at, sums_of, VectorNumbers<Shape::kParts * Shape::kSums>());
}

// Sums a tile of kCells gathered cells, from cell number `first` on.
template <class P, int64_t kCells, int64_t kVectors>
HWY_NOINLINE void SumCells(const ScatteredInput& input, size_t first) {
  SumChannelsTile<P, kCells, kVectors>(
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

// Sums all tiles of a row, and all groups of each tile.
template <class P, int64_t kVectors>
HWY_NOINLINE void SumRowOf(ChannelsTileInput input, CellRow row) {
  constexpr int64_t kCells = CellsFor(kVectors);
  const char* const weights = input.taps.weights;
  for (; row.tiles > 0; --row.tiles) {
    const char* data = row.data;
    char* sums = row.sums;
    input.taps.weights = weights;
    for (int64_t group = 0; group < row.groups; ++group) {
      SumChannelsTile<P, kCells, kVectors>(
          input, [&](int64_t offset) { return EvenlySpacedCells<kCells>(data + offset, row.data_step); },
          [&](int64_t m) { return sums + m * row.sums_step; });
      data += row.group_data_step;
      sums += row.group_sums_step;
      input.taps.weights += row.group_weight_step;
    }
    row.data += kCells * row.data_step;
    row.sums += kCells * row.sums_step;
  }
}

// Tiles are compiled for these numbers of cells; 7 cells take a tile of 6 and a tile of 1. Each tile is compiled for
// every number of vectors and every target. With all numbers from 1 to 12, sanitized builds took more than eight
// minutes.
inline constexpr std::array<int64_t, 7> kTileCells = {12, 8, 6, 4, 3, 2, 1};

// Sums `cells` gathered cells: as many of the largest tile as fit, then of the next smaller one, and so on.
template <class P, int64_t kVectors, size_t... kIndex>
HWY_INLINE void SumAllCells(const ScatteredInput& input, size_t cells, std::index_sequence<kIndex...> /*tiles*/) {
  size_t first = 0;
  const auto sum = [&]<int64_t kCells>() {
    if constexpr (kCells <= CellsFor(kVectors)) {
      for (; first + kCells <= cells; first += kCells) SumCells<P, kCells, kVectors>(input, first);
    }
  };
  (sum.template operator()<kTileCells[kIndex]>(), ...);
}

template <class P, int64_t kVectors>
void RunCellsOf(const ScatteredInput& input, int64_t cells) {
  SumAllCells<P, kVectors>(input, static_cast<size_t>(cells), std::make_index_sequence<kTileCells.size()>());
}

// Calls `visit` with the number of vectors as a template argument.
template <class P, class Visit>
void VisitVectors(int64_t vectors, const Visit& visit) {
  switch (vectors) {
    case 1:
      return visit.template operator()<1>();
    case 2:
      if constexpr (MostVectors<P>() >= 2) return visit.template operator()<2>();
      break;
    case 3:
      if constexpr (MostVectors<P>() >= 3) return visit.template operator()<3>();
      break;
    default:
      if constexpr (MostVectors<P>() >= 4) return visit.template operator()<4>();
      break;
  }
}

// Sums `cells` cells, at most CellsFor(vectors).
template <class P>
void RunCells(const ScatteredInput& input, int64_t cells, int64_t vectors) {
  VisitVectors<P>(vectors, [&]<int64_t kVectors>() { RunCellsOf<P, kVectors>(input, cells); });
}

// Sums whole tiles of CellsFor(vectors) cells each.
template <class P>
void RunRow(const ChannelsTileInput& input, const CellRow& row, int64_t vectors) {
  VisitVectors<P>(vectors, [&]<int64_t kVectors>() { SumRowOf<P, kVectors>(input, row); });
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_TILE_INL_H_
