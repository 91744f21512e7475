// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// One task of the algorithm "col2im", compiled for each target (instruction set). The task goes down the rows of a
// block of cells (groups of neighbouring outputs, one of each phase). It multiplies a row of data by all weights when
// the first output row needs the row of data (MultiplyRow). Then each output row adds up its products. Example: 3 taps
// and stride 2 along y, no pads. Output row 4 is the sum of two products: data row 2 times tap 0, and data row 1 times
// tap 2. Later output rows need the products of row 2 again, but not those of row 1. So the products of data row 3
// overwrite those of row 1: the ring has two rows.

#if defined(DECONV_KERNEL_COL2IM_COL2IM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DECONV_KERNEL_COL2IM_COL2IM_INL_H_
#undef DECONV_KERNEL_COL2IM_COL2IM_INL_H_
#else
#define DECONV_KERNEL_COL2IM_COL2IM_INL_H_
#endif

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/base/quads-inl.h"
#include "kernel/blocks/block_layout.h"
#include "kernel/col2im/col2im_layout.h"
#include "kernel/phased/phased_tile-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace deconv {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stores in to[i] the sum of sources[s][i] over all `count` sources, for `vectors` whole vectors. Four vectors are
// summed at a time, because four independent sums hide some of the latency of additions.
inline HWY_NOINLINE void SumSources(const float* const* sources, int64_t count, int64_t vectors,
                                    float* HWY_RESTRICT to) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr int64_t together = 4;
  int64_t vector = 0;
  for (; vector + together <= vectors; vector += together) {
    const int64_t at = vector * lanes;
    V sum0 = hn::Zero(d);
    V sum1 = hn::Zero(d);
    V sum2 = hn::Zero(d);
    V sum3 = hn::Zero(d);
    for (int64_t s = 0; s < count; ++s) {
      const float* from = sources[s] + at;
      sum0 = hn::Add(sum0, hn::LoadU(d, from));
      sum1 = hn::Add(sum1, hn::LoadU(d, from + lanes));
      sum2 = hn::Add(sum2, hn::LoadU(d, from + 2 * lanes));
      sum3 = hn::Add(sum3, hn::LoadU(d, from + 3 * lanes));
    }
    hn::StoreU(sum0, d, to + at);
    hn::StoreU(sum1, d, to + at + lanes);
    hn::StoreU(sum2, d, to + at + 2 * lanes);
    hn::StoreU(sum3, d, to + at + 3 * lanes);
  }
  for (; vector < vectors; ++vector) {
    const int64_t at = vector * lanes;
    V sum = hn::Zero(d);
    for (int64_t s = 0; s < count; ++s) sum = hn::Add(sum, hn::LoadU(d, sources[s] + at));
    hn::StoreU(sum, d, to + at);
  }
}

class Col2imTask {
 public:
  Col2imTask(const Col2imLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch)
      : layout_(layout),
        buffers_(buffers),
        element_(static_cast<int64_t>(ElementBytes(layout.geometry.type))),
        panel_(reinterpret_cast<float*>(scratch)),
        products_(reinterpret_cast<float*>(scratch + layout.products_offset)),
        sums_(reinterpret_cast<float*>(scratch + layout.sums_offset)) {
    const Geometry& geometry = layout.geometry;
    task = SplitTask(layout.axes, task, position_, cells_);
    first_channel_ = task % layout.channel_ranges * layout.channel_range;
    channels_ = std::min(layout.channel_range, geometry.out_channels - first_channel_);
    task /= layout.channel_ranges;
    position_.group = task % geometry.groups;
    position_.batch = task / geometry.groups;
    real_ = RealPositions(layout.axes[2], position_.begin[2], layout.axes[2].padded);
    weights_ = buffers.filter + (position_.group * geometry.out_channels + first_channel_) * geometry.taps *
                                    geometry.in_channels * kFloatBytes;
  }

