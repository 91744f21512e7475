// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the features of one spatial axis that are about taps (elements of the filter): which taps multiply which
// data elements, in which phases of the stride, and whether stride, dilation and crop change this. Outputs whose
// positions are equal modulo the stride are a phase.

#include <algorithm>
#include <array>
#include <cstdint>

#include "conformance/diagnosis/conditions/axis_taps.h"
#include "conformance/diagnosis/conditions/feature_sink.h"

namespace conformance {
namespace {

// Longer axes get no features of taps, because the features of thousands of cases are computed.
constexpr std::int64_t kMostSteps = 1 << 14;
// Sizes of the blocks in which backends process an axis.
constexpr std::array<std::int64_t, 4> kBlocks = {4, 8, 16, 32};

bool IsCounted(const oracle::Axis& axis) {
  return axis.output > 0 && axis.output <= kMostSteps && axis.kernel <= kMostSteps &&
         axis.output * axis.kernel <= kMostSteps;
}

/// Whether some tap multiplies different data elements in the two axes, at some output position.
bool Differ(const oracle::Axis& axis, const oracle::Axis& other) {
  for (std::int64_t position = 0; position < axis.output; ++position) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      if (DataElementAt(axis, position, tap) != DataElementAt(other, position, tap)) return true;
    }
  }
  return false;
}

struct Taps {
  std::int64_t products = 0;
  std::int64_t least = kNoValue;  ///< fewest taps that multiply data at a position
  std::int64_t most = kNoValue;
  std::int64_t first = kNoValue;
  std::int64_t last = kNoValue;
  std::int64_t first_tap = kNoValue;  ///< first tap that multiplies a data element
  std::int64_t last_tap = kNoValue;
  std::int64_t first_data = kNoValue;
  std::int64_t last_data = kNoValue;
  std::int64_t first_output = kNoValue;  ///< first output to which a tap contributes
  std::int64_t last_output = kNoValue;
  bool other_phase = false;  ///< a product lies in another phase than the first output of the uncropped axis
  bool first_data_in_other_phase = false;
  bool last_data_in_other_phase = false;
  bool off_middle = false;  ///< a tap other than the middle one multiplies data
  bool two_phases = false;

  void Observe(const oracle::Axis& axis, std::int64_t position, std::int64_t tap, std::int64_t data) {
    const auto widen = [](std::int64_t& low, std::int64_t& high, std::int64_t value) {
      low = low == kNoValue ? value : std::min(low, value);
      high = std::max(high, value);
    };
    widen(first_tap, last_tap, tap);
    widen(first_data, last_data, data);
    widen(first_output, last_output, position);
    const std::int64_t phase = (position + axis.pads_begin) % axis.stride;
    two_phases = two_phases || (products > 0 && phase != phase_);
    phase_ = phase;
    other_phase = other_phase || phase != 0;
    first_data_in_other_phase = first_data_in_other_phase || (phase != 0 && data == 0);
    last_data_in_other_phase = last_data_in_other_phase || (phase != 0 && data == axis.data - 1);
    off_middle = off_middle || 2 * tap != axis.kernel - 1;
    ++products;
  }

 private:
  std::int64_t phase_ = 0;
};

Taps TapsOf(const oracle::Axis& axis) {
  Taps taps;
  for (std::int64_t position = 0; position < axis.output; ++position) {
    const std::int64_t before = taps.products;
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const std::int64_t data = DataElementAt(axis, position, tap);
      if (data >= 0) taps.Observe(axis, position, tap, data);
    }
    const std::int64_t count = taps.products - before;
    taps.least = position == 0 ? count : std::min(taps.least, count);
    taps.most = std::max(taps.most, count);
    if (position == 0) taps.first = count;
    taps.last = count;
  }
  return taps;
}

}  // namespace

bool TapsOverlap(const oracle::Axis& axis) {
  if (!IsCounted(axis)) return axis.output > 0 && axis.kernel > 0 && axis.data > 0;
  for (std::int64_t position = 0; position < axis.output; ++position) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      if (DataElementAt(axis, position, tap) >= 0) return true;
    }
  }
  return false;
}

void CollectTaps(const oracle::Axis& resolved, bool others_overlap, FeatureSink& sink) {
  const bool counted = IsCounted(resolved);
  const Taps taps = counted ? TapsOf(resolved) : Taps();
  sink.Flag("a position meets no tap", taps.least == 0, 1.02);
  sink.Number("most taps that meet at a position", taps.most, 1.05);
  sink.Number("taps that meet at the first position", taps.first, 1.1);
  sink.Number("taps that meet at the last position", taps.last, 1.1);
  // The features below need products. An output has a product only if taps overlap data on all other axes too.
  const bool has_products = counted && others_overlap && taps.products > 0;
  const auto few = [&](const char* name, std::int64_t value, double cost = 1.12) {
    sink.Few(name, has_products ? value : kNoValue, cost);
  };
  const auto flag = [&](const char* name, bool value, double cost = 1.07) {
    sink.Flag(name, has_products && value, cost);
  };
  few("number of the first tap that is used", taps.first_tap);
  few("number of the last tap that is used", taps.last_tap);
  few("number of the last data element that is used", taps.last_data);
  few("number of outputs before the first that a tap reaches", taps.first_output);
  few("number of outputs after the last that a tap reaches",
      has_products ? resolved.output - 1 - taps.last_output : kNoValue);
  few("output size modulo stride", counted ? resolved.output % resolved.stride : kNoValue);
  few("resolved pads_begin modulo stride",
      counted ? ((resolved.pads_begin % resolved.stride) + resolved.stride) % resolved.stride : kNoValue);
  flag("a tap is not used", has_products && (taps.first_tap > 0 || taps.last_tap < resolved.kernel - 1));
  flag("a data element is not used", has_products && (taps.first_data > 0 || taps.last_data < resolved.data - 1));
  flag("the first data element is used", taps.first_data == 0, 1.1);
  flag("the last data element is used", has_products && taps.last_data == resolved.data - 1, 1.1);
  flag("a tap other than the middle one is used", taps.off_middle);
  flag("taps are used in two phases of the stride", taps.two_phases);
  flag("a tap is used in a later phase of the stride", taps.other_phase);
  flag("the first data element is used in a later phase of the stride", taps.first_data_in_other_phase, 1.1);
  flag("the last data element is used in a later phase of the stride", taps.last_data_in_other_phase, 1.1);
  const auto differs = [&](const auto& change) {
    if (!has_products) return false;
    oracle::Axis other = resolved;
    change(other);
    return Differ(resolved, other);
  };
  flag("the dilation decides a product", differs([](oracle::Axis& other) { other.dilation = 1; }), 1.04);
  flag("the stride decides a product", differs([](oracle::Axis& other) { other.stride = 1; }), 1.04);
  flag("the crop at the beginning decides a product", differs([](oracle::Axis& other) { other.pads_begin = 0; }), 1.06);
  constexpr std::array kNames = {"a tap reaches an output past the last full block of 4",
                                 "a tap reaches an output past the last full block of 8",
                                 "a tap reaches an output past the last full block of 16",
                                 "a tap reaches an output past the last full block of 32"};
  for (std::size_t b = 0; b < kBlocks.size(); ++b) {
    flag(kNames[b], has_products && IsPastLastBlock(taps.last_output, resolved.output, kBlocks[b]), 1.12);
  }
}

}  // namespace conformance
