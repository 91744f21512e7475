// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry: all algorithms by name, and the choice among them.
#ifndef DECONV_KERNEL_PLAN_REGISTRY_H_
#define DECONV_KERNEL_PLAN_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <span>

#include "kernel/base/algorithm.h"
#include "kernel/base/geometry.h"

namespace deconv {

// `create` returns null if the algorithm does not fit the geometry, and may throw std::bad_alloc. `target` is a bit of
// Highway's, or 0 for the best target of this machine; see targets.h.
struct AlgorithmEntry {
  const char* name;
  std::unique_ptr<Algorithm> (*create)(const Geometry& geometry, int64_t target);
};

// All algorithms; the last one fits every geometry.
std::span<const AlgorithmEntry> Algorithms();

// Creates the algorithm `name`, or, if `name` is null, the one with the lowest estimate of cycles. Returns null if none
// fits or the name is unknown.
const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name, int64_t target,
                                      std::unique_ptr<Algorithm>& algorithm);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_REGISTRY_H_
