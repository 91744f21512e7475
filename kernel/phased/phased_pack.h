// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs the filter for the register tile of the algorithm "phased", which "col2im" also uses. A lane is one output
// channel here; for "col2im" it is one tap of an output channel. Lanes fill whole tiles first, then tiles of 4, 2 and 1
// lanes: 15 lanes and `rows` = 8 give tiles of 8, 4, 2 and 1.
#ifndef DECONV_KERNEL_PHASED_PHASED_PACK_H_
#define DECONV_KERNEL_PHASED_PHASED_PACK_H_

#include <cstdint>
#include <span>

#include "kernel/base/pack.h"
#include "kernel/phased/phased_layout.h"

namespace deconv {

// Packs the lanes from first_lane to first_lane + count - 1 of each group. `rows`: lanes of a whole tile. The other
// parameters and the result are those of PackTiles (base/pack.h).
inline bool PackTileRows(const PackOrder& order, int64_t first_lane, int64_t count, int64_t rows, int64_t first_tap,
                         std::span<const TapPosition> positions, const char* filter, char* packed) {
  bool finite = true;
  for (int64_t done = 0; done < count;) {
    const int64_t lanes = TileRows(done, count, rows);
    const LaneTiles tiles = {first_lane + done, lanes == rows ? (count - done) / rows : 1, lanes};
    finite = PackTiles(order, tiles, first_tap, positions, filter, packed) && finite;
    done += tiles.tiles * lanes;
  }
  return finite;
}

}  // namespace deconv

#endif  // DECONV_KERNEL_PHASED_PHASED_PACK_H_
