// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the mutations. Every byte of the recipe is one decision, so that a change of a case is a change of few
// bytes; the decoder adjusts what does not fit together.

#include "fuzz/cases/case_mutator.h"

#include <algorithm>

#include "fuzz/codec/slots.h"

namespace fuzz {
namespace {

using conformance::codec::kAbsent;
using conformance::codec::kAxisBytes;
using conformance::codec::kFirstAxis;
using conformance::codec::kFirstLarge;
using conformance::codec::kFirstOverride;
using conformance::codec::kFirstSpoil;
using conformance::codec::kMostAxes;
using conformance::codec::kOverrides;
using conformance::codec::kRecipeBytes;
using conformance::codec::kSpoil;
using conformance::codec::kSpoilPlace;
using conformance::codec::kSpoilValue;
using conformance::codec::kToLarge;

bool IsInvalid(std::span<const std::uint8_t> bytes) { return bytes[kSpoil] >= kFirstSpoil; }

std::span<std::uint8_t> AxisOf(std::span<std::uint8_t> bytes, std::size_t axis) {
  return bytes.subspan(kFirstAxis + axis * kAxisBytes, kAxisBytes);
}

// Where the recipe ends if it does not say that overrides follow.
std::size_t SizeOf(std::span<const std::uint8_t> bytes, std::size_t size) {
  return bytes[kOverrides] < kFirstOverride ? kRecipeBytes : std::max(size, kRecipeBytes);
}

}  // namespace

// The generator's first numbers follow its seed: neighbouring ones would begin alike.
CaseMutator::CaseMutator(std::uint32_t seed) : random_((seed ^ (seed >> 16)) * 0x9E3779B1U) { random_.discard(4); }

std::size_t CaseMutator::LeastRoom() { return kRecipeBytes; }

// Few cases have many axes: a slot of the first two is worth most.
std::size_t CaseMutator::SomeAxis() {
  const std::size_t draw = Below(16);
  if (draw < 7) return 0;
  if (draw < 13) return 1;
  return draw < 15 ? 2 : Below(kMostAxes);
}

// A decision that counts in such a case: what is wrong with it and where only in an invalid one, what is overridden in
// none.
std::size_t CaseMutator::SomeSlot(bool invalid) {
  if (invalid && OneIn(3)) return kSpoil + Below(kSpoilValue - kSpoil + 1);
  if (OneIn(2)) return kFirstAxis + SomeAxis() * kAxisBytes + Below(kAxisBytes);
  return Below(kSpoil);
}

void CaseMutator::SetSlots(std::span<std::uint8_t> bytes) {
  const bool invalid = IsInvalid(bytes);
  // One most often, seldom six: what it takes several decisions to meet is not far either.
  std::size_t left = 1;
  while (left < 6 && OneIn(2)) ++left;
  for (; left != 0; --left) {
    const std::size_t slot = SomeSlot(invalid);
    bytes[slot] = Byte();
    if (slot == kSpoil) SetValidity(bytes, invalid);
  }
}

// To the neighbour: sizes that lie side by side lie so in the tables of numbers too.
void CaseMutator::StepSlot(std::span<std::uint8_t> bytes) {
  const bool invalid = IsInvalid(bytes);
  const std::size_t slot = SomeSlot(invalid);
  bytes[slot] = static_cast<std::uint8_t>(OneIn(2) ? bytes[slot] + 1 : bytes[slot] - 1);
  if (slot == kSpoil) SetValidity(bytes, invalid);
}

// Towards the plainest case.
void CaseMutator::ClearSlots(std::span<std::uint8_t> bytes) {
  const bool invalid = IsInvalid(bytes);
  for (std::size_t left = 1 + Below(4); left != 0; --left) {
    const std::size_t slot = SomeSlot(false);
    bytes[slot] = 0;
  }
  SetValidity(bytes, invalid);
}

void CaseMutator::MoveAxis(std::span<std::uint8_t> bytes) {
  const auto from = AxisOf(bytes, SomeAxis());
  const auto to = AxisOf(bytes, SomeAxis());
  if (OneIn(2)) {
    std::ranges::swap_ranges(from, to);
  } else {
    std::ranges::copy(std::vector(from.begin(), from.end()), to.begin());
  }
}

void CaseMutator::DrawAnew(std::span<std::uint8_t> bytes, bool invalid) {
  std::ranges::generate(bytes.first(kRecipeBytes), [this] { return Byte(); });
  bytes[kOverrides] = 0;
  if (bytes[kAbsent] >= kFirstLarge && !OneIn(4)) bytes[kAbsent] -= kToLarge;  // a large case takes the time of several
  SetValidity(bytes, invalid);
}

void CaseMutator::SetValidity(std::span<std::uint8_t> bytes, bool invalid) {
  if (IsInvalid(bytes) == invalid) return;
  bytes[kSpoil] = static_cast<std::uint8_t>(invalid ? kFirstSpoil + Below(256 - kFirstSpoil) : Below(kFirstSpoil));
  if (!invalid) return;
  bytes[kSpoilPlace] = Byte();
  bytes[kSpoilValue] = Byte();
}

// One more field is replaced by numbers that no table holds: small ones, and those around the ends of the types.
std::size_t CaseMutator::Override(std::span<std::uint8_t> bytes, std::size_t size) {
  constexpr std::uint8_t kMost = 255;
  const std::size_t count = 1 + Below(3);
  const std::size_t needed = 2 + 8 * count;
  size = SizeOf(bytes, size);
  if (bytes.size() - size < needed || bytes[kOverrides] == kMost) return size;
  bytes[kOverrides] = std::max<std::uint8_t>(static_cast<std::uint8_t>(bytes[kOverrides] + 1), kFirstOverride + 1);
  bytes[size++] = Byte();
  bytes[size++] = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t shift = Below(64);
    const std::uint64_t power = OneIn(2) ? 0 : std::uint64_t{1} << shift;
    const std::uint64_t number = power + Below(7) - 3;
    for (std::size_t j = 0; j < 8; ++j) bytes[size++] = static_cast<std::uint8_t>(number >> (8 * j));
  }
  return size;
}

