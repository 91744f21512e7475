// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements packing: it rearranges the weights of a filter into the order in which register tiles read them (pack.h).
// Weights are first converted into a stage, a buffer of 16 KiB with the order [slot][lane][column]. Columns lie side by
// side in the filter. If columns are taps, each slot is a unit (PackTapColumns). If columns are units, the stage of a
// tap is a single slot (PackUnitColumns). WriteStage then writes lanes side by side. Example with two lanes a and b,
// two taps, and two input channels, the second in capitals: a0 a1 b0 b1 A0 A1 B0 B1 -> a0 b0 a1 b1 A0 B0 A1 B1.
#include "kernel/base/pack.h"

#include <algorithm>
#include <cstring>

#include "kernel/base/algorithm.h"
#include "kernel/base/checked.h"
#include "kernel/base/fetch_lines.h"
#include "kernel/base/pack_stage.h"

namespace deconv {
namespace {

constexpr int64_t kStageBytes = 16 * 1024;  // stays in the first-level cache, beside lines read and written
constexpr int64_t kPartsBytes = 8 * 1024;   // a second buffer, for parts of units before they are joined to words
// The most lanes packed at once. More would read longer runs, but write to more addresses of the packed filter in turn.
constexpr int64_t kMostLanes = 32;
constexpr int64_t kMostLanesOfOneColumn = 256;  // a guess; a single column is not transposed: runs are copied
constexpr int64_t kMostSlots = 64;              // a guess
// Filters from this size on are prefetched: their runs are too short for the hardware's prefetches. Measured on Zen 3:
// filters of 8 MiB take 0.6 to 0.9 of their time; those that the second-level cache holds take 1.2 times as long.
constexpr int64_t kFetchedBytes = 256 * 1024;
static_assert(kMostPackedTaps <= kMostColumns);
constexpr int64_t kUnitsAhead = 2;  // runs are prefetched two units before they are converted

// The input channels of a group, or all groups if each is packed like a channel (`groups_are_inputs` in PackTiles).
struct Inputs {
  int64_t count = 0;
  int64_t stride = 0;      // elements of the filter from one input channel (or group) to the next
  int64_t group_step = 0;  // if groups are packed as inputs: units of the packed filter from group to group; else 0
};

// The lanes that are packed at once: `lanes` lanes of each of `tiles` tiles.
struct LaneBlock {
  int64_t first_lane = 0;
  int64_t tiles = 1;
  int64_t lanes = 0;
  int64_t tile_lanes = 0;  // lanes of a whole tile
};

// The units that are packed at once: one kc block (PackOrder), or all if kc is 1 or groups are inputs.
struct UnitRange {
  int64_t first = 0;
  int64_t count = 0;
};

// Packs blocks of lanes of a group, for some taps.
class BlockPacker {
 public:
  BlockPacker(const PackOrder& order, const Inputs& inputs, int64_t first_tap, std::span<const TapPosition> taps)
      : order_(order),
        inputs_(inputs),
        taps_(taps),
        first_tap_(first_tap),
        units_(DivideUp(inputs.count, order.form.depth)),
        prefetches_(order.groups * order.padded_lanes * order.Units() * order.taps * UnitBytes() >= kFetchedBytes) {}

  // Packs a block from the group's `filter` to the block's first lane in `packed`. Returns whether weights are finite.
  bool Pack(const LaneBlock& block, const char* filter, char* packed) {
    block_ = block;
    all_lanes_ = block.tiles * block.lanes;
    filled_lanes_ = std::clamp<int64_t>(order_.filled_lanes - block.first_lane, 0, all_lanes_);
    offsets_.tile_step = block.tile_lanes * order_.Units() * order_.taps * UnitBytes();
    const bool units_adjacent = order_.kc > 1 && inputs_.group_step == 0;
    const int64_t most_units = units_adjacent ? order_.kc : units_;
    bool finite = true;
    for (int64_t first = 0; first < units_; first += most_units) {
      const UnitRange range = {first, std::min(most_units, units_ - first)};
      finite = (order_.tap_stride == 1 ? PackTapColumns(range, units_adjacent, filter, packed)
                                       : PackUnitColumns(range, units_adjacent, filter, packed)) &&
               finite;
    }
    return finite;
  }

