// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "rows", and the packing of the filter: per group, per tile of output channels, per unit of
// phases: for each input channel, for each step, for each phase that the step serves, the weights of the tile's
// channels.
#include "kernel/rows/rows.h"

#include <cstring>

#include "kernel/base/convert.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/phases.h"
#include "kernel/rows/rows_layout.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Rows final : public Algorithm {
 public:
  // False if the geometry does not fit.
  bool Init(const Geometry& geometry, const RowsKernels& kernels) { return MakeRowsLayout(geometry, kernels, layout_); }

  const char* Target() const override { return layout_.base.tile.target; }
  double Cycles() const override { return RowsCycles(layout_); }
  // Which phases share a tile.
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
    // Taps of phases without outputs leave holes.
    std::memset(packed, 0, PackedBytes());
    return VisitFloatType(layout_.base.geometry.type, [&]<class T>() { return PackAs<T>(filter, packed); });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    layout_.kernels.run(layout_, buffers, task, scratch);
  }

 private:
  template <class T>
  bool PackAs(const char* filter, char* packed) const {
    const Geometry& geometry = layout_.base.geometry;
    bool finite = true;
    for (int64_t group = 0; group < geometry.groups; ++group) {
      for (int64_t tile = 0; tile < layout_.channel_tiles; ++tile) {
        const int64_t channel = layout_.TileChannel(tile);
        const int64_t count = layout_.TileChannel(tile + 1) - channel;
        const int64_t begin = (group * geometry.out_channels + channel) * geometry.in_channels * geometry.taps;
        for (const RowsUnit& unit : layout_.units) {
          const int64_t at = begin + static_cast<int64_t>(unit.first_tap) * geometry.in_channels * count;
          finite = PackUnit<T>(filter, group, channel, count, unit, at, packed) && finite;
        }
      }
    }
    return finite;
  }

  template <class T>
  bool PackUnit(const char* filter, int64_t group, int64_t channel, int64_t count, const RowsUnit& unit, int64_t at,
                char* packed) const {
    const FilterStrides& strides = layout_.base.geometry.filter_strides;
    bool finite = true;
    for (int64_t in = 0; in < layout_.base.geometry.in_channels; ++in) {
      for (size_t i = 0; i < unit.taps; ++i) {
        const int64_t from = group * strides.group + in * strides.in_channel + channel * strides.out_channel +
                             layout_.taps[unit.first_tap + i] * strides.tap;
        for (int64_t c = 0; c < count; ++c) {
          const Compute<T> weight = Widen(LoadElement<T>(filter, from + c * strides.out_channel));
          finite = finite && IsFinite<T>(weight);
          StoreElement<Compute<T>>(packed, at++, weight);
        }
      }
    }
    return finite;
  }

  RowsLayout layout_;
};

}  // namespace

std::unique_ptr<Algorithm> CreateRows(const Geometry& geometry, const Machine& machine) {
  if (!SumsFitFloat(geometry)) return nullptr;
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
