// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the stage of packing, a small buffer of converted weights, into the packed filter. It transposes words of 32
// bits four by four, and joins narrower parts to words. This file is compiled once, for the oldest supported
// instruction set. So it uses only shuffles of four words, which compilers have for every CPU.
#include "kernel/base/pack_stage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/base/convert.h"

namespace deconv {
namespace {

constexpr int64_t kQuad = 4;  // words that one shuffle moves

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define DECONV_SHUFFLES 1
#endif
#endif

// Transposes four lanes by four columns of words. The columns of a lane lie side by side at `lanes`. Stores the four
// lanes of column c at columns[c]. Example: the lanes a0 a1 a2 a3, b0 b1 b2 b3, c0 ... and d0 ... give a0 b0 c0 d0 as
// column 0.
inline void TransposeQuad(const char* lanes, int64_t lane_bytes, const std::array<char*, kQuad>& columns) {
#ifdef DECONV_SHUFFLES
  using Vector = uint32_t __attribute__((vector_size(16)));
  const auto load = [&](int64_t lane) {
    Vector v;
    std::memcpy(&v, lanes + lane * lane_bytes, sizeof(v));
    return v;
  };
  const auto store = [&](size_t column, Vector v) { std::memcpy(columns[column], &v, sizeof(v)); };
  const Vector a = load(0);
  const Vector b = load(1);
  const Vector c = load(2);
  const Vector d = load(3);
  const Vector ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);   // a0 b0 a1 b1
  const Vector cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);   // c0 d0 c1 d1
  const Vector ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);  // a2 b2 a3 b3
  const Vector cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);  // c2 d2 c3 d3
  store(0, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));     // a0 b0 c0 d0
  store(1, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  store(2, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  store(3, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
#else
  for (int64_t column = 0; column < kQuad; ++column) {
    for (int64_t lane = 0; lane < kQuad; ++lane) {
      StoreElement(columns[static_cast<size_t>(column)], lane,
                   LoadElement<uint32_t>(lanes + lane * lane_bytes, column));
    }
  }
#endif
}

// Makes words of several rows of parts (see Zip). Every compiler makes vectors of the sum of shifted parts.
template <class Part>
void ZipParts(const char* __restrict rows, int64_t row_bytes, int64_t count, char* __restrict words) {
  constexpr int64_t kRows = kWordBytes / static_cast<int64_t>(sizeof(Part));
  for (int64_t i = 0; i < count; ++i) {
    uint32_t word = 0;
    for (int64_t row = 0; row < kRows; ++row) {
      const int64_t from_lowest = std::endian::native == std::endian::little ? row : kRows - 1 - row;
      word |= uint32_t{LoadElement<Part>(rows + row * row_bytes, i)}
              << (8 * sizeof(Part) * static_cast<size_t>(from_lowest));
    }
    StoreElement(words, i, word);
  }
}

// Writes the stage word by word. kLanes: the lanes of a tile, or 0 for any number. Tiles of 1 to 3 lanes are too narrow
// for WriteQuads, so their loops are compiled with a fixed count.
template <class Word, int64_t kLanes>
void WriteLanes(const StageShape& shape, const ColumnOffsets& offsets, const char* stage, char* packed) {
  const auto [slots, tiles, any_lanes, columns] = shape;
  const int64_t lanes = kLanes > 0 ? kLanes : any_lanes;
  for (int64_t column = 0; column < columns; ++column) {
    const auto c = static_cast<size_t>(column);
    const int64_t step = offsets.slot_step[c];
    for (int64_t tile = 0; tile < tiles; ++tile) {
      char* to = packed + offsets.at[c] + tile * offsets.tile_step;
      int64_t word = tile * lanes * columns + column;
      for (int64_t slot = 0; slot < slots; ++slot, to += step, word += tiles * lanes * columns) {
        for (int64_t lane = 0; lane < lanes; ++lane) {
          StoreElement(to, lane, LoadElement<Word>(stage, word + lane * columns));
        }
      }
    }
  }
}
template <class Word>
void WriteWords(const StageShape& shape, const ColumnOffsets& offsets, const char* stage, char* packed) {
  switch (shape.lanes) {
    case 1:
      return WriteLanes<Word, 1>(shape, offsets, stage, packed);
    case 2:
      return WriteLanes<Word, 2>(shape, offsets, stage, packed);
    case 3:
      return WriteLanes<Word, 3>(shape, offsets, stage, packed);
    default:
      return WriteLanes<Word, 0>(shape, offsets, stage, packed);
  }
}

// Writes a stage of one column, whose lanes lie side by side in the stage already.
void CopyLanes(const StageShape& shape, const ColumnOffsets& offsets, const char* stage, char* packed) {
  for (int64_t tile = 0; tile < shape.tiles; ++tile) {
    for (int64_t slot = 0; slot < shape.slots; ++slot) {
      const char* from = stage + (slot * shape.tiles + tile) * shape.lanes * kWordBytes;
      char* to = packed + offsets.at[0] + slot * offsets.slot_step[0] + tile * offsets.tile_step;
      for (int64_t lane = 0; lane < shape.lanes; lane += kQuad) {
        const int64_t first = std::min(lane, shape.lanes - kQuad);  // the last quad may write some lanes again
        std::array<uint32_t, kQuad> quad;
        std::memcpy(quad.data(), from + first * kWordBytes, sizeof(quad));
        std::memcpy(to + first * kWordBytes, quad.data(), sizeof(quad));
      }
    }
  }
}

// Writes four lanes of four columns at a time. The last four may overlap the ones before and write some words twice.
void WriteQuads(const StageShape& shape, const ColumnOffsets& offsets, const char* stage, char* packed) {
  const auto [slots, tiles, lanes, columns] = shape;
  const int64_t lane_bytes = columns * kWordBytes;
  for (int64_t column = 0; column < columns; column += kQuad) {
    const int64_t first_column = std::min(column, columns - kQuad);
    const auto c = static_cast<size_t>(first_column);
    const std::array<int64_t, kQuad> steps = {offsets.slot_step[c], offsets.slot_step[c + 1], offsets.slot_step[c + 2],
                                              offsets.slot_step[c + 3]};
    for (int64_t tile = 0; tile < tiles; ++tile) {
      std::array<char*, kQuad> to;
      for (size_t i = 0; i < kQuad; ++i) to[i] = packed + offsets.at[c + i] + tile * offsets.tile_step;
      const char* from = stage + tile * lanes * lane_bytes + first_column * kWordBytes;
      for (int64_t slot = 0; slot < slots; ++slot, from += tiles * lanes * lane_bytes) {
        for (int64_t lane = 0; lane < lanes; lane += kQuad) {
          const int64_t first = std::min(lane, lanes - kQuad);
          const int64_t bytes = first * kWordBytes;
          TransposeQuad(from + first * lane_bytes, lane_bytes,
                        {to[0] + bytes, to[1] + bytes, to[2] + bytes, to[3] + bytes});
        }
        for (size_t i = 0; i < kQuad; ++i) to[i] += steps[i];
      }
    }
  }
}

}  // namespace

void WriteStage(int64_t word_bytes, const StageShape& shape, const ColumnOffsets& offsets, const char* stage,
                char* packed) {
  switch (word_bytes) {
    case 1:
      return WriteWords<uint8_t>(shape, offsets, stage, packed);
    case 2:
      return WriteWords<uint16_t>(shape, offsets, stage, packed);
    case 8:
      return WriteWords<uint64_t>(shape, offsets, stage, packed);
    default:
      break;
  }
  if (shape.lanes < kQuad) return WriteWords<uint32_t>(shape, offsets, stage, packed);
  if (shape.columns == 1) return CopyLanes(shape, offsets, stage, packed);
  if (shape.columns < kQuad) return WriteWords<uint32_t>(shape, offsets, stage, packed);
  WriteQuads(shape, offsets, stage, packed);
}

void Zip(int64_t part_bytes, const char* rows, int64_t row_bytes, int64_t count, char* words) {
  if (part_bytes == 2) {
    ZipParts<uint16_t>(rows, row_bytes, count, words);
  } else {
    ZipParts<uint8_t>(rows, row_bytes, count, words);
  }
}

}  // namespace deconv