std::size_t CaseMutator::Mutate(std::span<std::uint8_t> bytes, std::size_t size) {
  std::ranges::fill(bytes.subspan(size), std::uint8_t{0});
  size = std::max(size, kRecipeBytes);
  const std::size_t draw = Below(32);
  if (draw < 9) {
    SetSlots(bytes);
  } else if (draw < 11) {
    StepSlot(bytes);
  } else if (draw < 13) {
    ClearSlots(bytes);
  } else if (draw < 15) {
    MoveAxis(bytes);
  } else if (draw < 30) {
    // Nearly half: planted faults are found in fewer executions than with a quarter (campaigns.md).
    DrawAnew(bytes, OneIn(4));
  } else if (draw < 31) {
    SetValidity(bytes, !IsInvalid(bytes));
  } else {
    return Override(bytes, size);
  }
  return SizeOf(bytes, size);
}

std::size_t CaseMutator::CrossOver(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                                   std::span<std::uint8_t> child) {
  const auto at = [](std::span<const std::uint8_t> bytes, std::size_t slot) {
    return slot < bytes.size() ? bytes[slot] : std::uint8_t{0};
  };
  const bool invalid = at(one, kSpoil) >= kFirstSpoil;
  for (std::size_t slot = 0; slot < kFirstAxis; ++slot) child[slot] = at(OneIn(2) ? one : other, slot);
  for (std::size_t axis = 0; axis < kMostAxes; ++axis) {
    const bool whole = OneIn(2);
    const bool first = OneIn(2);
    for (std::size_t i = 0; i < kAxisBytes; ++i) {
      const std::size_t slot = kFirstAxis + axis * kAxisBytes + i;
      child[slot] = at((whole ? first : OneIn(2)) ? one : other, slot);
    }
  }
  child[kOverrides] = 0;  // numbers that were meant for one case seldom fit another
  SetValidity(child, invalid);
  return kRecipeBytes;
}

}  // namespace fuzz
