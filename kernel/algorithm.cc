// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry of algorithms and the choice among them.
#include "kernel/algorithm.h"

#include <cstring>

#include "kernel/direct.h"
#include "kernel/phased.h"

namespace deconv {
namespace {

// The last one fits every geometry.
constexpr AlgorithmEntry kAlgorithms[] = {
    {"phased", CreatePhased},
    {"direct", CreateDirect},
};

}  // namespace

const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name,
                                      std::unique_ptr<Algorithm>& algorithm) {
  for (const AlgorithmEntry& entry : kAlgorithms) {
    if (name != nullptr && std::strcmp(name, entry.name) != 0) continue;
    algorithm = entry.create(geometry);
    if (algorithm != nullptr) return &entry;
  }
  return nullptr;
}

}  // namespace deconv
