// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The sums of "channels" for groups of one or few channels, with channels last. Vectors of data are multiplied by
// vectors of weights; each lane holds a unit of one output channel's group. Every product loads its own data, so
// registers gain little. What counts is that nothing else is done for a cell, and that its channels are read and
// written in order. Data that lie in place are read as elements of 8 or 16 bits and widened with each product.

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

// Cells of a row that sum the same taps. Offsets and steps are in bytes.
struct DepthwiseRow {
  const char* data = nullptr;
  int64_t first = 0;  // bytes from `data` to the first cell, for the first tap of the box
  TileTaps taps;      // units: of each lane, one input channel after the other
  int64_t data_unit_step = 0;
  int64_t weight_unit_step = 0;
  int64_t cells = 0;
  int64_t data_step = 0;  // bytes from cell to cell
  char* sums = nullptr;   // any alignment
  int64_t sums_step = 0;
  bool stream = false;  // sums are whole vectors at aligned addresses, and go around the caches
  int64_t vectors = 0;
  int64_t last_lanes = 0;  // lanes of the last vector that are stored
  bool has_room = false;   // there is room to read that vector whole
};

// The properties that all tiles of a row have in common. P multiplies the lanes. Data is the type of the elements (or
// of the units) that the tile reads, and Output is the type that it stores.
template <class P, class Data, class Output, bool several_units>
struct DepthwiseKind {
  using Products = P;
  using DataElement = Data;
  using OutputElement = Output;
  using Tag = typename P::Tag;
  static constexpr bool kSeveralUnits = several_units;
};

// The vectors of a tile (vectors-inl.h): kCells neighbours by kVectors whole vectors, or one vector of which `count`
// lanes are there. Number k is of vector k / kCells and cell k % kCells, so that one weight after the other is used.
template <class Kind, int64_t cells, int64_t vectors>
struct DepthwiseShape : Kind {
  static constexpr size_t kCells = cells;
  static constexpr int64_t kVectors = vectors;

  static constexpr int64_t Cell(size_t k) { return static_cast<int64_t>(k % kCells); }
  static constexpr int64_t Vector(size_t k) { return static_cast<int64_t>(k / kCells); }
};

// The first `count` elements as lanes.
template <class T, class D>
HWY_INLINE hn::Vec<D> LoadDepthwise(D d, const char* from, int64_t count) {
#if HWY_TARGET == HWY_SCALAR
  (void)count;
  return LoadBytes(d, from);
#else
  return LoadWidened<T>(d, from, count);
#endif
}

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
    if (row.stream) {
      (hn::Stream(sums, d, reinterpret_cast<Output*>(DepthwiseSum<Shape, kSum>(row, to))), ...);
      return;
    }
  }
  const int64_t stored = is_whole ? lanes : count;
  (StoreDepthwise<Output>(sums, d, DepthwiseSum<Shape, kSum>(row, to), stored), ...);
}

template <class Shape, size_t... kSum>
HWY_INLINE void StartDepthwiseSums(const DepthwiseRow& row, int64_t cell, int64_t lane, int64_t count,
                                   std::index_sequence<kSum...> sums) {
  const typename Shape::Tag d;
  SumDepthwiseVectors<Shape>(row, cell, lane, count, sums, ZeroVector<kSum>(d)...);
}

// A tile from lane `lane` of a cell's channels on.
template <class Kind, int64_t kCells, int64_t kVectors>
HWY_INLINE void SumDepthwise(const DepthwiseRow& row, int64_t cell, int64_t lane, int64_t count) {
  StartDepthwiseSums<DepthwiseShape<Kind, kCells, kVectors>>(row, cell, lane, count,
                                                             VectorNumbers<kCells * kVectors>());
}

// Eight sums at once hide the latency of one, and leave registers for operands everywhere: four vectors by two cells,
// and single ones, where no more are left, by eight.
inline constexpr int64_t kTogether = 4;
inline constexpr int64_t kNeighbours = 8;

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

template <class Kind>
HWY_NOINLINE void SumDepthwiseRow(const DepthwiseRow& row) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(typename Kind::Tag()));
  const bool is_even = row.vectors % kTogether == 0 && row.last_lanes == lanes;
  int64_t cell = 0;
  // Even rows and streamed rows are read and written in order; streamed lines should be filled at once.
  if (!is_even && !row.stream) {
    for (; cell + kNeighbours <= row.cells; cell += kNeighbours) SumDepthwiseCells<Kind, kNeighbours>(row, cell);
  }
  for (; cell + 2 <= row.cells; cell += 2) SumDepthwiseCells<Kind, 2>(row, cell);
  if (cell < row.cells) SumDepthwiseCells<Kind, 1>(row, cell);
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_CHANNELS_CHANNELS_DEPTHWISE_INL_H_