 private:
  // A run: lanes whose elements follow one another in the filter from element `from` on.
  struct Run {
    int64_t lane;
    int64_t lanes;
    int64_t from;
  };
  // Bytes of the packed filter: `at` from the block's first lane to a range's first unit, `step` from unit to unit.
  struct UnitOffsets {
    int64_t at = 0;
    int64_t step = 0;
  };

  int64_t UnitBytes() const { return order_.form.UnitBytes(); }

  // Where the units of a tap lie in `packed`. `units_adjacent`: side by side, else with the phase's other taps between.
  UnitOffsets OffsetsOf(const TapPosition& tap, const UnitRange& range, bool units_adjacent) const {
    const int64_t line_bytes = block_.tile_lanes * UnitBytes();
    if (inputs_.group_step > 0) return {(tap.taps_before + tap.index) * line_bytes, inputs_.group_step * UnitBytes()};
    const int64_t before = tap.taps_before * units_ + tap.phase_taps * range.first;
    return units_adjacent ? UnitOffsets{(before + tap.index * range.count) * line_bytes, line_bytes}
                          : UnitOffsets{(before + tap.index) * line_bytes, tap.phase_taps * line_bytes};
  }

  // Finds the runs of the block's lanes, `elements` elements each. `may_join`: lanes side by side become one run.
  void FindRuns(int64_t elements, bool may_join) {
    runs_count_ = 0;
    int64_t outer = block_.first_lane / order_.inner_lanes;
    int64_t inner = block_.first_lane % order_.inner_lanes;
    for (int64_t lane = 0; lane < filled_lanes_; ++lane) {
      const int64_t from = outer * order_.outer_stride + inner * order_.inner_stride;
      Run* const last = runs_count_ == 0 ? nullptr : &runs_[runs_count_ - 1];
      if (may_join && last != nullptr && from == last->from + last->lanes * elements) {
        ++last->lanes;
      } else {
        runs_[runs_count_++] = {lane, 1, from};
      }
      if (++inner == order_.inner_lanes) {
        inner = 0;
        ++outer;
      }
    }
  }

  // Converts the runs (`elements` elements per lane) to rows of `row_bytes` bytes. Returns whether all are finite.
  bool ConvertRuns(const char* from, int64_t elements, int64_t row_bytes, char* to) const {
    bool finite = true;
    for (size_t i = 0; i < runs_count_; ++i) {
      const Run& run = runs_[i];
      finite = order_.form.convert(from + run.from * order_.form.element_bytes, run.lanes * elements,
                                   to + run.lane * row_bytes) &&
               finite;
    }
    return finite;
  }

  // Packs a range of units if taps lie side by side in the filter. Columns are taps, slots are units.
  bool PackTapColumns(const UnitRange& range, bool units_adjacent, const char* filter, char* packed) {
    const auto columns = static_cast<int64_t>(taps_.size());
    for (size_t c = 0; c < taps_.size(); ++c) {
      const UnitOffsets offsets = OffsetsOf(taps_[c], range, units_adjacent);
      offsets_.at[c] = offsets.at;
      offsets_.slot_step[c] = offsets.step;
    }
    FindRuns(columns, true);
    const int64_t slot_bytes = all_lanes_ * columns * UnitBytes();
    const int64_t slots = std::clamp<int64_t>(StageBytes() / slot_bytes, 1, kMostSlots);
    bool finite = true;
    for (int64_t done = 0; done < range.count; done += slots) {
      const int64_t count = std::min(slots, range.count - done);
      finite = StageUnits({range.first + done, count}, slot_bytes, filter, packed) && finite;
      Write({count, block_.tiles, block_.lanes, columns}, packed);
      for (size_t c = 0; c < taps_.size(); ++c) offsets_.at[c] += count * offsets_.slot_step[c];
    }
    return finite;
  }

  // Prefetches runs that are converted later, `elements` elements for each lane.
  void FetchRuns(const char* from, int64_t elements) const {
    for (size_t i = 0; i < runs_count_; ++i) {
      const char* const first = from + runs_[i].from * order_.form.element_bytes;
      FetchLines(first, first + runs_[i].lanes * elements * order_.form.element_bytes);
    }
  }

