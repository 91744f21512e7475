// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classifies the outputs along an axis. For each output it counts the taps (filter elements) of its phase, and how many
// of these taps meet data, with plain loops.

#include "conformance/suite/measured_coverage/tap_regimes.h"

namespace conformance {
namespace {

using Met = std::array<std::array<bool, kTapRegimeNames.size()>, kPhaseClassNames.size()>;

PhaseClass PhaseOf(std::int64_t phase, std::int64_t stride) {
  if (stride == 1) return PhaseClass::kOnly;
  if (phase == 0) return PhaseClass::kFirst;
  return phase == stride - 1 ? PhaseClass::kLast : PhaseClass::kMiddle;
}

TapRegime RegimeOf(std::int64_t taps, std::int64_t meeting) {
  if (taps == 0) return TapRegime::kGap;
  if (meeting == 0) return TapRegime::kOutside;
  if (meeting == taps) return taps == 1 ? TapRegime::kInteriorOne : TapRegime::kInteriorSeveral;
  return meeting == 1 ? TapRegime::kBorderOne : TapRegime::kBorderSeveral;
}

// Marks the phase and regime of each output of the axis.
void MarkOutputs(const oracle::Axis& axis, Met& met) {
  for (std::int64_t o = 0; o < axis.output; ++o) {
    const std::int64_t position = o + axis.pads_begin;
    const std::int64_t phase = (position % axis.stride + axis.stride) % axis.stride;
    std::int64_t taps = 0;
    std::int64_t meeting = 0;
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t distance = position - axis.dilation * k;
      if (distance % axis.stride != 0) continue;
      ++taps;
      if (distance >= 0 && distance / axis.stride < axis.data) ++meeting;
    }
    met[static_cast<std::size_t>(PhaseOf(phase, axis.stride))][static_cast<std::size_t>(RegimeOf(taps, meeting))] =
        true;
  }
}

}  // namespace

void TapRegimes::Add(const oracle::Geometry& geometry) {
  // The most outputs times taps of an axis that is counted; a layer of a network has about 10^4.
  constexpr double most_products = 1e6;
  // The sum of two such numbers still fits 64 bits.
  constexpr std::int64_t far = std::int64_t{1} << 61;
  for (const oracle::Axis& axis : geometry.axes) {
    const bool is_near = axis.stride < far && axis.pads_begin < far && axis.pads_begin > -far &&
                         (axis.kernel <= 1 || axis.dilation < far / axis.kernel);
    if (!is_near || static_cast<double>(axis.output) * static_cast<double>(axis.kernel) > most_products) {
      ++skipped_;
      continue;
    }
    Met met{};
    MarkOutputs(axis, met);
    for (std::size_t p = 0; p < met.size(); ++p) {
      for (std::size_t r = 0; r < met[p].size(); ++r) counts_[p][r] += met[p][r] ? 1 : 0;
    }
  }
}

std::size_t TapRegimes::met() const {
  std::size_t sum = 0;
  for (const auto& phase : counts_) {
    for (const std::size_t count : phase) sum += count != 0 ? 1 : 0;
  }
  return sum;
}

std::size_t TapRegimes::existing() const {
  std::size_t sum = 0;
  for (std::size_t p = 0; p < kPhaseClassNames.size(); ++p) {
    for (std::size_t r = 0; r < kTapRegimeNames.size(); ++r) {
      sum += Exists(static_cast<PhaseClass>(p), static_cast<TapRegime>(r)) ? 1 : 0;
    }
  }
  return sum;
}

}  // namespace conformance
