// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "col2im", and the packing of the filter: per group, per range of output channels, the rows
// of a matrix (channel, tap) by input channels, cut into the rows of register tiles.
#include "kernel/col2im/col2im.h"

#include <algorithm>

#include "kernel/base/convert.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/phases.h"
#include "kernel/col2im/col2im_layout.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Col2im final : public Algorithm {
 public:
  // False if the geometry does not fit.
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
    return VisitFloatType(layout_.geometry.type, [&]<class T>() { return PackAs<T>(filter, packed); });
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  template <class T>
  bool PackAs(const char* filter, char* packed) const {
    const Geometry& geometry = layout_.geometry;
    const FilterStrides& strides = geometry.filter_strides;
    bool finite = true;
    int64_t at = 0;
    for (int64_t group = 0; group < geometry.groups; ++group) {
      for (int64_t first = 0; first < geometry.out_channels; first += layout_.channel_range) {
        const int64_t channels = std::min(layout_.channel_range, geometry.out_channels - first);
        const int64_t all = channels * geometry.taps;
        for (int64_t done = 0; done < all;) {
          const int64_t rows = TileRows(done, all, layout_.tile.rows);
          for (int64_t in = 0; in < geometry.in_channels; ++in) {
            for (int64_t row = done; row < done + rows; ++row) {
              const int64_t from = group * strides.group + in * strides.in_channel +
                                   (first + row / geometry.taps) * strides.out_channel +
                                   row % geometry.taps * strides.tap;
              const Compute<T> weight = Widen(LoadElement<T>(filter, from));
              finite = finite && IsFinite<T>(weight);
              StoreElement<Compute<T>>(packed, at++, weight);
            }
          }
          done += rows;
        }
      }
    }
    return finite;
  }

  Col2imLayout layout_;
  void (*run_)(const Col2imLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

}  // namespace

std::unique_ptr<Algorithm> CreateCol2im(const Geometry& geometry, const Machine& machine) {
  if (!SumsFitFloat(geometry)) return nullptr;
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
