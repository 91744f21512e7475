// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The class of the algorithm "phased", and the packing of the filter: per group, per tile of output channels, per phase
// (z, y, x): for each input channel, for each tap, the weights of the tile's channels side by side, as the register
// tile reads them.
#include "kernel/phased/phased.h"

#include <cstring>

#include "kernel/base/convert.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/phases.h"
#include "kernel/phased/phased_cost.h"
#include "kernel/phased/phased_layout.h"

#include <hwy/targets.h>

namespace deconv {
namespace {

class Phased final : public Algorithm {
 public:
  // False if the geometry does not fit.
  bool Init(const Geometry& geometry, const PhasedKernels& kernels) {
    run_ = kernels.run;
    layout_.blocks = kernels.blocks;
    if (!MakePhasedLayout(geometry, kernels.tile, layout_)) return false;
    PlaceSums(layout_, TileRows(0, geometry.out_channels, kernels.tile.rows));
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
    // Taps of phases without outputs leave holes.
    std::memset(packed, 0, PackedBytes());
    const auto pack = [&]<class T>() { return PackAs<T>(filter, packed); };
    const deconv_type type = layout_.geometry.type;
    return SumsFitFloat(layout_.geometry) ? VisitFloatType(type, pack) : VisitType(type, pack);
  }

  void Run(const RunBuffers& buffers, int64_t task, char* scratch) const override {
    run_(layout_, buffers, task, scratch);
  }

 private:
  template <class T>
  bool PackAs(const char* filter, char* packed) const {
    const Geometry& geometry = layout_.geometry;
    bool finite = true;
    for (int64_t group = 0; group < geometry.groups; ++group) {
      for (int64_t channel = 0; channel < geometry.out_channels;) {
        const int64_t rows = TileRows(channel, geometry.out_channels, layout_.tile.rows);
        const int64_t tile = (group * geometry.out_channels + channel) * geometry.in_channels * geometry.taps;
        finite = PackTile<T>(filter, group, channel, rows, packed + tile * Bytes<T>()) && finite;
        channel += rows;
      }
    }
    return finite;
  }

  template <class T>
  bool PackTile(const char* filter, int64_t group, int64_t channel, int64_t rows, char* packed) const {
    const auto& [z, y, x] = layout_.axes;
    bool finite = true;
    for (const Phase& pz : z.phases.phases) {
      for (const Phase& py : y.phases.phases) {
        for (const Phase& px : x.phases.phases) {
          const int64_t begin = TapsBefore(layout_.axes, pz, py, px) * layout_.geometry.in_channels * rows;
          finite = PackPhase<T>(filter, group, channel, rows, {&pz, &py, &px}, packed + begin * Bytes<T>()) && finite;
        }
      }
    }
    return finite;
  }

  template <class T>
  bool PackPhase(const char* filter, int64_t group, int64_t channel, int64_t rows,
                 const std::array<const Phase*, 3>& phases, char* packed) const {
    const FilterStrides& strides = layout_.geometry.filter_strides;
    const auto& [pz, py, px] = phases;
    bool finite = true;
    int64_t at = 0;
    for (int64_t in = 0; in < layout_.geometry.in_channels; ++in) {
      for (int64_t i = 0; i < pz->taps * py->taps * px->taps; ++i) {
        const int64_t kz = pz->first_tap + i / (py->taps * px->taps) * pz->tap_step;
        const int64_t ky = py->first_tap + i / px->taps % py->taps * py->tap_step;
        const int64_t kx = px->first_tap + i % px->taps * px->tap_step;
        const int64_t tap = (kz * layout_.axes[1].axis.kernel + ky) * layout_.axes[2].axis.kernel + kx;
        for (int64_t row = 0; row < rows; ++row) {
          const Compute<T> weight =
              Widen(LoadElement<T>(filter, group * strides.group + in * strides.in_channel +
                                               (channel + row) * strides.out_channel + tap * strides.tap));
          finite = finite && IsFinite<T>(weight);
          StoreElement<Compute<T>>(packed, at++, weight);
        }
      }
    }
    return finite;
  }

  template <class T>
  static constexpr int64_t Bytes() {
    return static_cast<int64_t>(sizeof(Compute<T>));
  }

  PhasedLayout layout_;
  void (*run_)(const PhasedLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) = nullptr;
};

}  // namespace

std::unique_ptr<Algorithm> CreatePhased(const Geometry& geometry, const Machine& machine) {
  auto phased = std::make_unique<Phased>();
  const Costs& costs = CostsOf(machine);
  PhasedKernels kernels = ChoosePhased(geometry.type, SumsFitFloat(geometry), machine.target);
  if (kernels.run == nullptr) return nullptr;
  const bool floats = geometry.type == DECONV_F64 || SumsFitFloat(geometry);
  kernels.tile.target = hwy::TargetName(machine.target);
  kernels.tile.costs = &costs;
  kernels.tile.caches = machine.cpu->caches;
  kernels.tile.product_cycles = floats ? costs.phased_product : costs.phased_integer;
  kernels.tile.load_cycles = floats ? costs.phased_load : 2 * costs.phased_integer;
  if (!phased->Init(geometry, kernels)) return nullptr;
  return phased;
}

}  // namespace deconv