  // Prefetches where a slot is written in the packed filter, unless its lanes do not fill a cache line.
  void FetchDestinations(int64_t slot, int64_t columns, const char* packed) const {
    const int64_t bytes = block_.lanes * UnitBytes();
    if (bytes < kLineBytes) return;
    for (int64_t column = 0; column < columns; ++column) {
      const auto c = static_cast<size_t>(column);
      for (int64_t tile = 0; tile < block_.tiles; ++tile) {
        const char* const first = packed + offsets_.at[c] + slot * offsets_.slot_step[c] + tile * offsets_.tile_step;
        FetchLines(first, first + bytes);
      }
    }
  }

  // Converts all lanes and taps of some units into the stage.
  bool StageUnits(const UnitRange& range, int64_t slot_bytes, const char* filter, const char* packed) {
    const auto columns = static_cast<int64_t>(taps_.size());
    const PackedForm& form = order_.form;
    // All lanes, taps and units of the range lie side by side in the filter: one conversion fills the stage.
    if (form.depth == 1 && filled_lanes_ == all_lanes_ && runs_count_ == 1 && inputs_.stride == all_lanes_ * columns) {
      const int64_t from = first_tap_ + runs_[0].from + range.first * inputs_.stride;
      return form.convert(filter + from * form.element_bytes, range.count * inputs_.stride, Stage());
    }
    bool finite = true;
    for (int64_t slot = 0; slot < range.count; ++slot) {
      const int64_t next = (range.first + slot + kUnitsAhead) * form.depth;
      if (prefetches_ && next < inputs_.count) {
        FetchRuns(filter + (first_tap_ + next * inputs_.stride) * form.element_bytes, columns);
      }
      if (prefetches_) FetchDestinations(slot, columns, packed);
      finite = StageUnit(range.first + slot, filter, Stage() + slot * slot_bytes) && finite;
    }
    return finite;
  }

  // Converts all lanes and taps of one unit into a slot.
  bool StageUnit(int64_t unit, const char* filter, char* slot) {
    const auto columns = static_cast<int64_t>(taps_.size());
    const PackedForm& form = order_.form;
    const int64_t row_bytes = columns * form.part_bytes;
    const int64_t part_bytes = filled_lanes_ * row_bytes;
    char* const parts = form.depth == 1 ? slot : parts_.data();
    bool finite = true;
    for (int64_t part = 0; part < form.depth; ++part) {
      const int64_t input = unit * form.depth + part;
      char* const to = parts + part * part_bytes;
      if (input < inputs_.count) {
        const int64_t from = (first_tap_ + input * inputs_.stride) * form.element_bytes;
        finite = ConvertRuns(filter + from, columns, row_bytes, to) && finite;
      } else {
        std::memset(to, 0, static_cast<size_t>(part_bytes));
      }
    }
    if (form.depth > 1) Zip(form.part_bytes, parts, part_bytes, filled_lanes_ * columns, slot);
    ClearLanes(columns, slot);
    return finite;
  }

  // Packs a range of units if units lie side by side in the filter. Columns are units; each tap has one slot.
  bool PackUnitColumns(const UnitRange& range, bool units_adjacent, const char* filter, char* packed) {
    bool finite = true;
    for (size_t t = 0; t < taps_.size(); ++t) {
      const UnitOffsets offsets = OffsetsOf(taps_[t], range, units_adjacent);
      const char* const tap =
          filter + (first_tap_ + static_cast<int64_t>(t)) * order_.tap_stride * order_.form.element_bytes;
      for (int64_t done = 0; done < range.count; done += kMostColumns) {
        const int64_t columns = std::min(kMostColumns, range.count - done);
        for (int64_t c = 0; c < columns; ++c) {
          offsets_.at[static_cast<size_t>(c)] = offsets.at + (done + c) * offsets.step;
          offsets_.slot_step[static_cast<size_t>(c)] = 0;  // there is one slot
        }
        if (prefetches_) FetchDestinations(0, columns, packed);
        finite = StageTap(tap, range.first + done, columns) && finite;
        Write({1, block_.tiles, block_.lanes, columns}, packed);
      }
    }
    return finite;
  }

