// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Sums cells (positions) of the algorithm "channels" for groups of one or few channels, with channels last. A vector of
// data is multiplied by a vector of weights; each lane holds a unit (32 bits) of its own output channel's group. Every
// product loads its own data, so a large register tile gains little. The code is fast because it does little else for a
// cell, and because it reads and writes the channels of a cell in order. Data of 8 or 16 bits that are read in place
// are widened with each product. Example with two lanes for the channels a and b: each tap adds
// (data a, data b) * (weight a, weight b) to the vector of sums (output a, output b).

#if defined(DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#undef DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#else
#define DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernel/base/convert-inl.h"
#include "kernel/base/quads-inl.h"
#include "kernel/base/vectors-inl.h"
#include "kernel/channels/channels_tile-inl.h"
#include "kernel/channels/channels_units.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Neighbouring cells of a row with the same taps. Offsets and steps are in bytes.
struct DepthwiseRow {
  const char* data = nullptr;
  int64_t first = 0;           // bytes from `data` to the first cell, for the first tap of `taps`
  TileTaps taps;               // its units are those of one lane, one for each input channel of a group
  int64_t data_unit_step = 0;  // from a unit of a lane to the lane's next unit
  int64_t weight_unit_step = 0;
  int64_t cells = 0;
  int64_t data_step = 0;  // bytes from cell to cell
  char* sums = nullptr;   // any alignment
  int64_t sums_step = 0;
  bool streams = false;  // stores bypass the caches; sums are whole vectors at aligned addresses
  int64_t vectors = 0;
  int64_t last_lanes = 0;  // lanes of the last vector that are stored
  bool has_room = false;   // the last vector of a cell may be read whole
};

// The properties that all tiles of a row have in common. P multiplies the lanes (channels_products-inl.h). Data is the
// type of the elements (or of the units) that the tile reads, and Output is the type that it stores.
template <class P, class Data, class Output, bool several_units>
struct DepthwiseKind {
  using Products = P;
  using DataElement = Data;
  using OutputElement = Output;
  using Tag = typename P::Tag;
  static constexpr bool kSeveralUnits = several_units;
};

// The sums of a tile: kCells neighbouring cells by kVectors whole vectors, or by one vector of `count` lanes. Sum k
// belongs to vector k / kCells and cell k % kCells. So all cells use a vector of weights before the next one is loaded.
template <class Kind, int64_t cells, int64_t vectors>
struct DepthwiseShape : Kind {
  static constexpr size_t kCells = cells;
  static constexpr int64_t kVectors = vectors;

  static constexpr int64_t Cell(size_t k) { return static_cast<int64_t>(k % kCells); }
  static constexpr int64_t Vector(size_t k) { return static_cast<int64_t>(k / kCells); }
};

// Loads `count` elements, each into a lane of 32 bits.
template <class T, class D>
HWY_INLINE hn::Vec<D> LoadDepthwise(D d, const char* from, int64_t count) {
#if HWY_TARGET == HWY_SCALAR
  (void)count;
  return LoadBytes(d, from);
#else
  return LoadWidened<T>(d, from, count);
#endif
}

// Stores the first `count` lanes as elements.
template <class T, class D>
HWY_INLINE void StoreDepthwise(hn::Vec<D> sums, D d, char* to, int64_t count) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  (void)count;
  StoreElement(to, 0, Narrow<T>(hn::GetLane(sums)));
#else
  StoreElements<T>(sums, d, to, count);
#endif
}

// Adds the products of one tap and unit to vector number kSum of the sums. `count`: the lanes of data that may be read.
template <class Shape, size_t kSum, class V>
HWY_INLINE void AddDepthwiseProduct(const DepthwiseRow& row, const char* data, const char* weights, int64_t count,
                                    V& sum) {
  using Element = typename Shape::DataElement;
  const typename Shape::Tag d;
  const int64_t lane = Shape::Vector(kSum) * static_cast<int64_t>(hn::Lanes(d));
  const char* from = data + Shape::Cell(kSum) * row.data_step + lane * static_cast<int64_t>(sizeof(Element));
  const V value = LoadDepthwise<Element>(d, from, count);
  sum = Shape::Products::Add(value, LoadBytes(d, weights + lane * kUnitBytes), sum);
}

// The address at which a tile stores vector number kSum of its sums.
template <class Shape, size_t kSum>
HWY_INLINE char* DepthwiseSum(const DepthwiseRow& row, char* sums) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Shape::Tag()));
  const auto element = static_cast<int64_t>(sizeof(typename Shape::OutputElement));
  return sums + Shape::Cell(kSum) * row.sums_step + Shape::Vector(kSum) * lanes * element;
}

