// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan behind the public handle: the geometry and the chosen algorithm, with its tasks for few and many threads.
#ifndef DECONV_KERNEL_PLAN_PLAN_H_
#define DECONV_KERNEL_PLAN_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernel/base/algorithm.h"
#include "kernel/base/cpu_class.h"
#include "kernel/base/geometry.h"

namespace deconv {

// Returns a hash of all that decides the order of a packed filter: filter shape, strides, phases, algorithm, target.
uint64_t PackingId(const Geometry& geometry, const char* name, const Algorithm& algorithm);

}  // namespace deconv

struct deconv_plan {  // NOLINT(readability-identifier-naming): the C interface's name
  deconv::Geometry geometry;
  std::array<int64_t, deconv::kMaxAxes> pads_begin = {};
  std::array<int64_t, deconv::kMaxAxes> pads_end = {};
  const char* algorithm_name = nullptr;
  const deconv::CpuClass* cpu = nullptr;
  std::unique_ptr<deconv::Algorithm> algorithm;
  // The same algorithm with smaller tasks, for more than kFewWorkers workers. Null if it has no more tasks than
  // `algorithm`, or needs another packed filter.
  std::unique_ptr<deconv::Algorithm> many_workers_algorithm;
  uint64_t packing_id = 0;
  size_t packed_bytes = 0;  // with the header of packed_filter.h

  // Returns the algorithm for a run of `batch` samples. `algorithm`, with larger tasks, is used if it has enough.
  const deconv::Algorithm& AlgorithmOf(size_t workers, int64_t batch) const {
    const bool many = workers > deconv::kFewWorkers && many_workers_algorithm != nullptr;
    return many && algorithm->TaskCount(batch) < deconv::kEnoughTasks ? *many_workers_algorithm : *algorithm;
  }
};

#endif  // DECONV_KERNEL_PLAN_PLAN_H_
