// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The position of each decision in an encoded case, for callers that change one decision and keep the others.

#ifndef DECONV_FUZZ_CODEC_SLOTS_H_
#define DECONV_FUZZ_CODEC_SLOTS_H_

#include <cstddef>
#include <cstdint>

namespace conformance::codec {

/// Positions of the bytes, as codec.h lists them.
enum Slot : std::size_t {
  kMeaning,
  kType,
  kRank,
  kBatch,
  kGroups,
  kInChannels,
  kOutChannels,
  kAutoPad,
  kShapeForm,
  kShapeType,
  kAbsent,
  kOwnAttributes,
  kForeignAttributes,
  kValues,
  kSeedLow,
  kSeedHigh,
  kSpoil,
  kSpoilPlace,
  kSpoilValue,
  kOverrides,
  kFirstAxis,
};
enum AxisSlot : std::size_t {
  kDataSize,
  kKernelSize,
  kStride,
  kDilation,
  kPadBegin,
  kPadEnd,
  kOutputPadding,
  kOutputDelta,
  kAxisBytes,
};
inline constexpr std::size_t kMostAxes = 8;
inline constexpr std::size_t kRecipeBytes = kFirstAxis + kMostAxes * kAxisBytes;

/// From these values of their slots on, something is wrong with the case, and fields are overridden.
inline constexpr std::uint8_t kFirstSpoil = 184;
inline constexpr std::uint8_t kFirstOverride = 240;
/// Of the slot kAbsent: which are absent, as below it, and the case may be larger than others.
inline constexpr std::uint8_t kFirstAbsent = 160;
inline constexpr std::uint8_t kFirstLarge = 224;
inline constexpr std::uint8_t kToLarge = kFirstLarge - kFirstAbsent;

}  // namespace conformance::codec

#endif  // DECONV_FUZZ_CODEC_SLOTS_H_
