// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs a filter: rearranges its weights into the order in which a register tile reads them. All algorithms with
// vectors use this file. In a packed filter, the weights of several lanes lie side by side for each tap and input
// channel. In the filter, taps or input channels lie side by side. So packing is a transposition: with two taps, the
// weights a0 a1 b0 b1 of the lanes a and b become a0 b0 a1 b1. These words describe the order:
// - lane: an output channel. In "col2im" it is a tap of an output channel. In "channels" a vector may have lanes of
//   several groups.
// - unit: the input channels that a lane multiplies at once: one, or several for dot-product instructions.
// - kc block: some units whose weights of one tap lie side by side (kernel/README.md).
// - phase: the outputs of one remainder modulo the stride, and the taps that they use (phases.h).
// Weights are first copied to a small buffer. There they are converted, and lanes or channels without weights become
// zeros. Because of the buffer, the filter is read in long runs, and nearly all bytes of the packed filter are written
// once.
#ifndef DECONV_KERNEL_BASE_PACK_H_
#define DECONV_KERNEL_BASE_PACK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernel/base/blocks.h"
#include "kernel/base/convert.h"

namespace deconv {

// How the elements of a filter are stored in the packed filter. A unit has a part for each of `depth` neighbouring
// input channels.
struct PackedForm {
  int64_t element_bytes = 0;  // bytes of an element in the filter
  int64_t part_bytes = 0;     // bytes of a part in the packed filter
  int64_t depth = 1;
  // Converts `count` elements that lie side by side. Returns false if any of them is not finite.
  bool (*convert)(const char* from, int64_t count, char* to) = nullptr;

  int64_t UnitBytes() const { return part_bytes * depth; }
};

// UnchangedForm stores elements unchanged: "channels" uses it for narrow weights (16 bits). ComputeForm stores them in
// the compute type, or in f32 if `in_floats`: "rows" and "col2im" always set it, "phased" if such sums are exact.
PackedForm UnchangedForm(deconv_type type);
PackedForm ComputeForm(deconv_type type, bool in_floats);

// Where the weights lie in the filter, and their order in the packed filter. Distances (strides) are in elements of the
// filter.
struct PackOrder {
  PackedForm form;
  int64_t groups = 1;
  int64_t group_stride = 0;
  int64_t in_channels = 1;  // input channels of a group
  int64_t in_stride = 0;
  int64_t tap_stride = 0;
  // A lane has an outer and an inner index. The inner one varies faster. Lane l is at
  // (l / inner_lanes) * outer_stride + (l % inner_lanes) * inner_stride. By algorithm, the indices are:
  // - "phased" and "rows": the inner index is the output channel; there is no outer one.
  // - "channels": the inner index is the output channel; the outer one is the group if groups share a vector.
  // - "col2im": the inner index is the tap, and the outer one is the output channel.
  int64_t inner_lanes = 1;
  int64_t inner_stride = 0;
  int64_t outer_stride = 0;
  int64_t filled_lanes = 0;  // lanes of a group that have weights
  // The order of the packed filter, outermost first: group, tile of lanes, phase, kc block of units, tap of the phase,
  // unit of the kc block, lane.
  int64_t padded_lanes = 0;  // lanes of a group in the packed filter: the filled ones, and then lanes of zeros
  // Taps of the filter, used or not. The bytes of taps that no output uses stay unwritten; the caller clears them
  // first.
  int64_t taps = 1;
  // Units of a kc block: their weights of one tap lie side by side. Only "channels" has more than 1 (kernel/README.md).
  int64_t kc = 1;

  int64_t Units() const { return DivideUp(in_channels, form.depth); }
};

// Tiles of `lanes` lanes each that follow one another in a group.
struct LaneTiles {
  int64_t first_lane = 0;
  int64_t tiles = 0;
  int64_t lanes = 0;
};

// Tiles whose numbers of vectors differ by at most 1; the first tiles have more. 5 vectors in 3 tiles are 2, 2 and 1.
struct UnevenTiles {
  int64_t tiles = 1;
  int64_t vectors = 0;
  int64_t vector_lanes = 1;
};

// The position of a tap in the packed filter.
struct TapPosition {
  int64_t taps_before = 0;  // taps of the phases before its own
  int64_t phase_taps = 0;   // taps of its own phase; 0 if no output uses the tap
  int64_t index = 0;        // its place among the taps of its own phase
};

// The most neighbouring taps that one call packs. In the buffer each tap is a column, and there are at most
// kMostColumns columns (pack_stage.h).
inline constexpr int64_t kMostPackedTaps = 64;

// Packs the tiles of all groups, for positions.size() taps from `first_tap` on. Outputs must use all of these taps.
// Returns false if a weight is not finite.
bool PackTiles(const PackOrder& order, const LaneTiles& tiles, int64_t first_tap,
               std::span<const TapPosition> positions, const char* filter, char* packed);
// The same for tiles of two sizes.
bool PackUnevenTiles(const PackOrder& order, const UnevenTiles& tiles, int64_t first_tap,
                     std::span<const TapPosition> positions, const char* filter, char* packed);

// Returns whether every tap is used by an output. If not, clear the packed filter before you pack: the bytes of taps
// that no output uses stay unwritten.
bool UsesAllTaps(const BlockAxes& axes);

// Returns the position of a tap of the filter, with phases in the order z, y, x. `tap` is the flat index
// (z * kernel_y + y) * kernel_x + x in the filter. `reversed` is true in "channels": the taps of a phase along x are
// stored from last to first, so that the data they meet follow in ascending order.
TapPosition PositionOfTap(const BlockAxes& axes, int64_t tap, bool reversed);

// Packs all taps that outputs use. position_of(tap) returns the TapPosition of a tap. pack(first_tap, positions) packs
// neighbouring taps and returns whether their weights are finite. Returns whether all weights are finite.
template <class PositionOf, class Pack>
bool PackUsedTaps(int64_t taps, const PositionOf& position_of, const Pack& pack) {
  std::array<TapPosition, kMostPackedTaps> positions;
  bool finite = true;
  size_t count = 0;  // used taps, side by side, that are not packed yet
  const auto pack_taps_before = [&](int64_t end) {
    if (count == 0) return;
    finite = pack(end - static_cast<int64_t>(count), std::span<const TapPosition>(positions.data(), count)) && finite;
    count = 0;
  };
  for (int64_t tap = 0; tap < taps; ++tap) {
    const TapPosition position = position_of(tap);
    const bool is_used = position.phase_taps > 0;
    if (!is_used || count == positions.size()) pack_taps_before(tap);
    if (is_used) positions[count++] = position;
  }
  pack_taps_before(taps);
  return finite;
}

// Returns the form that converts each element of T by kConvert. `depth`: parts of a unit (PackedForm).
template <class T, auto kConvert>
PackedForm ConvertingForm(int64_t depth) {
  return {.element_bytes = static_cast<int64_t>(sizeof(T)),
          .part_bytes = static_cast<int64_t>(sizeof(kConvert(T{}))),
          .depth = depth,
          .convert = &ConvertElements<T, kConvert>};
}

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_PACK_H_
