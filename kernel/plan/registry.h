// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry lists all algorithms by name, and chooses the one with the lowest estimate of cycles for an operator.
#ifndef DECONV_KERNEL_PLAN_REGISTRY_H_
#define DECONV_KERNEL_PLAN_REGISTRY_H_

#include <memory>
#include <span>

#include "kernel/base/algorithm.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"

namespace deconv {

// `create` returns null if the algorithm does not fit the geometry, and may throw std::bad_alloc.
struct AlgorithmEntry {
  const char* name;
  bool knows_workers;  // makes smaller tasks if Machine::many_workers
  std::unique_ptr<Algorithm> (*create)(const Geometry& geometry, const Machine& machine);
};

// All algorithms; the last one fits every geometry.
std::span<const AlgorithmEntry> Algorithms();

// Creates the algorithm `name`. If `name` is null, creates the algorithm with the lowest estimate of cycles. Returns
// its entry, or null if no algorithm fits or the name is unknown. May throw std::bad_alloc.
const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name, const Machine& machine,
                                      std::unique_ptr<Algorithm>& algorithm);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_REGISTRY_H_
