// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects the case mutator with engines that call libFuzzer's hooks for custom mutation and cross-over. (A cross-over
// makes one input from two.) Targets whose inputs are cases link this file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/cases/case_input.h"
#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/settings.h"

// The engine's own mutations. The symbol is weak, because some engines offer none.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace fuzz {
namespace {

// One generator for all calls, because seeding takes as long as a mutation. The first seed decides all mutations.
CaseMutator& Mutator(unsigned seed) {
  static CaseMutator mutator(seed);
  return mutator;
}

/// Copies the text to `data` and returns its size. A text longer than `room` is not copied; then returns `size`, which
/// leaves the input unchanged.
std::size_t Put(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t room) {
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
  const bool words = fuzz::kInputForm.draw_word != nullptr;
  if (mutation == fuzz::Mutation::kUniform && !words) return fuzz::Put(mutator.Draw(), data, size, room);
  const std::string_view text = fuzz::TextOf({data, size});
  return fuzz::Put(words ? mutator.MutateLines(text, fuzz::kInputForm) : mutator.Mutate(text), data, size, room);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* child,
                                                 std::size_t room, unsigned seed) {
  const std::size_t size = std::min(one_size, room);
  std::copy_n(one, size, child);
  const bool words = fuzz::kInputForm.draw_word != nullptr;
  // Engines cross inputs over as often as they mutate them. One of four calls is enough for that; the others mutate.
  const bool crosses = fuzz::EnvironmentSettings().mutation == fuzz::Mutation::kCases && !words && seed % 4 == 0;
  if (!crosses) return LLVMFuzzerCustomMutator(child, size, room, seed);
  return fuzz::Put(fuzz::Mutator(seed).CrossOver(fuzz::TextOf({one, one_size}), fuzz::TextOf({other, other_size})),
                   child, size, room);
}
