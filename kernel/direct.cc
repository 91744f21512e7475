// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Per axis the taps of an output coordinate o are those k with o + pads_begin - dilation*k divisible by stride and the
// quotient inside the data: an arithmetic progression. The sum runs over their product, then over the channels.
#include "kernel/direct.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "kernel/checked.h"
#include "kernel/convert.h"

namespace deconv {
namespace {

// Taps first_tap, first_tap + tap_step, ... and the data they read: first_data, first_data - data_step, ...
struct TapRange {
  int64_t count = 0;
  int64_t first_tap = 0;
  int64_t tap_step = 1;
  int64_t first_data = 0;
  int64_t data_step = 0;
};

TapRange TapsOf(const Axis& axis, int64_t output) {
  TapRange range;
  const Checked sum = Checked(output) + axis.pads_begin;
  // Beyond 2^63 - 1 lies nothing: the last reached position fits 64 bits, or the resolver would have refused.
  if (!sum.Valid() || sum.Value() < 0 || axis.data == 0) return range;
  const int64_t position = sum.Value();
  const int64_t common = std::gcd(axis.stride, axis.dilation);
  range.tap_step = axis.stride / common;
  range.data_step = axis.dilation / common;
  const int64_t last_tap = std::min(axis.kernel - 1, position / axis.dilation);
  int64_t tap = 0;
  while (tap <= last_tap && tap < range.tap_step && (position - axis.dilation * tap) % axis.stride != 0) ++tap;
  if (tap > last_tap || tap >= range.tap_step) return range;
  int64_t data = (position - axis.dilation * tap) / axis.stride;
  int64_t count = (last_tap - tap) / range.tap_step + 1;
  if (data >= axis.data) {
    const int64_t skip = (data - axis.data) / range.data_step + 1;
    if (skip >= count) return range;
    tap += skip * range.tap_step;
    data -= skip * range.data_step;
    count -= skip;
  }
  range.count = count;
  range.first_tap = tap;
  range.first_data = data;
  return range;
}

template <class T>
class Direct final : public Algorithm {
 public:
  explicit Direct(const Geometry& geometry) : geometry_(geometry) {
    // About 2^14 products a task: enough to outweigh the call, little enough to spread.
    const double products = static_cast<double>(geometry.taps) * static_cast<double>(geometry.in_channels) + 1.0;
    chunk_ = std::max<int64_t>(1, static_cast<int64_t>(16384.0 / products));
    chunks_ = (geometry.output_positions + chunk_ - 1) / chunk_;
  }

  const char* Target() const override { return "portable"; }
  size_t PackedBytes() const override { return geometry_.filter_bytes; }
  size_t ScratchBytes() const override { return 0; }
  int64_t TaskCount() const override { return geometry_.batch * geometry_.groups * geometry_.out_channels * chunks_; }

  bool Pack(const char* filter, char* packed) const override {
    std::memcpy(packed, filter, geometry_.filter_bytes);
    return true;  // nothing here multiplies a structural zero
  }

  void Run(const RunBuffers& buffers, int64_t task, char* /*scratch*/) const override {
    const int64_t chunk = task % chunks_;
    const int64_t channel = task / chunks_ % (geometry_.groups * geometry_.out_channels);
    const int64_t batch = task / chunks_ / (geometry_.groups * geometry_.out_channels);
    const int64_t begin = chunk * chunk_;
    const int64_t end = std::min(begin + chunk_, geometry_.output_positions);
    for (int64_t position = begin; position < end; ++position) {
      std::array<int64_t, kMaxAxes> output;
      int64_t rest = position;
      for (int a = geometry_.axis_count - 1; a >= 0; --a) {
        output[a] = rest % geometry_.axes[a].output;
        rest /= geometry_.axes[a].output;
      }
      const Compute<T> sum = Sum(buffers, batch, channel, output);
      StoreElement<T>(buffers.output,
                      batch * geometry_.output_strides.batch + channel * geometry_.output_strides.channel +
                          position * geometry_.output_strides.position,
                      Narrow<T>(sum));
    }
  }

 private:
  Compute<T> Sum(const RunBuffers& buffers, int64_t batch, int64_t channel,
                 const std::array<int64_t, kMaxAxes>& output) const {
    std::array<TapRange, kMaxAxes> ranges;
    for (int a = 0; a < geometry_.axis_count; ++a) {
      ranges[a] = TapsOf(geometry_.axes[a], output[a]);
      if (ranges[a].count == 0) return 0;
    }
    const int64_t group = channel / geometry_.out_channels;
    const int64_t data_base =
        batch * geometry_.data_strides.batch + group * geometry_.in_channels * geometry_.data_strides.channel;
    const int64_t filter_base = group * geometry_.filter_strides.group +
                                channel % geometry_.out_channels * geometry_.filter_strides.out_channel;
    std::array<int64_t, kMaxAxes> at = {};
    Compute<T> sum = 0;
    while (true) {
      int64_t data_position = 0;
      int64_t tap = 0;
      for (int a = 0; a < geometry_.axis_count; ++a) {
        const TapRange& range = ranges[a];
        data_position = data_position * geometry_.axes[a].data + range.first_data - at[a] * range.data_step;
        tap = tap * geometry_.axes[a].kernel + range.first_tap + at[a] * range.tap_step;
      }
      const int64_t data = data_base + data_position * geometry_.data_strides.position;
      const int64_t filter = filter_base + tap * geometry_.filter_strides.tap;
      for (int64_t c = 0; c < geometry_.in_channels; ++c) {
        sum += Widen(LoadElement<T>(buffers.data, data + c * geometry_.data_strides.channel)) *
               Widen(LoadElement<T>(buffers.filter, filter + c * geometry_.filter_strides.in_channel));
      }
      int a = geometry_.axis_count - 1;
      while (a >= 0 && ++at[a] == ranges[a].count) at[a--] = 0;
      if (a < 0) return sum;
    }
  }

  Geometry geometry_;
  int64_t chunk_ = 1;
  int64_t chunks_ = 0;
};

}  // namespace

std::unique_ptr<Algorithm> CreateDirect(const Geometry& geometry) {
  return VisitType(geometry.type,
                   [&]<class T>() -> std::unique_ptr<Algorithm> { return std::make_unique<Direct<T>>(geometry); });
}

}  // namespace deconv
