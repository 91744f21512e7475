// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The plan behind the public handle deconv_plan: an operator that is prepared once and run many times. It holds the
// geometry (plain sizes, strides and pads) and the chosen algorithm. A run is cut into tasks, each computed by one
// thread. If there are many threads, a second object of the same algorithm may cut the work into smaller tasks.
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

// Returns a hash of all that decides the order of the weights in a packed filter: the algorithm's `name`, target and
// PackingVariant(), and the type, groups, channels and filter strides. Of each axis it has kernel, stride, dilation,
// pads_begin and output.
uint64_t PackingId(const Geometry& geometry, const char* name, const Algorithm& algorithm);

}  // namespace deconv

struct deconv_plan {  // NOLINT(readability-identifier-naming): the C interface's name
  deconv::Geometry geometry;
  // Copies of the pads in `geometry`: deconv_plan_pads_begin() and deconv_plan_pads_end() return pointers to these
  // arrays.
  std::array<int64_t, deconv::kMaxAxes> pads_begin = {};
  std::array<int64_t, deconv::kMaxAxes> pads_end = {};
  const char* algorithm_name = nullptr;
  const deconv::CpuClass* cpu = nullptr;  // the class of CPUs whose costs chose the algorithm
  std::unique_ptr<deconv::Algorithm> algorithm;
  // The same algorithm with smaller tasks, for more than kFewWorkers workers (threads that run tasks). Null if the
  // algorithm cannot cut a sample into more tasks, if these need another packed filter, or if `algorithm` has
  // kEnoughTasks tasks for one sample.
  std::unique_ptr<deconv::Algorithm> many_workers_algorithm;
  uint64_t packing_id = 0;
  size_t packed_bytes = 0;  // of the packed filter: its header (packed_filter.h) and the weights

  // Returns `many_workers_algorithm` if it exists, there are more than kFewWorkers workers, and `algorithm` has fewer
  // than kEnoughTasks tasks for this batch. Otherwise returns `algorithm`: its larger tasks copy less data.
  const deconv::Algorithm& AlgorithmOf(size_t workers, int64_t batch) const {
    const bool many = workers > deconv::kFewWorkers && many_workers_algorithm != nullptr;
    return many && algorithm->TaskCount(batch) < deconv::kEnoughTasks ? *many_workers_algorithm : *algorithm;
  }
};

#endif  // DECONV_KERNEL_PLAN_PLAN_H_
