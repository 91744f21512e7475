// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The random numbers of the data sets, by the generator SplitMix64. The number for an index is computed from the seed
// and the index alone, so that elements can be computed in any order.

#ifndef DECONV_CONFORMANCE_CASE_DATA_SET_STREAM_H_
#define DECONV_CONFORMANCE_CASE_DATA_SET_STREAM_H_

#include <cstdint>

#include "conformance/case/data_set.h"

namespace conformance {

/// The increment and the finaliser of SplitMix64.
inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;

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

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_CASE_DATA_SET_STREAM_H_