  void Run() {
    const BlockAxis& y = layout_.axes[1];
    ClearPadding();
    int64_t next_data_row = std::max<int64_t>(0, position_.begin[1] - y.phases.greatest_shift);
    for (int64_t cell = position_.begin[1]; cell < position_.begin[1] + cells_[1]; ++cell) {
      const int64_t last_data_row = std::min(y.axis.data - 1, cell - y.phases.least_shift);
      for (; next_data_row <= last_data_row; ++next_data_row) MultiplyRow(next_data_row);
      for (size_t t = 0; t < y.phases.phases.size(); ++t) {
        const int64_t output_row = cell * y.axis.stride + static_cast<int64_t>(t);
        if (output_row >= y.axis.output) break;
        if (layout_.geometry.output_strides.position != 1) {
          SumRowOfAllChannels(cell, y.phases.phases[t], output_row);
        } else {
          for (int64_t channel = 0; channel < channels_; ++channel) {
            SumRow(cell, y.phases.phases[t], channel, output_row);
          }
        }
      }
    }
  }

 private:
  // The rows of products of a row of data: one for each output channel of the task and tap.
  int64_t ProductRows() const { return channels_ * layout_.geometry.taps; }
  // Returns the products of a data row for one channel and tap: its place in the ring, at position 0 of the block.
  float* ProductsOf(int64_t row, int64_t data_row) const {
    return products_ + row * layout_.tap_pitch + data_row % layout_.ring * layout_.row_pitch;
  }

  // Writes zeros to the products of padding, in every place (`slot`) of the ring. Later, only the last vector of a row
  // may write there, and MultiplyRow clears these products again.
  void ClearPadding() {
    for (int64_t row = 0; row < ProductRows(); ++row) {
      for (int64_t slot = 0; slot < layout_.ring; ++slot) {
        float* products = ProductsOf(row, slot);
        std::fill(products, products + real_.first, 0.0f);
        std::fill(products + real_.end, products + layout_.row_pitch, 0.0f);
      }
    }
  }

  // Multiplies a row of data by all weights, and stores the products in the row's place of the ring. The register tile
  // of "phased" gets taps of output channels as its channels here, and input channels as its taps.
  void MultiplyRow(int64_t data_row) {
    const Geometry& geometry = layout_.geometry;
    const int64_t count = real_.end - real_.first;
    if (count == 0) return;
    const int64_t vectors = DivideUp(count, layout_.tile.lanes);
    const int64_t width = vectors * layout_.tile.lanes;
    const TensorStrides& strides = geometry.data_strides;
    const int64_t position = data_row * layout_.axes[2].axis.data + real_.first + real_.origin;
    const char* from =
        buffers_.data + (position_.batch * strides.batch + position_.group * geometry.in_channels * strides.channel +
                         position * strides.position) *
                            element_;
    layout_.blocks->widen_rows(strides, from, count, geometry.in_channels, layout_.panel_pitch,
                               reinterpret_cast<char*>(panel_));
    for (int64_t c = 0; c < geometry.in_channels; ++c) {
      float* row = panel_ + c * layout_.panel_pitch;
      std::fill(row + count, row + width, 0.0f);
    }
    PhasedTileInput<float> input;
    input.channels = 1;
    input.taps = geometry.in_channels;
    input.offsets = layout_.channel_offsets.data();
    const int64_t rows = ProductRows();
    for (int64_t column = 0; column < vectors;) {
      const int64_t tiles = DivideUp(vectors - column, kFullVectors);
      const int64_t share = DivideUp(vectors - column, tiles);
      input.data = panel_ + column * layout_.tile.lanes;
      for (int64_t row = 0; row < rows;) {
        const int64_t height = TileRows(row, rows, layout_.tile.rows);
        input.weights = weights_ + row * geometry.in_channels * kFloatBytes;
        RunPhasedTile(input, height, share, false,
                      ProductsOf(row, data_row) + real_.first + column * layout_.tile.lanes, layout_.tap_pitch);
        row += height;
      }
      column += share;
    }
    // The last vector also wrote products behind the row. They are cleared: 0 times a weight of NaN or Inf is NaN.
    if (width == count) return;
    for (int64_t row = 0; row < rows; ++row) {
      float* products = ProductsOf(row, data_row) + real_.first;
      std::fill(products + count, products + width, 0.0f);
    }
  }

