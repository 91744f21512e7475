// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes from the flat index of a filter element its input channel, output channel and tap. Some data sets choose
// their values by these indices.

#ifndef DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_
#define DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "oracle/resolve.h"

namespace conformance {

/// The most products that one output sums: input channels of a group times taps, at least 1. Larger results become
/// 2^40; no data set distinguishes larger numbers.
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

/// Splits flat indices of the filter of one geometry.
class FilterIndices {
 public:
  explicit FilterIndices(const oracle::Geometry& geometry)
      : geometry_(geometry),
        in_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.in_channels, 1))),
        out_(static_cast<std::uint64_t>(std::max<std::int64_t>(geometry.out_channels, 1))) {
    for (const oracle::Axis& axis : geometry.axes) kernel_ *= static_cast<std::uint64_t>(axis.kernel);
  }

  /// The number of products of an output whose taps all meet data: input channels of a group times kernel positions.
  std::uint64_t terms() const { return in_ * kernel_; }
  /// The position of an element among these products: 0 to terms() - 1.
  std::uint64_t Term(const FilterIndex& element) const { return element.in_channel * kernel_ + element.tap; }

  FilterIndex Of(std::uint64_t index) const {
    if (geometry_.filter_layout == oracle::FilterLayout::kXoi) {
      const std::uint64_t channels = in_ * static_cast<std::uint64_t>(geometry_.groups);
      return {index % channels % in_, index / channels % out_, index / channels / out_};
    }
    return {index / kernel_ / out_ % in_, index / kernel_ % out_, index % kernel_};
  }

  /// A sign pattern: it differs between neighbouring input channels, and between neighbouring taps of one stride phase
  /// (their positions differ by the stride). Example with stride 2, channel 0: taps 0 to 5 give 0 0 1 1 0 0.
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

  /// Whether the element's input channel is in the upper half of its group.
  bool InUpperHalf(std::uint64_t index) const { return 2 * Of(index).in_channel >= in_; }

 private:
  const oracle::Geometry& geometry_;
  std::uint64_t in_;
  std::uint64_t out_;
  std::uint64_t kernel_ = 1;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_FILTER_INDICES_H_