  // Converts all lanes and some units of a tap into a slot.
  bool StageTap(const char* tap, int64_t unit, int64_t columns) {
    const PackedForm& form = order_.form;
    const int64_t input = unit * form.depth;
    const int64_t elements = std::min(columns * form.depth, inputs_.count - input);
    // If the last unit lacks channels, its parts stay zero. Rows are then longer than lanes, which are not joined.
    const bool whole = elements == columns * form.depth;
    if (!whole) std::memset(Stage(), 0, static_cast<size_t>(filled_lanes_ * columns * UnitBytes()));
    FindRuns(elements, whole);
    ClearLanes(columns, Stage());
    const char* const from = tap + input * inputs_.stride * form.element_bytes;
    if (prefetches_) FetchRuns(from + elements * form.element_bytes, elements);  // the runs of the next units
    return ConvertRuns(from, elements, columns * UnitBytes(), Stage());
  }

  // Writes zeros to the lanes of a slot that have no weight.
  void ClearLanes(int64_t columns, char* slot) const {
    if (filled_lanes_ == all_lanes_) return;
    const int64_t lane_bytes = columns * UnitBytes();
    std::memset(slot + filled_lanes_ * lane_bytes, 0, static_cast<size_t>((all_lanes_ - filled_lanes_) * lane_bytes));
  }

  // Returns whether Zip joins lanes to words of 4 bytes: units are smaller, and the lanes of a tile fill whole words.
  bool ZipsLanes() const { return UnitBytes() < kWordBytes && block_.lanes * UnitBytes() % kWordBytes == 0; }
  char* Stage() { return ZipsLanes() ? parts_.data() : stage_.data(); }
  int64_t StageBytes() const { return ZipsLanes() ? kPartsBytes : kStageBytes; }

  // Writes the stage of this shape, given in units, to the packed filter.
  void Write(StageShape shape, char* packed) {
    if (!ZipsLanes()) return WriteStage(UnitBytes(), shape, offsets_, stage_.data(), packed);
    const int64_t row_bytes = shape.columns * UnitBytes();
    shape.lanes = shape.lanes * UnitBytes() / kWordBytes;
    const int64_t words = shape.slots * shape.tiles * shape.lanes;
    for (int64_t i = 0; i < words; ++i) {
      Zip(UnitBytes(), parts_.data() + i * shape.columns * kWordBytes, row_bytes, shape.columns,
          stage_.data() + i * shape.columns * kWordBytes);
    }
    WriteStage(kWordBytes, shape, offsets_, stage_.data(), packed);
  }

