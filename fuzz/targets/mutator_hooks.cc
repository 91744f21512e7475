// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects the mutator with engines that know libFuzzer's interface. It is linked into the targets whose inputs are
// cases.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

#include "fuzz/cases/case_mutator.h"
#include "fuzz/cases/settings.h"

// The engine's own mutations; absent where the engine has none for us.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);

namespace {

std::size_t MutateBytes(std::uint8_t* data, std::size_t size, std::size_t room) {
  return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, room);
}

std::size_t DrawUniformly(std::uint8_t* data, std::size_t room, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t size = std::min(room, fuzz::CaseMutator::LeastRoom());
  std::generate_n(data, size, [&] { return static_cast<std::uint8_t>(random()); });
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
  const fuzz::Mutation mutation = fuzz::EnvironmentSettings().mutation;
  if (mutation == fuzz::Mutation::kUniform) return DrawUniformly(data, room, seed);
  // Now and then a change that no rule of ours thinks of.
  const bool ours = mutation == fuzz::Mutation::kCases && room >= fuzz::CaseMutator::LeastRoom() && seed % 32 != 0;
  if (!ours) return MutateBytes(data, size, room);
  return fuzz::CaseMutator(seed).Mutate({data, room}, size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* child,
                                                 std::size_t room, unsigned seed) {
  const fuzz::Mutation mutation = fuzz::EnvironmentSettings().mutation;
  // Engines cross as often as they mutate; what two cases have between them is soon tried.
  const bool crosses = mutation == fuzz::Mutation::kCases && room >= fuzz::CaseMutator::LeastRoom() && seed % 4 == 0;
  if (crosses) return fuzz::CaseMutator(seed).CrossOver({one, one_size}, {other, other_size}, {child, room});
  const std::size_t size = std::min(one_size, room);
  std::copy_n(one, size, child);
  return LLVMFuzzerCustomMutator(child, size, room, seed);
}
