// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs lanes into the rows of phased's register tile: whole tiles, then smaller ones. "col2im" has the same tile.
#ifndef DECONV_KERNEL_PHASED_PHASED_PACK_H_
#define DECONV_KERNEL_PHASED_PHASED_PACK_H_

#include <cstdint>
#include <span>

#include "kernel/base/pack.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

// The lanes [first_lane, first_lane + count) of each group. `rows`: of a whole tile. The rest as PackTiles.
inline bool PackTileRows(const PackOrder& order, int64_t first_lane, int64_t count, int64_t rows, int64_t first_tap,
                         std::span<const TapPlace> places, const char* filter, char* packed) {
  bool finite = true;
  for (int64_t done = 0; done < count;) {
    const int64_t lanes = TileRows(done, count, rows);
    const LaneTiles tiles = {first_lane + done, lanes == rows ? (count - done) / rows : 1, lanes};
    finite = PackTiles(order, tiles, first_tap, places, filter, packed) && finite;
    done += tiles.tiles * lanes;
  }
  return finite;
}

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_PACK_H_
