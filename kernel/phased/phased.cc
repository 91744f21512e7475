// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "phased", and its packing of the filter. The packed order is: group, tile of output
// channels, phase (remainder modulo the stride) in z, y and x, input channel, tap. For each tap, the weights of the
// tile's channels lie side by side, as the register tile reads them.
#include "kernel/phased/phased.h"

#include <cstring>
#include <span>

#include "kernel/base/cpu_class.h"
#include "kernel/base/pack.h"
#include "kernel/base/phases.h"
#include "kernel/phased/phased_cost.h"
#include "kernel/phased/phased_layout.h"
#include "kernel/phased/phased_pack.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Phased final : public Algorithm {
 public:
  // Returns false if the algorithm does not fit the geometry.
  bool Init(const Geometry& geometry, const PhasedKernels& kernels) {
    run_ = kernels.run;
    layout_.blocks = kernels.blocks;
    if (!MakePhasedLayout(geometry, kernels.tile, layout_)) return false;
    ReserveSums(layout_, TileRows(0, geometry.out_channels, kernels.tile.rows));
    return true;
  }

  const char* Target() const override { return layout_.tile.target; }
  double Cycles() const override { return PhasedCycles(layout_); }
  size_t PackedBytes() const override {
    const Geometry& geometry = layout_.geometry;
    return static_cast<size_t>(geometry.groups * geometry.in_channels * geometry.out_channels * geometry.taps) *
           layout_.compute_bytes;
  }
  size_t ScratchBytes() const override { return layout_.scratch_bytes; }
  int64_t TaskCount(int64_t batch) const override { return TaskCountOf(layout_, batch); }

  bool Pack(const char* filter, char* packed) const override {
    if (!UsesAllTaps(layout_.axes)) std::memset(packed, 0, PackedBytes());
    const Geometry& geometry = layout_.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    const PackOrder order = {.form = ComputeForm(geometry.type, FloatSumsAreExact(geometry)),
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
    return PackUsedTaps(
        geometry.taps, [&](int64_t tap) { return PositionOfTap(layout_.axes, tap, false); },
        [&](int64_t first_tap, std::span<const TapPosition> positions) {
          return PackTileRows(order, 0, geometry.out_channels, layout_.tile.rows, first_tap, positions, filter, packed);
        });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  PhasedLayout layout_;
  void (*run_)(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

}  // namespace

std::unique_ptr<Algorithm> CreatePhased(const Geometry& geometry, const Machine& machine) {
  auto phased = std::make_unique<Phased>();
  const Costs& costs = CostsOf(machine);
  PhasedKernels kernels = ChoosePhased(geometry.type, FloatSumsAreExact(geometry), machine.target);
  if (kernels.run == nullptr) return nullptr;
  const bool sums_floats = geometry.type == DECONV_F64 || FloatSumsAreExact(geometry);
  kernels.tile.target = hwy::TargetName(machine.target);
  kernels.tile.costs = &costs;
  kernels.tile.caches = machine.cpu->caches;
  kernels.tile.product_cycles = sums_floats ? costs.phased_product : costs.phased_integer;
  kernels.tile.load_cycles = sums_floats ? costs.phased_load : 2 * costs.phased_integer;
  if (!phased->Init(geometry, kernels)) return nullptr;
  return phased;
}

}  // namespace deconv
