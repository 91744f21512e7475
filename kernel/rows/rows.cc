// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "rows", whose register tile sums several phases (remainders modulo the stride) at once. It
// packs the filter into the order in which the register tiles read it. From the outermost to the innermost index, this
// order is:
//   group, tile of output channels, phases of a tile (RowsTile), input channel, step (RowsStep), phase, output channel.
#include "kernel/rows/rows.h"

#include <cstring>
#include <span>

#include "kernel/base/cpu_class.h"
#include "kernel/base/pack.h"
#include "kernel/base/phases.h"
#include "kernel/rows/rows_layout.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Rows final : public Algorithm {
 public:
  // Returns false if the algorithm does not fit the geometry.
  bool Init(const Geometry& geometry, const RowsKernels& kernels) { return MakeRowsLayout(geometry, kernels, layout_); }

  const char* Target() const override { return layout_.base.tile.target; }
  double Cycles() const override { return RowsCycles(layout_); }
  // The variant says which phases share a tile. No two ways share a number, because `width` is 1 to kRowsPhases[0].
  uint64_t PackingVariant() const override {
    return static_cast<uint64_t>(layout_.sharing.rows * kRowsPhases[0] + layout_.sharing.width);
  }
  size_t PackedBytes() const override {
    const Geometry& geometry = layout_.base.geometry;
    return static_cast<size_t>(geometry.groups * geometry.in_channels * geometry.out_channels * geometry.taps) *
           sizeof(float);
  }
  size_t ScratchBytes() const override { return layout_.base.scratch_bytes; }
  int64_t TaskCount(int64_t batch) const override { return TaskCountOf(layout_.base, batch); }

  bool Pack(const char* filter, char* packed) const override {
    if (!UsesAllTaps(layout_.base.axes)) std::memset(packed, 0, PackedBytes());
    const Geometry& geometry = layout_.base.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    const PackOrder order = {.form = ComputeForm(geometry.type, true),
                             .groups = geometry.groups,
                             .group_stride = strides.group,
                             .in_channels = geometry.in_channels,
                             .in_stride = strides.in_channel,
                             .tap_stride = strides.tap,
                             .inner_lanes = geometry.out_channels,
                             .inner_stride = strides.out_channel,
                             .filled_lanes = geometry.out_channels,
                             .padded_lanes = geometry.out_channels,
                             .taps = geometry.taps};
    // The tiles, as RowsLayout::TileChannel counts them.
    const UnevenTiles tiles = {layout_.channel_tiles, layout_.out_channels, 1};
    return PackUsedTaps(
        geometry.taps, [&](int64_t tap) { return layout_.tap_positions[static_cast<size_t>(tap)]; },
        [&](int64_t first_tap, std::span<const TapPosition> positions) {
          return PackUnevenTiles(order, tiles, first_tap, positions, filter, packed);
        });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    layout_.kernels.run(layout_, buffers, task, scratch);
  }

 private:
  RowsLayout layout_;
};

}  // namespace

std::unique_ptr<Algorithm> CreateRows(const Geometry& geometry, const Machine& machine) {
  if (!FloatSumsAreExact(geometry)) return nullptr;
  auto rows = std::make_unique<Rows>();
  RowsKernels kernels = ChooseRowsF32(geometry.type, machine.target);
  kernels.target = hwy::TargetName(machine.target);
  kernels.costs = &CostsOf(machine);
  kernels.caches = machine.cpu->caches;
  kernels.many_workers = machine.many_workers;
  if (!rows->Init(geometry, kernels)) return nullptr;
  return rows;
}

}  // namespace deconv