  const PackOrder& order_;
  const Inputs inputs_;
  const std::span<const TapPosition> taps_;
  const int64_t first_tap_;
  const int64_t units_;
  const bool prefetches_;
  LaneBlock block_;
  int64_t all_lanes_ = 0;     // lanes of all tiles of the block
  int64_t filled_lanes_ = 0;  // lanes of the block that have weights; the others become zeros
  size_t runs_count_ = 0;
  std::array<Run, kMostLanesOfOneColumn> runs_;
  ColumnOffsets offsets_;
  std::array<char, kStageBytes> stage_;
  std::array<char, kPartsBytes> parts_;
};

}  // namespace

bool PackTiles(const PackOrder& order, const LaneTiles& tiles, int64_t first_tap,
               std::span<const TapPosition> positions, const char* filter, char* packed) {
  if (tiles.tiles == 0) return true;
  const PackedForm& form = order.form;
  // Groups of one input channel are packed as input channels. Unless columns are taps, groups must lie side by side.
  const bool groups_are_inputs =
      order.in_channels == 1 && form.depth == 1 && (order.tap_stride == 1 || order.group_stride == 1);
  const int64_t lane_units = order.Units() * order.taps;  // units of one lane in the packed filter
  const Inputs inputs = groups_are_inputs ? Inputs{order.groups, order.group_stride, order.padded_lanes * lane_units}
                                          : Inputs{order.in_channels, order.in_stride, 0};
  const int64_t groups = groups_are_inputs ? 1 : order.groups;
  const int64_t columns =
      order.tap_stride == 1 ? static_cast<int64_t>(positions.size()) : DivideUp(inputs.count, form.depth);
  const int64_t most_lanes = columns == 1 ? kMostLanesOfOneColumn : kMostLanes;
  const int64_t lanes = std::min(tiles.lanes, most_lanes);
  const int64_t most_tiles = std::max<int64_t>(1, most_lanes / tiles.lanes);
  BlockPacker packer(order, inputs, first_tap, positions);
  bool finite = true;
  for (int64_t group = 0; group < groups; ++group) {
    const char* const from = filter + group * order.group_stride * form.element_bytes;
    for (int64_t tile = 0; tile < tiles.tiles; tile += most_tiles) {
      const int64_t first_lane = tiles.first_lane + tile * tiles.lanes;
      char* const to = packed + (group * order.padded_lanes + first_lane) * lane_units * form.UnitBytes();
      for (int64_t lane = 0; lane < tiles.lanes; lane += lanes) {
        const LaneBlock block = {first_lane + lane, std::min(most_tiles, tiles.tiles - tile),
                                 std::min(lanes, tiles.lanes - lane), tiles.lanes};
        finite = packer.Pack(block, from, to + lane * form.UnitBytes()) && finite;
      }
    }
  }
  return finite;
}

bool PackUnevenTiles(const PackOrder& order, const UnevenTiles& tiles, int64_t first_tap,
                     std::span<const TapPosition> positions, const char* filter, char* packed) {
  const int64_t wider = tiles.vectors % tiles.tiles;
  const int64_t narrower_lanes = tiles.vectors / tiles.tiles * tiles.vector_lanes;
  const LaneTiles first = {0, wider, narrower_lanes + tiles.vector_lanes};
  const LaneTiles rest = {wider * first.lanes, tiles.tiles - wider, narrower_lanes};
  const bool finite = PackTiles(order, first, first_tap, positions, filter, packed);
  return PackTiles(order, rest, first_tap, positions, filter, packed) && finite;
}

namespace {

// The position of a tap along one axis: its phase, and its index there. `phase` is null if no output uses the tap.
struct AxisTap {
  const Phase* phase = nullptr;
  int64_t index = 0;
};

AxisTap FindTap(const BlockAxis& axis, int64_t tap) {
  // The number of the phase, computed like in MakePhases.
  const auto t = static_cast<size_t>(FloorMod(axis.axis.dilation * tap - axis.axis.pads_begin, axis.axis.stride));
  if (t >= axis.phases.phases.size()) return {};
  const Phase& phase = axis.phases.phases[t];
  return {&phase, (tap - phase.first_tap) / phase.tap_step};
}

}  // namespace

bool UsesAllTaps(const BlockAxes& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const BlockAxis& axis) {
    int64_t taps = 0;
    for (const Phase& phase : axis.phases.phases) taps += phase.taps;
    return taps == axis.axis.kernel;
  });
}

TapPosition PositionOfTap(const BlockAxes& axes, int64_t tap, bool reversed) {
  const AxisTap x = FindTap(axes[2], tap % axes[2].axis.kernel);
  tap /= axes[2].axis.kernel;
  const AxisTap y = FindTap(axes[1], tap % axes[1].axis.kernel);
  const AxisTap z = FindTap(axes[0], tap / axes[1].axis.kernel);
  if (x.phase == nullptr || y.phase == nullptr || z.phase == nullptr) return {};
  const int64_t along_x = reversed ? x.phase->taps - 1 - x.index : x.index;
  return {TapsBefore(axes, *z.phase, *y.phase, *x.phase), z.phase->taps * y.phase->taps * x.phase->taps,
          (z.index * y.phase->taps + y.index) * x.phase->taps + along_x};
}

PackedForm UnchangedForm(deconv_type type) {
  return VisitType(type, []<class T>() { return ConvertingForm<T, ToBits<T>>(1); });
}

PackedForm ComputeForm(deconv_type type, bool in_floats) {
  const auto form = []<class T>() {
    if constexpr (std::is_same_v<T, Compute<T>>) {
      return ConvertingForm<T, ToBits<T>>(1);  // copied as bits, so that a NaN keeps its bits
    } else {
      return ConvertingForm<T, Widen<T>>(1);
    }
  };
  return in_floats ? VisitFloatType(type, form) : VisitType(type, form);
}

}  // namespace deconv
