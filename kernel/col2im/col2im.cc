// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "col2im". It packs the filter as a matrix: a row for each output channel and tap, a column
// for each input channel. From the outermost to the innermost index, the packed order is:
//   group, range of output channels, register tile (some rows of the matrix), input channel, row of the tile.
#include "kernel/col2im/col2im.h"

#include <algorithm>

#include "kernel/base/cpu_class.h"
#include "kernel/base/pack.h"
#include "kernel/base/phases.h"
#include "kernel/col2im/col2im_layout.h"
#include "kernel/phased/phased_pack.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Col2im final : public Algorithm {
 public:
  // Returns false if the algorithm does not fit the geometry.
  bool Init(const Geometry& geometry, const Col2imKernels& kernels) {
    run_ = kernels.run;
    layout_.blocks = kernels.blocks;
    return MakeCol2imLayout(geometry, kernels.tile, layout_);
  }

  const char* Target() const override { return layout_.tile.target; }
  double Cycles() const override { return Col2imCycles(layout_); }
  size_t PackedBytes() const override {
    const Geometry& geometry = layout_.geometry;
    return static_cast<size_t>(geometry.groups * geometry.in_channels * geometry.out_channels * geometry.taps) *
           sizeof(float);
  }
  size_t ScratchBytes() const override { return layout_.scratch_bytes; }
  int64_t TaskCount(int64_t batch) const override {
    return batch * layout_.geometry.groups * layout_.channel_ranges * BlockCount(layout_.axes);
  }

  bool Pack(const char* filter, char* packed) const override {
    const Geometry& geometry = layout_.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    // Each tap of each output channel is a lane (see pack.h), so an input channel is one column of lanes.
    const PackOrder order = {.form = ComputeForm(geometry.type, true),
                             .groups = geometry.groups,
                             .group_stride = strides.group,
                             .in_channels = geometry.in_channels,
                             .in_stride = strides.in_channel,
                             .tap_stride = strides.tap,
                             .inner_lanes = geometry.taps,
                             .inner_stride = strides.tap,
                             .outer_stride = strides.out_channel,
                             .filled_lanes = geometry.out_channels * geometry.taps,
                             .padded_lanes = geometry.out_channels * geometry.taps};
    constexpr TapPosition kOnly = {.phase_taps = 1};
    bool finite = true;
    for (int64_t first = 0; first < geometry.out_channels; first += layout_.channel_range) {
      const int64_t channels = std::min(layout_.channel_range, geometry.out_channels - first);
      finite = PackTileRows(order, first * geometry.taps, channels * geometry.taps, layout_.tile.rows, 0, {&kOnly, 1},
                            filter, packed) &&
               finite;
    }
    return finite;
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  Col2imLayout layout_;
  void (*run_)(const Col2imLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

}  // namespace

std::unique_ptr<Algorithm> CreateCol2im(const Geometry& geometry, const Machine& machine) {
  if (!FloatSumsAreExact(geometry)) return nullptr;
  auto col2im = std::make_unique<Col2im>();
  const Costs& costs = CostsOf(machine);
  Col2imKernels kernels = ChooseCol2imF32(geometry.type, machine.target);
  kernels.tile.target = hwy::TargetName(machine.target);
  kernels.tile.costs = &costs;
  kernels.tile.product_cycles = costs.aligned_product;
  if (!col2im->Init(geometry, kernels)) return nullptr;
  return col2im;
}

}  // namespace deconv