  // Sums a row of cells of one channel, for `phase` in y and all phases in x (`across`). The sums of a phase in x begin
  // `phase_pitch` elements behind those of the phase before.
  void SumCells(int64_t cell, const Phase& phase, int64_t channel, int64_t phase_pitch, float* to) {
    const Geometry& geometry = layout_.geometry;
    const BlockAxis& x = layout_.axes[2];
    const int64_t vectors = DivideUp(cells_[2], layout_.tile.lanes);
    for (const Phase& across : x.phases.phases) {
      std::array<const float*, kMostSources> sources;
      int64_t count = 0;
      for (int64_t ty = 0; ty < phase.taps; ++ty) {
        const int64_t data_row = cell - (phase.first_shift + ty * phase.shift_step);
        if (data_row < 0 || data_row >= layout_.axes[1].axis.data) continue;
        const int64_t first_tap =
            channel * geometry.taps + (phase.first_tap + ty * phase.tap_step) * x.axis.kernel + across.first_tap;
        for (int64_t tx = 0; tx < across.taps; ++tx) {
          sources[static_cast<size_t>(count++)] =
              ProductsOf(first_tap + tx * across.tap_step, data_row) +
              (x.phases.greatest_shift - (across.first_shift + tx * across.shift_step));
        }
      }
      SumSources(sources.data(), count, vectors, to);
      to += phase_pitch;
    }
  }

  // Sums and stores a row of planar outputs of one channel.
  void SumRow(int64_t cell, const Phase& phase, int64_t channel, int64_t output_row) {
    SumCells(cell, phase, channel, layout_.sums_pitch, sums_);
    const int64_t stride = layout_.axes[2].axis.stride;
    const int64_t count = Outputs();
    ChannelOfCells cells;
    cells.sums = reinterpret_cast<const char*>(sums_);
    cells.phase_pitch = layout_.sums_pitch;
    cells.stride = stride;
    cells.whole_cells = count / stride;
    cells.rest_phases = count - cells.whole_cells * stride;
    layout_.blocks->store_channel(cells, OutputOf(channel, output_row));
  }

  // Sums and stores a row of outputs with channels last: all channels of the task together.
  void SumRowOfAllChannels(int64_t cell, const Phase& phase, int64_t output_row) {
    const int64_t phase_pitch = channels_ * layout_.sums_pitch;
    for (int64_t channel = 0; channel < channels_; ++channel) {
      SumCells(cell, phase, channel, phase_pitch, sums_ + channel * layout_.sums_pitch);
    }
    layout_.blocks->store_channels_last(reinterpret_cast<const char*>(sums_),
                                        {channels_, layout_.sums_pitch, phase_pitch}, layout_.axes[2].axis.stride,
                                        Outputs(), layout_.geometry.output_strides.position, OutputOf(0, output_row));
  }

  // Return the index of the first output in x, and the number of outputs, of a row of the block.
  int64_t FirstOutput() const { return position_.begin[2] * layout_.axes[2].axis.stride; }
  int64_t Outputs() const {
    const Axis& x = layout_.axes[2].axis;
    return std::min(cells_[2] * x.stride, x.output - FirstOutput());
  }
  // Returns the address of the first output of a row of the block.
  char* OutputOf(int64_t channel, int64_t output_row) const {
    const Geometry& geometry = layout_.geometry;
    const TensorStrides& strides = geometry.output_strides;
    const int64_t position = output_row * layout_.axes[2].axis.output + FirstOutput();
    const int64_t at = position_.batch * strides.batch +
                       (position_.group * geometry.out_channels + first_channel_ + channel) * strides.channel +
                       position * strides.position;
    return buffers_.output + at * element_;
  }

  const Col2imLayout& layout_;
  const RunBuffers& buffers_;
  const int64_t element_;  // bytes of an element of data, and of an output
  float* panel_;           // a row of data, as [input channel][position]
  float* products_;        // the ring of rows of products
  float* sums_;            // the sums of a row of cells, as [phase][channel][cell]
  TaskPosition position_;
  std::array<int64_t, 3> cells_ = {};  // cells of the block along each axis
  int64_t first_channel_ = 0;          // first output channel of the task
  int64_t channels_ = 0;               // output channels of the task
  RealRange real_;                     // the columns of the padded block that are inside the data
  const char* weights_ = nullptr;      // weights of the task's channels
};

inline void RunCol2imTask(const Col2imLayout& layout, const RunBuffers& buffers, int64_t task, char* scratch) {
  Col2imTask(layout, buffers, task, scratch).Run();
}

}  // namespace HWY_NAMESPACE
}  // namespace deconv
HWY_AFTER_NAMESPACE();

#endif  // DECONV_KERNEL_COL2IM_COL2IM_INL_H_
