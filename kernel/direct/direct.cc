// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The algorithm "direct": plain loops for every operator. Along each axis, output o takes every tap k for which o +
// pads_begin - dilation*k is a multiple of the stride. The quotient is the data element that the tap multiplies, and it
// must lie inside the data. These taps have equal distances. The sum runs over all combinations of these taps of the
// axes, then over the channels. Example: stride 2, dilation 1, no pads and 3 taps. Output 4 takes k = 0 with data
// element 2, and k = 2 with data element 1.
#include "kernel/direct/direct.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "kernel/base/checked.h"
#include "kernel/base/convert.h"

namespace deconv {
namespace {

// The taps of an output along one axis, and the data that they read: tap first_tap + j * tap_step reads the data
// element first_data - j * data_step.
struct TapRange {
  int64_t count = 0;
  int64_t first_tap = 0;
  int64_t first_data = 0;
};

// Returns the inverse of `value` modulo `modulus`: the number from 0 to modulus - 1 whose product with `value` is 1
// modulo `modulus`. The two numbers must have no common divisor. By the extended Euclidean algorithm, whose
// coefficients are never larger than the modulus. Example: the inverse of 3 modulo 4 is 3: 3 * 3 = 2 * 4 + 1.
int64_t InverseModulo(int64_t value, int64_t modulus) {
  int64_t remainder = modulus;
  int64_t next = value % modulus;
  int64_t coefficient = 0;
  int64_t next_coefficient = 1;
  while (next != 0) {
    const int64_t quotient = remainder / next;
    remainder = std::exchange(next, remainder - quotient * next);
    coefficient = std::exchange(next_coefficient, coefficient - quotient * next_coefficient);
  }
  return coefficient < 0 ? coefficient + modulus : coefficient;
}

// Returns a * b modulo `modulus`, for a and b from 0 to modulus - 1.
int64_t MultiplyModulo(int64_t a, int64_t b, int64_t modulus) {
  if (modulus <= int64_t{1} << 31) return a * b % modulus;
  // Multiplies bit by bit. Not every target has a type of 128 bits, and operators with such strides have few outputs
  // with taps.
  const auto m = static_cast<uint64_t>(modulus);
  uint64_t sum = 0;
  auto power = static_cast<uint64_t>(a);
  for (auto bits = static_cast<uint64_t>(b); bits != 0; bits >>= 1) {
    if ((bits & 1) != 0) sum = (sum + power) % m;
    power = power * 2 % m;
  }
  return static_cast<int64_t>(sum);
}

// Finds the taps of an output along one axis. Tap k adds to output o if o + pads_begin - dilation*k is a multiple of
// the stride. These are every tap_step-th tap, from a first tap that the inverse of data_step modulo tap_step gives.
// Example: stride 4, dilation 6, 3 taps and no pads. The greatest common divisor of 4 and 6 is 2, so tap_step is 2 and
// data_step is 3. Output 12 takes tap 0 with data element 3, and tap 2 with data element 0. Odd outputs take no tap.
class AxisTaps {
 public:
  AxisTaps() = default;
  explicit AxisTaps(const Axis& axis)
      : axis_(axis),
        common_(std::gcd(axis.stride, axis.dilation)),
        tap_step_(axis.stride / common_),
        data_step_(axis.dilation / common_),
        inverse_(InverseModulo(data_step_, tap_step_)) {}

  int64_t tap_step() const { return tap_step_; }
  int64_t data_step() const { return data_step_; }

  // Returns the taps whose data exist; no taps if `output` has none.
  TapRange FindTaps(int64_t output) const {
    const Checked sum = Checked(output) + axis_.pads_begin;
    // Behind position 2^63 - 1 there are no data: the resolver refuses operators whose last position does not fit.
    if (!sum.Valid() || sum.Value() < 0 || axis_.data == 0) return {};
    const int64_t position = sum.Value();
    if (position % common_ != 0) return {};
    int64_t tap = MultiplyModulo(position / common_ % tap_step_, inverse_, tap_step_);
    const int64_t last_tap = std::min(axis_.kernel - 1, position / axis_.dilation);
    if (tap > last_tap) return {};
    int64_t data = (position - axis_.dilation * tap) / axis_.stride;
    int64_t count = (last_tap - tap) / tap_step_ + 1;
    if (data >= axis_.data) {  // skips taps that read behind the end; the next tap reads data_step_ elements earlier
      const int64_t skip = (data - axis_.data) / data_step_ + 1;
      if (skip >= count) return {};
      tap += skip * tap_step_;
      data -= skip * data_step_;
      count -= skip;
    }
    return {count, tap, data};
  }

