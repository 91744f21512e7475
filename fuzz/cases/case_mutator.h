// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes an encoded case decision by decision instead of bit by bit. A valid case stays valid and an invalid case
// stays invalid, unless the change is about validity.

#ifndef DECONV_FUZZ_CASES_CASE_MUTATOR_H_
#define DECONV_FUZZ_CASES_CASE_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace fuzz {

/// Changes the bytes of a case, which fuzz/codec/codec.h describes. The same seed changes the same bytes in the same
/// way.
class CaseMutator {
 public:
  explicit CaseMutator(std::uint32_t seed);

  /// Bytes that a whole case needs, without overrides.
  static std::size_t LeastRoom();

  /// Changes the case in the first `size` of `bytes` in place; what lies behind is room for it, at least LeastRoom() in
  /// all. Returns its new size.
  std::size_t Mutate(std::span<std::uint8_t> bytes, std::size_t size);

  /// Into `child`, which has LeastRoom(): a case of which each decision is that of one or the other parent; axes are
  /// taken whole now and then. Returns its size.
  std::size_t CrossOver(std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                        std::span<std::uint8_t> child);

 private:
  std::size_t Below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  bool OneIn(std::size_t count) { return Below(count) == 0; }
  std::uint8_t Byte() { return static_cast<std::uint8_t>(Below(256)); }
  std::size_t SomeSlot(bool invalid);
  std::size_t SomeAxis();

  void SetSlots(std::span<std::uint8_t> bytes);
  void StepSlot(std::span<std::uint8_t> bytes);
  void ClearSlots(std::span<std::uint8_t> bytes);
  void MoveAxis(std::span<std::uint8_t> bytes);
  void DrawAnew(std::span<std::uint8_t> bytes, bool invalid);
  void SetValidity(std::span<std::uint8_t> bytes, bool invalid);
  std::size_t Override(std::span<std::uint8_t> bytes, std::size_t size);

  std::minstd_rand random_;
};

}  // namespace fuzz

#endif  // DECONV_FUZZ_CASES_CASE_MUTATOR_H_
