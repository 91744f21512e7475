// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts how many taps reach an output along an axis, by the phase of the stride that the output is in. This
// distinguishes the inner loop of an implementation from its borders.
//
// Along an axis, output o is in phase (o + pads_begin) mod stride. A phase has as many taps as there are k < K with
// dilation * k = phase (mod stride); of these the n that meet data reach the output.

#ifndef DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_
#define DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_

#include <array>
#include <cstddef>
#include <string_view>

#include "oracle/resolve.h"

namespace conformance {

enum class PhaseClass { kOnly, kFirst, kMiddle, kLast };  ///< stride 1; phase 0; 0 < phase < s - 1; phase s - 1

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

/// Phase 0 has tap 0, so that the first phase, and the only one, are never a gap.
constexpr bool Exists(PhaseClass phase, TapRegime regime) {
  return regime != TapRegime::kGap || (phase != PhaseClass::kOnly && phase != PhaseClass::kFirst);
}

class TapRegimes {
 public:
  /// Counts each axis once in every class that some output along it is in.
  void Add(const oracle::Geometry& geometry);

  std::size_t count(PhaseClass phase, TapRegime regime) const {
    return counts_[static_cast<std::size_t>(phase)][static_cast<std::size_t>(regime)];
  }
  std::size_t met() const;       ///< classes that exist and were met
  std::size_t existing() const;  ///< classes that exist
  /// Axes with more outputs times taps than are worth walking through, or with strides, dilations or pads near 2^63;
  /// not counted.
  std::size_t skipped() const { return skipped_; }

 private:
  std::array<std::array<std::size_t, kTapRegimeNames.size()>, kPhaseClassNames.size()> counts_{};
  std::size_t skipped_ = 0;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_SUITE_MEASURED_COVERAGE_TAP_REGIMES_H_
