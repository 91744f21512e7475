// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The registry lists all algorithms by name, such as "channels" (kernel/README.md explains each). For an operator it
// chooses the algorithm with the lowest estimate of CPU cycles.
#ifndef DECONV_KERNEL_PLAN_REGISTRY_H_
#define DECONV_KERNEL_PLAN_REGISTRY_H_

#include <memory>
#include <span>

#include "kernel/base/algorithm.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"

namespace deconv {

struct AlgorithmEntry {
  const char* name;
  // Whether `create` makes smaller tasks if Machine::many_workers is set. Then a plan (plan.cc) may create the
  // algorithm a second time, for runs with many threads.
  bool has_smaller_tasks;
  // Returns null if the algorithm does not fit the geometry. May throw std::bad_alloc.
  std::unique_ptr<Algorithm> (*create)(const Geometry& geometry, const Machine& machine);
};

// All algorithms; the last one fits every geometry.
std::span<const AlgorithmEntry> Algorithms();

// Creates the algorithm `name` in `algorithm`. If `name` is null, creates the one with the lowest estimate of cycles.
// Returns its entry, or null if no algorithm fits or the name is unknown. May throw std::bad_alloc.
const AlgorithmEntry* ChooseAlgorithm(const Geometry& geometry, const char* name, const Machine& machine,
                                      std::unique_ptr<Algorithm>& algorithm);

}  // namespace deconv

#endif  // DECONV_KERNEL_PLAN_REGISTRY_H_
