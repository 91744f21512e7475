// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers of the data sets, the named rules for the values of test tensors. They give the random number that belongs to
// an index, the indices of a filter element, and the sums of data set `boundaries`.

#ifndef DECONV_CONFORMANCE_CASE_DATA_SET_RULES_H_
#define DECONV_CONFORMANCE_CASE_DATA_SET_RULES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "conformance/case/data_set.h"
#include "oracle/element_type.h"
#include "oracle/resolve.h"

namespace conformance {

// The random numbers of the data sets, by the generator SplitMix64. The number for an index is computed from the seed
// and the index alone, so that elements can be computed in any order.

/// The increment of SplitMix64: 2^64 divided by the golden ratio.
inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

/// The finaliser of SplitMix64: it maps 64 bits to 64 bits, so that each bit of the result depends on all bits of `z`.
inline std::uint64_t Mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// The draws of one tensor: draw `index` depends on seed, tensor and index only.
struct Stream {
  std::uint64_t key;

  Stream(std::uint64_t seed, Tensor tensor) : key(Mix(Mix(seed + kGolden) + static_cast<std::uint64_t>(tensor) + 1)) {}
  std::uint64_t Draw(std::uint64_t index) const { return Mix(key + (index + 1) * kGolden); }
};

/// Maps a draw to [0, count), nearly uniformly: it scales the high 32 bits of the draw.
inline std::uint64_t Pick(std::uint64_t draw, std::uint64_t count) { return ((draw >> 32) * count) >> 32; }

// Computes from the flat index of a filter element its input channel, output channel and tap. Some data sets choose
// their values by these indices.

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

  /// The indices of the element at flat index `index`. Layout Xoi: index = (tap * outputs + out_channel) * all inputs +
  /// group * inputs + in_channel. Other layouts: ((group * inputs + in_channel) * outputs + out_channel) * taps + tap.
  FilterIndex Split(std::uint64_t index) const {
    if (geometry_.filter_layout == oracle::FilterLayout::kXoi) {
      const std::uint64_t channels = in_ * static_cast<std::uint64_t>(geometry_.groups);
      return {index % channels % in_, index / channels % out_, index / channels / out_};
    }
    return {index / kernel_ / out_ % in_, index / kernel_ % out_, index % kernel_};
  }

  /// A sign pattern: it differs between neighbouring input channels, and between neighbouring taps of one stride phase
  /// (their positions differ by the stride). Example with stride 2, channel 0: taps 0 to 5 give 0 0 1 1 0 0.
  bool Alternates(std::uint64_t index) const {
    const FilterIndex element = Split(index);
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
  bool InUpperHalf(std::uint64_t index) const { return 2 * Split(index).in_channel >= in_; }

 private:
  const oracle::Geometry& geometry_;
  std::uint64_t in_;          // input channels of a group
  std::uint64_t out_;         // output channels of a group
  std::uint64_t kernel_ = 1;  // taps of the kernel, over all axes
};

// The values of data set `boundaries`, which tests rounding. Each output sums two or three terms. The exact sum lies
// at, just below or just above a number where rounding to the floating type changes its result, such as half way
// between two values. conformance/case/data_sets.md documents the data set.

/// The terms of one sum, as bits of elements of the type.
struct BoundarySum {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t third = 0;  ///< zero in all sums but the last two
};

inline constexpr std::size_t kBoundarySums = 23;

/// The sums for a floating type. Sums 12 to 20, counted from 0, reach their boundaries when multiplied by the small
/// factor of BoundaryFactors, the others when multiplied by 1.
std::array<BoundarySum, kBoundarySums> BoundarySums(oracle::ElementType type);

/// The values of the data elements, as bits. They repeat along the last axis: 1, -1, s, -s, with s =
/// 2^(min_exponent+1).
inline constexpr std::size_t kBoundaryFactors = 4;
std::array<std::uint64_t, kBoundaryFactors> BoundaryFactors(oracle::ElementType type);

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DATA_SET_RULES_H_
