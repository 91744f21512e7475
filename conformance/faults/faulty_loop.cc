// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// See faulty_loop.h. A fault must not read or write outside the buffers unless that is the fault, so every place is
// brought back into its tensor before it is used.

#include "conformance/faults/faulty_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/faults/number.h"

namespace conformance::faults {
namespace {

// How sums of a type are kept. f16, bf16 and f32 add up in f32, f64 in f64, integers modulo 2^64.
struct InFloat {
  using Sum = float;
  static Sum Load(std::int32_t type, const unsigned char* at) { return LoadFloat(type, at); }
  static Sum Rounded(const Hooks& hooks, std::int32_t type, Sum sum) {
    return hooks.rounds == nullptr ? sum : hooks.rounds(type, sum);
  }
  static void Store(const Hooks& hooks, std::int32_t type, Sum sum, unsigned char* at) {
    StoreFloat(type, hooks.stores == nullptr ? sum : hooks.stores(type, sum), at);
  }
};

struct InDouble {
  using Sum = double;
  static Sum Load(std::int32_t type, const unsigned char* at) { return LoadDouble(type, at); }
  static Sum Rounded(const Hooks& /*hooks*/, std::int32_t /*type*/, Sum sum) { return sum; }
  static void Store(const Hooks& /*hooks*/, std::int32_t type, Sum sum, unsigned char* at) {
    StoreDouble(type, sum, at);
  }
};

struct InInteger {
  using Sum = std::uint64_t;
  static Sum Load(std::int32_t type, const unsigned char* at) { return LoadInteger(type, at); }
  static Sum Rounded(const Hooks& /*hooks*/, std::int32_t /*type*/, Sum sum) { return sum; }
  static void Store(const Hooks& hooks, std::int32_t type, Sum sum, unsigned char* at) {
    StoreInteger(type, hooks.stores_integer == nullptr ? sum : hooks.stores_integer(type, sum), at);
  }
};

// Integers whose products and sums are f32: what an implementation without integer arithmetic does.
struct IntegersInFloat {
  using Sum = float;
  static Sum Load(std::int32_t type, const unsigned char* at) {
    const std::uint64_t value = LoadInteger(type, at);
    return IsSignedInteger(type) ? static_cast<float>(static_cast<std::int64_t>(value)) : static_cast<float>(value);
  }
  static Sum Rounded(const Hooks& /*hooks*/, std::int32_t /*type*/, Sum sum) { return sum; }
  static void Store(const Hooks& /*hooks*/, std::int32_t type, Sum sum, unsigned char* at) {
    // Within what both a double and the conversion can hold; beyond 2^62 nothing of the value is left anyway.
    constexpr float kLimit = 4.6e18F;
    const float limited = std::clamp(sum, -kLimit, kLimit);
    StoreInteger(type, static_cast<std::uint64_t>(static_cast<std::int64_t>(limited)), at);
  }
};

template <typename Arithmetic>
class Loop {
 public:
  using Sum = typename Arithmetic::Sum;

  Loop(const Plan& layout, const Plan& values, const Hooks& hooks, const unsigned char* data,
       const unsigned char* filter, unsigned char* output)
      : layout_(layout),
        plan_(values),
        hooks_(hooks),
        output_(output),
        bytes_(static_cast<std::int64_t>(BytesOf(layout.type))),
        data_count_(layout.DataCount()),
        filter_count_(layout.FilterCount()),
        output_count_(layout.OutputCount()),
        plain_(hooks.data_place == nullptr && hooks.filter_place == nullptr && hooks.drops == nullptr) {
    Decode(data, data_count_, data_);
    Decode(filter, filter_count_, filter_);
    data_step_ = plan_.DataOffset({.channel = 1});
    filter_step_ = plan_.FilterOffset({.in_channel = 1});
  }

  void Run() {
    Place place;
    for (place.batch = 0; place.batch < plan_.batch; ++place.batch) {
      for (place.group = 0; place.group < plan_.groups; ++place.group) {
        for (place.channel = 0; place.channel < plan_.out_channels; ++place.channel) VisitOutputs(0, place);
      }
    }
  }

 private:
  void Decode(const unsigned char* from, std::int64_t count, std::vector<Sum>& to) {
    to.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      to[static_cast<std::size_t>(i)] = Arithmetic::Load(layout_.type, from + i * bytes_);
    }
  }

  void VisitOutputs(std::size_t j, Place& place) {
    if (j == plan_.axes.size()) {
      Finish(place);
      return;
    }
    for (place.position[j] = 0; place.position[j] < plan_.axes[j].output; ++place.position[j]) {
      VisitOutputs(j + 1, place);
    }
  }

