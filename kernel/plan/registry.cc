// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the algorithms, and creates the one with the lowest estimate of CPU cycles for an operator.
#include "kernel/plan/registry.h"

#include <cstring>
#include <memory>
#include <utility>

#include "kernel/channels/channels.h"
#include "kernel/col2im/col2im.h"
#include "kernel/direct/direct.h"
#include "kernel/phased/phased.h"
#include "kernel/rows/rows.h"

namespace deconv {
namespace {

// The columns are those of AlgorithmEntry. The last algorithm fits every geometry.
constexpr AlgorithmEntry kAlgorithms[] = {
    {"channels", true, CreateChannels}, {"phased", false, CreatePhased}, {"rows", true, CreateRows},
    {"col2im", false, CreateCol2im},    {"direct", false, CreateDirect},
};

}  // namespace

std::span<const AlgorithmEntry> Algorithms() { return kAlgorithms; }

const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name, const Machine& machine,
                                      std::unique_ptr<Algorithm>& algorithm) {
  // Only a created algorithm has an estimate. Creating one is cheap: it sets sizes and offsets, and packs no filter.
  const AlgorithmEntry* best = nullptr;
  for (const AlgorithmEntry& entry : kAlgorithms) {
    if (name != nullptr && std::strcmp(name, entry.name) != 0) continue;
    std::unique_ptr<Algorithm> candidate = entry.create(geometry, machine);
    if (candidate == nullptr || (best != nullptr && candidate->Cycles() >= algorithm->Cycles())) continue;
    algorithm = std::move(candidate);
    best = &entry;
  }
  return best;
}

}  // namespace deconv
