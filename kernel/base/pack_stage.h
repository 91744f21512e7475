// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The stage of packing (pack.h): a small buffer of converted weights, and its transposition into the packed filter. In
// the stage, the columns of a lane lie side by side. In the packed filter, the lanes of a column lie side by side. If
// the columns are taps, the stage has some units of input channels, each in a slot. If the columns are units, the stage
// has one tap and one slot. Example of a slot with the lanes a and b and two columns: a0 a1 b0 b1 becomes a0 b0 at the
// place of column 0, and a1 b1 at the place of column 1.
#ifndef DECONV_KERNEL_BASE_PACK_STAGE_H_
#define DECONV_KERNEL_BASE_PACK_STAGE_H_

#include <array>
#include <cstdint>

namespace deconv {

inline constexpr int64_t kWordBytes = 4;  // bytes of the words that Zip makes
// A guess: the offsets of so many columns have 1 KiB, a small part of the first-level cache.
inline constexpr int64_t kMostColumns = 64;

// Where the columns of the stage go in the packed filter: column c of a slot and tile begins at byte at[c] + slot *
// slot_step[c] + tile * tile_step.
struct ColumnOffsets {
  std::array<int64_t, kMostColumns> at;
  std::array<int64_t, kMostColumns> slot_step;
  int64_t tile_step = 0;
};

// The shape of the stage, [slot][tile][lane][column] in words. A word is a unit of weights of one lane, or several
// lanes that Zip joined. Tiles are those of LaneTiles (pack.h): neighbouring lanes that a register tile reads together.
struct StageShape {
  int64_t slots = 0;
  int64_t tiles = 0;
  int64_t lanes = 0;
  int64_t columns = 0;
};

// Transposes the stage, words of `word_bytes` bytes, into the packed filter.
void WriteStage(int64_t word_bytes, const StageShape& shape, const ColumnOffsets& offsets, const char* stage,
                char* packed);

// Makes words of 4 bytes from several rows of parts: two rows of parts of 2 bytes, or four rows of 1 byte. Word i holds
// part i of each row: the rows a0 a1 and b0 b1 become the words a0b0 and a1b1.
void Zip(int64_t part_bytes, const char* rows, int64_t row_bytes, int64_t count, char* words);

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_PACK_STAGE_H_
