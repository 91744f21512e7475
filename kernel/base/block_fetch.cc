// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks over the rows of data that a block of outputs reads, and prefetches their cache lines.
#include "kernel/base/block_fetch.h"

#include <algorithm>

#include "kernel/base/algorithm.h"

#include <hwy/cache_control.h>

namespace deconv {

BlockFetch::BlockFetch(const Geometry& geometry, const BlockAxes& axes, const TaskPosition& position,
                       const char* data) {
  const TensorStrides& strides = geometry.data_strides;
  const auto element = static_cast<int64_t>(ElementBytes(geometry.type));
  const bool is_planar = strides.position == 1;
  // With channels last, a row holds all channels of all groups. Other threads may need the other groups.
  if (!is_planar && geometry.groups > 1) return;
  std::array<RealRange, 3> real;  // the positions that hold data; padding is not fetched
  for (size_t a = 0; a < 3; ++a) real[a] = RealPositions(axes[a], position.begin[a], axes[a].padded);
  const auto positions = [&](size_t a) { return real[a].end - real[a].first; };
  const auto begin = [&](size_t a) { return real[a].first + real[a].origin; };
  const int64_t row_step = axes[2].axis.data * strides.position * element;
  // A grid of rows (channel, z, y). With channels last, one row holds all channels, so the grid has one channel.
  counts_ = {is_planar ? geometry.in_channels : 1, positions(0), positions(1)};
  steps_ = {strides.channel * element, axes[1].axis.data * row_step, row_step};
  row_bytes_ = positions(2) * strides.position * element;
  // If whole rows are read, they follow one another in memory, and so do whole planes. They then count as one row.
  // Example: 8 rows of 64 bytes with a step of 64 bytes become one row of 512 bytes.
  for (size_t i = 2; i > 0 && row_bytes_ == steps_[i]; --i) {
    row_bytes_ *= counts_[i];
    counts_[i] = std::min<int64_t>(1, counts_[i]);
  }
  rows_left_ = row_bytes_ > 0 ? counts_[0] * counts_[1] * counts_[2] : 0;
  if (rows_left_ == 0) return;
  const int64_t channel = position.group * geometry.in_channels;
  first_ = data + (position.batch * strides.batch + channel * strides.channel) * element + begin(0) * steps_[1] +
           begin(1) * steps_[2] + begin(2) * strides.position * element;
}

int64_t BlockFetch::Lines() const {
  const int64_t row_lines = DivideUp(row_bytes_, kLineBytes) + 1;
  return rows_left_ * row_lines + DivideUp(end_ - next_, kLineBytes);
}

bool BlockFetch::NextRow() {
  if (rows_left_ == 0) return false;
  --rows_left_;
  next_ = first_;
  for (size_t i = 0; i < 3; ++i) next_ += index_[i] * steps_[i];
  end_ = next_ + row_bytes_;
  next_ -= reinterpret_cast<uintptr_t>(next_) % kLineBytes;
  for (size_t i = 3; i-- > 0;) {
    if (++index_[i] < counts_[i]) break;
    index_[i] = 0;
  }
  return true;
}

const char* BlockFetch::NextLine() {
  if (next_ == end_ && !NextRow()) return nullptr;
  const char* const line = next_;
  next_ += kLineBytes;
  if (next_ >= end_) next_ = end_;
  return line;
}

void BlockFetch::FetchSome(int64_t lines) {
  for (; lines > 0; --lines) {
    const char* const line = NextLine();
    if (line == nullptr) return;
    hwy::Prefetch(line);
  }
}

}  // namespace deconv
