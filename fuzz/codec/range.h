// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers that one byte of an encoded case can stand for: 240 bytes share the common numbers, 16 the rare ones.
// Byte 0 stands for the first number. Rare sizes lie around vector widths and powers of two; the largest data size is
// beyond 2048, from where f16 skips integers.

#ifndef DECONV_FUZZ_CODEC_RANGE_H_
#define DECONV_FUZZ_CODEC_RANGE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace conformance::codec {

struct Range {
  static constexpr std::size_t kFirstRare = 240;
  static constexpr std::size_t kMostCommon = 14;

  std::size_t count;  ///< of the common ones
  std::array<std::int64_t, kMostCommon> common;
  std::array<std::int64_t, 256 - kFirstRare> rare;

  constexpr std::int64_t At(std::uint8_t byte) const {
    return byte < kFirstRare ? common[byte % count] : rare[byte - kFirstRare];
  }
  /// The lowest byte for `value`; 0 if it is not among the numbers.
  constexpr std::uint8_t ByteOf(std::int64_t value) const {
    const auto* const end = common.begin() + count;
    if (const auto* found = std::find(common.begin(), end, value); found != end) {
      return static_cast<std::uint8_t>(found - common.begin());
    }
    const auto* found = std::ranges::find(rare, value);
    return found == rare.end() ? 0 : static_cast<std::uint8_t>(kFirstRare + (found - rare.begin()));
  }
  /// The largest number up to `limit`, which is not below the smallest.
  constexpr std::int64_t AtMost(std::int64_t limit) const {
    std::int64_t best = 0;
    bool found = false;
    for (std::size_t i = 0; i < count + rare.size(); ++i) {
      const std::int64_t value = i < count ? common[i] : rare[i - count];
      if (value > limit || (found && value <= best)) continue;
      best = value;
      found = true;
    }
    return best;
  }
};

inline constexpr Range kBatches = {5, {1, 2, 1, 3, 1}, {0, 0, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 1, 1}};
inline constexpr Range kGroupCounts = {
    8, {1, 1, 1, 2, 1, 3, 4, 5}, {6, 7, 8, 9, 10, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65}};
inline constexpr Range kChannels = {
    6, {1, 2, 3, 4, 5, 6}, {0, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 257, 63, 64, 65}};
inline constexpr Range kDataSizes = {
    8, {1, 2, 3, 4, 5, 6, 7, 8}, {0, 9, 10, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 257, 1025, 4099}};
inline constexpr Range kKernelSizes = {
    6, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 64, 65}};
inline constexpr Range kStrides = {5, {1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 12, 15, 16, 17, 31, 32, 33, 64, 100, 128, 255}};
inline constexpr Range kDilations = {4, {1, 2, 3, 4}, {5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 31, 32, 64, 100, 255, 1000}};
inline constexpr Range kPads = {6, {0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 20, 31, 32, 64, 100, 255}};
inline constexpr Range kOutputPaddings = {
    5, {0, 1, 2, 3, 4}, {5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 20, 31, 32, 64, 100, 255}};
inline constexpr Range kDeltas = {14,
                                  {0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7},
                                  {7, -8, 8, -9, 9, -12, 12, -16, 16, -17, 17, -31, 31, -64, 64, 100}};

}  // namespace conformance::codec

#endif  // DECONV_FUZZ_CODEC_RANGE_H_