// Sums and stores a tile: from cell `cell` of the row and lane `lane` of a cell's channels on. `count`: the lanes of a
// vector that are stored. The vectors `sums` hold zeros.
template <class Shape, size_t... kSum, class... V>
HWY_INLINE void SumDepthwiseVectors(const DepthwiseRow& row, int64_t cell, int64_t lane, int64_t count,
                                    std::index_sequence<kSum...> /*sums*/, V... sums) {
  using Element = typename Shape::DataElement;
  using Output = typename Shape::OutputElement;
  const typename Shape::Tag d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const bool is_whole = Shape::kVectors > 1 || count == lanes;
  const int64_t read = is_whole || row.has_room ? lanes : count;
  const int64_t first = row.first + cell * row.data_step + lane * static_cast<int64_t>(sizeof(Element));
  const auto& [z, y, x] = row.taps.box;
  for (int64_t tz = 0; tz < z.taps; ++tz) {
    for (int64_t ty = 0; ty < y.taps; ++ty) {
      for (int64_t tx = 0; tx < x.taps; ++tx) {
        const char* data = row.data + (first + tz * z.data_step + ty * y.data_step + tx * x.data_step);
        const char* weights =
            row.taps.weights + (lane * kUnitBytes + tz * z.weight_step + ty * y.weight_step + tx * x.weight_step);
        for (int64_t u = 0; u < (Shape::kSeveralUnits ? row.taps.units : 1); ++u) {
          (AddDepthwiseProduct<Shape, kSum>(row, data, weights, read, sums), ...);
          if constexpr (Shape::kSeveralUnits) {
            data += row.data_unit_step;
            weights += row.weight_unit_step;
          }
        }
      }
    }
  }
  char* const to = row.sums + cell * row.sums_step + lane * static_cast<int64_t>(sizeof(Output));
  if constexpr (sizeof(Output) == kUnitBytes) {
    if (row.streams) {
      (hn::Stream(sums, d, reinterpret_cast<Output*>(DepthwiseSum<Shape, kSum>(row, to))), ...);
      return;
    }
  }
  const int64_t stored = is_whole ? lanes : count;
  (StoreDepthwise<Output>(sums, d, DepthwiseSum<Shape, kSum>(row, to), stored), ...);
}

// Calls SumDepthwiseVectors with sums that begin at zero.
template <class Shape, size_t... kSum>
HWY_INLINE void StartDepthwiseSums(const DepthwiseRow& row, int64_t cell, int64_t lane, int64_t count,
                                   std::index_sequence<kSum...> sums) {
  const typename Shape::Tag d;
  SumDepthwiseVectors<Shape>(row, cell, lane, count, sums, ZeroVector<kSum>(d)...);
}

// Sums a tile of kCells cells by kVectors vectors.
template <class Kind, int64_t kCells, int64_t kVectors>
HWY_INLINE void SumDepthwise(const DepthwiseRow& row, int64_t cell, int64_t lane, int64_t count) {
  StartDepthwiseSums<DepthwiseShape<Kind, kCells, kVectors>>(row, cell, lane, count,
                                                             VectorNumbers<kCells * kVectors>());
}

// Eight independent sums hide the latency of an addition, and leave registers for operands on every target. So a tile
// has four vectors by two cells. If fewer than four vectors are left, a tile has one vector by eight cells.
inline constexpr int64_t kTogether = 4;
inline constexpr int64_t kNeighbours = 8;

// Sums all channels of kCells neighbouring cells, from cell number `cell` of the row on.
template <class Kind, int64_t kCells>
HWY_INLINE void SumDepthwiseCells(const DepthwiseRow& row, int64_t cell) {
  constexpr int64_t kPair = std::min<int64_t>(kCells, 2);
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Kind::Tag()));
  const int64_t whole = row.last_lanes == lanes ? row.vectors : row.vectors - 1;
  int64_t vector = 0;
  for (; vector + kTogether <= whole; vector += kTogether) {
    for (int64_t m = 0; m < kCells; m += kPair)
      SumDepthwise<Kind, kPair, kTogether>(row, cell + m, vector * lanes, lanes);
  }
  for (; vector < row.vectors; ++vector) {
    SumDepthwise<Kind, kCells, 1>(row, cell, vector * lanes, vector < whole ? lanes : row.last_lanes);
  }
}

// Sums all cells of a row.
template <class Kind>
HWY_NOINLINE void SumDepthwiseRow(const DepthwiseRow& row) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Kind::Tag()));
  const bool is_even = row.vectors % kTogether == 0 && row.last_lanes == lanes;
  int64_t cell = 0;
  // Rows whose vectors form tiles of four, and rows whose stores bypass the caches, are summed by two cells at a time.
  // Then they are read and written in order; a store that bypasses the caches should fill its cache line at once.
  if (!is_even && !row.streams) {
    for (; cell + kNeighbours <= row.cells; cell += kNeighbours) SumDepthwiseCells<Kind, kNeighbours>(row, cell);
  }
  for (; cell + 2 <= row.cells; cell += 2) SumDepthwiseCells<Kind, 2>(row, cell);
  if (cell < row.cells) SumDepthwiseCells<Kind, 1>(row, cell);
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
