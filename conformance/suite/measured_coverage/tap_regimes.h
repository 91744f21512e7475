// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Classifies the outputs along an axis by their phase and by how many taps of the phase meet data. A tap is one element
// of the filter; a phase is the outputs whose positions are equal modulo the stride. An implementation has an inner
// loop for outputs with all taps, and other code for its borders. The counts show whether cases test both.
//
// Along an axis, output o is in phase (o + pads_begin) mod stride. The taps of a phase are the k < K with
// dilation * k = phase (mod stride). A tap meets data if (o + pads_begin - dilation * k) / stride is a data index.
// Example: 3 data, kernel 3, stride 2 give 7 outputs. Phase 0 has taps 0 and 2; its outputs 0, 2, 4, 6 have 1, 2, 2, 1
// taps that meet data: border, interior, interior, border. Phase 1 has tap 1 alone: interior-one.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "oracle/resolve.h"

namespace conformance {

enum class PhaseClass {
  kOnly,    ///< stride 1
  kFirst,   ///< phase 0
  kMiddle,  ///< 0 < phase < stride - 1
  kLast     ///< phase stride - 1
};

/// How many taps of the phase meet data.
enum class TapRegime {
  kGap,              ///< the phase has no taps
  kOutside,          ///< the phase has taps, and none meets data
  kBorderOne,        ///< one of several meets data
  kBorderSeveral,    ///< several, and not all
  kInteriorOne,      ///< the only one
  kInteriorSeveral,  ///< all of several
};

inline constexpr std::array<std::string_view, 4> kPhaseClassNames = {"stride-1", "first", "middle", "last"};
inline constexpr std::array<std::string_view, 6> kTapRegimeNames = {
    "gap", "outside", "border-one", "border-several", "interior-one", "interior-several"};

/// Whether some output has this phase and regime. Phase 0 always has tap 0, so that it is never a gap.
constexpr bool Exists(PhaseClass phase, TapRegime regime) {
  return regime != TapRegime::kGap || (phase != PhaseClass::kOnly && phase != PhaseClass::kFirst);
}

/// Counts the phases and regimes of many operators.
class TapRegimes {
 public:
  /// For each axis of the geometry, adds 1 to each (phase, regime) that some output along this axis has.
  void Add(const oracle::Geometry& geometry);

  std::size_t count(PhaseClass phase, TapRegime regime) const {
    return counts_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(regime)];
  }
  std::size_t met() const;       ///< number of (phase, regime) with a count above 0
  std::size_t existing() const;  ///< number of (phase, regime) that exist
  /// Axes that were not counted: outputs times taps take too long, or strides, dilations or pads are near 2^63.
  std::size_t skipped() const { return skipped_; }

 private:
  std::array<std::array<std::size_t, kTapRegimeNames.size()>, kPhaseClassNames.size()> counts_{};
  std::size_t skipped_ = 0;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_
