// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects the case mutator, which changes cases field by field (case_mutator.h), with fuzzing engines. Engines call
// the two hooks of libFuzzer below to make new inputs: one mutates an input, and the other makes one input from two
// (cross-over). Targets whose inputs are cases link this file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/settings.h"

// The engine's own mutation of bytes. The symbol is weak, because some engines have none. In all functions of this
// file, `data` holds an input of `size` bytes and has room for `room` bytes.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace fuzz {
namespace {

// One mutator for all calls, because seeding its random numbers takes as long as a mutation. The first seed decides all
// mutations.
CaseMutator& Mutator(unsigned first_seed) {
  static CaseMutator mutator(first_seed);
  return mutator;
}

/// Copies the text to `data` and returns its size. A text longer than `room` is not copied; then returns `size`, which
/// leaves the input unchanged.
std::size_t CopyIfItFits(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t room) {
  if (text.size() > room) return size;
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

}  // namespace
}  // namespace fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  const fuzz::Mutation mutation = fuzz::EnvironmentSettings().mutation;
  if (mutation == fuzz::Mutation::kBytes) {
    return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, room);
  }
  fuzz::CaseMutator& mutator = fuzz::Mutator(seed);
  // Inputs of some targets begin with a line of words, and have several cases.
  const bool has_words = fuzz::kInputForm.draw_word != nullptr;
  if (mutation == fuzz::Mutation::kUniform && !has_words) return fuzz::CopyIfItFits(mutator.Draw(), data, size, room);
  const std::string_view text = fuzz::TextOf({data, size});
  return fuzz::CopyIfItFits(has_words ? mutator.MutateLines(text, fuzz::kInputForm) : mutator.Mutate(text), data, size,
                            room);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* child,
                                                 std::size_t room, unsigned seed) {
  const std::size_t size = std::min(one_size, room);
  std::copy_n(one, size, child);
  const bool has_words = fuzz::kInputForm.draw_word != nullptr;
  // Engines cross inputs over as often as they mutate them. One of four calls is enough for that; the others mutate.
  const bool crosses_over =
      fuzz::EnvironmentSettings().mutation == fuzz::Mutation::kCases && !has_words && seed % 4 == 0;
  if (!crosses_over) return LLVMFuzzerCustomMutator(child, size, room, seed);
  return fuzz::CopyIfItFits(
      fuzz::Mutator(seed).CrossOver(fuzz::TextOf({one, one_size}), fuzz::TextOf({other, other_size})), child, size,
      room);
}