  void Finish(const Place& place) {
    Place stored = place;
    if (hooks_.output_place != nullptr) hooks_.output_place(layout_, stored);
    const std::int64_t index = Inside(plan_.OutputOffset(stored), output_count_);
    unsigned char* const at = output_ + index * bytes_;
    sum_ = hooks_.starts_from_output ? Arithmetic::Load(layout_.type, at) : Sum{0};
    taps_ = 0;
    data_place_ = {.batch = place.batch, .group = place.group};
    filter_place_ = {.group = place.group, .out_channel = place.channel};
    const bool zero = hooks_.zeroes != nullptr && hooks_.zeroes(plan_, place);
    // Without data or filter there is no product, however large the kernel that has no elements.
    if (!zero && data_count_ > 0 && filter_count_ > 0) VisitTaps(0, place, true);
    if (hooks_.leaves != nullptr && hooks_.leaves(plan_, place, taps_)) return;
    Arithmetic::Store(hooks_, layout_.type, sum_, at);
  }

  // `reached`: so far the taps meet data elements, not gaps of the stride.
  void VisitTaps(std::size_t j, const Place& output, bool reached) {
    if (j == plan_.axes.size()) {
      AddChannels(reached);
      return;
    }
    const PlannedAxis& axis = plan_.axes[j];
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t from = output.position[j] + axis.pad_begin - axis.dilation * k;
      if (from < 0) break;
      const std::int64_t i = from / axis.stride;
      if (i >= axis.data) continue;
      const bool gap = from % axis.stride != 0;
      if (gap && !hooks_.multiplies_gaps) continue;
      data_place_.position[j] = i;
      filter_place_.tap[j] = k;
      VisitTaps(j + 1, output, reached && !gap);
    }
  }

  void AddChannels(bool reached) {
    if (plain_ && AddChannelsInPlace(reached)) return;
    for (std::int64_t c = 0; c < plan_.in_channels; ++c) {
      data_place_.channel = c;
      filter_place_.in_channel = c;
      Add(reached);
    }
  }

  // The same sum where no product is bent: equal steps through data and filter. False if they would leave the tensors.
  bool AddChannelsInPlace(bool reached) {
    data_place_.channel = 0;
    filter_place_.in_channel = 0;
    const std::int64_t from = plan_.DataOffset(data_place_);
    const std::int64_t tap = plan_.FilterOffset(filter_place_);
    const std::int64_t last = plan_.in_channels - 1;
    if (from < 0 || from + last * data_step_ >= data_count_ || tap < 0 || tap + last * filter_step_ >= filter_count_) {
      return false;
    }
    const Sum* x = data_.data() + from;
    const Sum* w = filter_.data() + tap;
    Sum sum = sum_;
    for (std::int64_t c = 0; c <= last; ++c) {
      const Sum product = (reached ? x[c * data_step_] : Sum{0}) * w[c * filter_step_];
      sum = Arithmetic::Rounded(hooks_, layout_.type, sum + product);
    }
    sum_ = sum;
    taps_ += plan_.in_channels;
    return true;
  }

  void Add(bool reached) {
    if (hooks_.drops != nullptr && hooks_.drops(plan_, filter_place_)) return;
    Place from = data_place_;
    FilterPlace tap = filter_place_;
    if (hooks_.data_place != nullptr) hooks_.data_place(plan_, from);
    if (hooks_.filter_place != nullptr) hooks_.filter_place(plan_, tap);
    const auto x = static_cast<std::size_t>(Inside(plan_.DataOffset(from), data_count_));
    const auto w = static_cast<std::size_t>(Inside(plan_.FilterOffset(tap), filter_count_));
    const Sum product = (reached ? data_[x] : Sum{0}) * filter_[w];
    sum_ = Arithmetic::Rounded(hooks_, layout_.type, sum_ + product);
    ++taps_;
  }

  static std::int64_t Inside(std::int64_t offset, std::int64_t count) {
    const std::int64_t rest = offset % count;
    return rest < 0 ? rest + count : rest;
  }

  const Plan& layout_;
  const Plan& plan_;
  const Hooks& hooks_;
  unsigned char* const output_;
  const std::int64_t bytes_;
  const std::int64_t data_count_;
  const std::int64_t filter_count_;
  const std::int64_t output_count_;
  const bool plain_;            // no hook moves or drops a product
  std::int64_t data_step_ = 0;  // from one channel to the next
  std::int64_t filter_step_ = 0;
  std::vector<Sum> data_;
  std::vector<Sum> filter_;

  // The output at hand.
  Sum sum_ = 0;
  std::int64_t taps_ = 0;
  Place data_place_;
  FilterPlace filter_place_;
};

}  // namespace

void Compute(const Plan& layout, const Plan& values, const Hooks& hooks, const unsigned char* data,
             const unsigned char* filter, unsigned char* output) {
  if (layout.OutputCount() == 0) return;
  if (layout.type == DECONV_ID_F64) {
    Loop<InDouble>(layout, values, hooks, data, filter, output).Run();
  } else if (IsFloating(layout.type)) {
    Loop<InFloat>(layout, values, hooks, data, filter, output).Run();
  } else if (hooks.integers_as_floats) {
    Loop<IntegersInFloat>(layout, values, hooks, data, filter, output).Run();
  } else {
    Loop<InInteger>(layout, values, hooks, data, filter, output).Run();
  }
}

}  // namespace conformance::faults
