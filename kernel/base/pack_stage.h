// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The stage of packing: converted elements of a filter on their way into the packed filter. In the stage, the columns
// of a lane lie side by side. In the packed filter, the lanes of a column do.
#ifndef DECONV_KERNEL_BASE_PACK_STAGE_H_
#define DECONV_KERNEL_BASE_PACK_STAGE_H_

#include <array>
#include <cstdint>

namespace deconv {

inline constexpr int64_t kWordBytes = 4;
inline constexpr int64_t kMostColumns = 64;

// The positions of the stage's columns in the packed filter, in bytes: at[c] + slot * slot_step[c] + tile * tile_step.
struct ColumnPlaces {
  std::array<int64_t, kMostColumns> at;
  std::array<int64_t, kMostColumns> slot_step;
  int64_t tile_step = 0;
};

// The shape of the stage in words: slot, tile, lane, column.
struct StageShape {
  int64_t slots = 0;
  int64_t tiles = 0;
  int64_t lanes = 0;
  int64_t columns = 0;
};

// Writes words of `word_bytes` bytes from the stage into the packed filter.
void WriteStage(int64_t word_bytes, const StageShape& shape, const ColumnPlaces& places, const char* stage,
                char* packed);

// Makes words of rows of parts, of two rows if parts have two bytes and of four if they have one. Word i holds part i
// of each row, in the order of the rows.
void Zip(int64_t part_bytes, const char* rows, int64_t row_bytes, int64_t count, char* words);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_PACK_STAGE_H_