 private:
  Axis axis_;
  int64_t common_ = 1;
  int64_t tap_step_ = 1;
  int64_t data_step_ = 1;
  int64_t inverse_ = 0;
};

// The algorithm for elements of type T.
template <class T>
class Direct final : public Algorithm {
 public:
  explicit Direct(const Geometry& geometry) : geometry_(geometry) {
    // A task sums a chunk of outputs: about 2^14 products. A guess: they take much longer than the call of a task, and
    // leave enough tasks for threads.
    const double products = static_cast<double>(geometry.taps) * static_cast<double>(geometry.in_channels) + 1.0;
    chunk_outputs_ = std::max<int64_t>(1, static_cast<int64_t>(16384.0 / products));
    chunk_count_ = DivideUp(geometry.output_positions, chunk_outputs_);
    for (int a = 0; a < geometry.axis_count; ++a) taps_[a] = AxisTaps(geometry.axes[a]);
  }

  const char* Target() const override { return "portable"; }
  // More cycles than any estimate of the other algorithms, so "direct" is chosen only if no other algorithm fits.
  double Cycles() const override { return std::numeric_limits<double>::max(); }
  size_t PackedBytes() const override { return geometry_.filter_bytes; }
  size_t ScratchBytes() const override { return 0; }
  int64_t TaskCount(int64_t batch) const override {
    return batch * geometry_.groups * geometry_.out_channels * chunk_count_;
  }

  bool Pack(const char* filter, char* packed) const override {
    std::memcpy(packed, filter, geometry_.filter_bytes);
    return true;  // NaN and Inf in the filter need no care, because no zero of padding is multiplied here
  }

  void Run(const RunBuffers& buffers, int64_t task, char* /*scratch*/) const override {
    const int64_t chunk = task % chunk_count_;
    const int64_t channel = task / chunk_count_ % (geometry_.groups * geometry_.out_channels);
    const int64_t batch = task / chunk_count_ / (geometry_.groups * geometry_.out_channels);
    const int64_t begin = chunk * chunk_outputs_;
    const int64_t end = std::min(begin + chunk_outputs_, geometry_.output_positions);
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
  // Returns the sum of an output. `channel` counts the output channels of all groups.
  Compute<T> Sum(const RunBuffers& buffers, int64_t batch, int64_t channel,
                 const std::array<int64_t, kMaxAxes>& output) const {
    if (geometry_.in_channels == 0) return 0;  // the filter is empty, and may have more taps than can be counted
    std::array<TapRange, kMaxAxes> ranges;
    for (int a = 0; a < geometry_.axis_count; ++a) {
      ranges[a] = taps_[a].FindTaps(output[a]);
      if (ranges[a].count == 0) return 0;
    }
    const int64_t group = channel / geometry_.out_channels;
    const int64_t data_base =
        batch * geometry_.data_strides.batch + group * geometry_.in_channels * geometry_.data_strides.channel;
    const int64_t filter_base = group * geometry_.filter_strides.group +
                                channel % geometry_.out_channels * geometry_.filter_strides.out_channel;
    std::array<int64_t, kMaxAxes> current = {};  // the current tap of each axis, counted in its range
    Compute<T> sum = 0;
    while (true) {
      int64_t data_position = 0;
      int64_t tap = 0;
      for (int a = 0; a < geometry_.axis_count; ++a) {
        const TapRange& range = ranges[a];
        data_position = data_position * geometry_.axes[a].data + range.first_data - current[a] * taps_[a].data_step();
        tap = tap * geometry_.axes[a].kernel + range.first_tap + current[a] * taps_[a].tap_step();
      }
      const int64_t data = data_base + data_position * geometry_.data_strides.position;
      const int64_t filter = filter_base + tap * geometry_.filter_strides.tap;
      for (int64_t c = 0; c < geometry_.in_channels; ++c) {
        sum += Widen(LoadElement<T>(buffers.data, data + c * geometry_.data_strides.channel)) *
               Widen(LoadElement<T>(buffers.filter, filter + c * geometry_.filter_strides.in_channel));
      }
      int a = geometry_.axis_count - 1;
      while (a >= 0 && ++current[a] == ranges[a].count) current[a--] = 0;
      if (a < 0) return sum;
    }
  }

  Geometry geometry_;
  std::array<AxisTaps, kMaxAxes> taps_;
  int64_t chunk_outputs_ = 1;  // outputs of a chunk
  int64_t chunk_count_ = 0;    // chunks of a channel of a sample
};

}  // namespace

std::unique_ptr<Algorithm> CreateDirect(const Geometry& geometry, const Machine& /*machine*/) {
  return VisitType(geometry.type,
                   [&]<class T>() -> std::unique_ptr<Algorithm> { return std::make_unique<Direct<T>>(geometry); });
}

}  // namespace deconv
