// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The indices of a filter's elements: input channel, output channel and tap, for data sets whose values depend on them.

#ifndef DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_
#define DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "oracle/resolve.h"

namespace conformance {

/// The most products that an output can sum, at least 1. Beyond 2^40 it stays there: no data set depends on more.
inline std::uint64_t TapsOf(const oracle::Geometry& geometry) {
  constexpr std::uint64_t many = std::uint64_t{1} << 40;
  std::uint64_t taps = 1;
  const auto multiply = [&](std::int64_t factor) {
    const std::uint64_t f = std::max<std::uint64_t>(static_cast<std::uint64_t>(factor), 1);
    taps = f > many / taps ? many : taps * f;
  };
  multiply(geometry.in_channels);
  for (const oracle::Axis& axis : geometry.axes) multiply(axis.kernel);
  return taps;
}

struct FilterIndex {
  std::uint64_t in_channel;   ///< within its group
  std::uint64_t out_channel;  ///< within its group
  std::uint64_t tap;          ///< flat position in the kernel
};

/// Finds the indices of an element, for values that depend on them.
class FilterIndices {
 public:
  explicit FilterIndices(const oracle::Geometry& geometry)
      : geometry_(geometry),
        in_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.in_channels, 1))),
        out_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.out_channels, 1))) {
    for (const oracle::Axis& axis : geometry.axes) kernel_ *= static_cast<std::uint64_t>(axis.kernel);
  }

  /// Products of an output that all of its group's taps reach.
  std::uint64_t terms() const { return in_ * kernel_; }
  /// The term to which an element belongs.
  std::uint64_t Term(const FilterIndex& element) const { return element.in_channel * kernel_ + element.tap; }

  FilterIndex Of(std::uint64_t index) const {
    if (geometry_.filter_layout == oracle::FilterLayout::kXoi) {
      const std::uint64_t channels = in_ * static_cast<std::uint64_t>(geometry_.groups);
      return {index % channels % in_, index / channels % out_, index / channels / out_};
    }
    return {index / kernel_ / out_ % in_, index / kernel_ % out_, index % kernel_};
  }

  /// Neighbouring channels, and neighbouring taps of one stride phase, alternate.
  bool Alternates(std::uint64_t index) const {
    const FilterIndex element = Of(index);
    std::uint64_t ordinal = element.in_channel;
    std::uint64_t tap = element.tap;
    for (std::size_t j = geometry_.axes.size(); j-- > 0;) {
      const auto size = static_cast<std::uint64_t>(geometry_.axes[j].kernel);
      ordinal += tap % size / static_cast<std::uint64_t>(geometry_.axes[j].stride);
      tap /= size;
    }
    return ordinal % 2 != 0;
  }

  /// The upper half of a group's input channels.
  bool InUpperHalf(std::uint64_t index) const { return 2 * Of(index).in_channel >= in_; }

 private:
  const oracle::Geometry& geometry_;
  std::uint64_t in_;
  std::uint64_t out_;
  std::uint64_t kernel_ = 1;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_
