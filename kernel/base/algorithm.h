// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The interface of the algorithms for transposed convolution, such as "phased" (kernel/README.md). An object computes
// one operator. It states its sizes, packs a filter, and computes the output in a fixed number of independent tasks. A
// task is the part of a run that one thread computes. The tasks depend only on the geometry and the Machine
// (base/cpu_class.h). How the work is cut into tasks changes no bit of the output. A new algorithm implements this
// class and gets a line in plan/registry.cc.
#ifndef DECONV_KERNEL_BASE_ALGORITHM_H_
#define DECONV_KERNEL_BASE_ALGORITHM_H_

#include <cstddef>
#include <cstdint>

#include "kernel/base/geometry.h"

namespace deconv {

// The memory of one run, and the order of its tasks.
struct RunBuffers {
  const char* data = nullptr;
  const char* filter = nullptr;  // the output of Pack
  bool filter_is_finite = true;  // the result of Pack
  char* output = nullptr;
  int64_t tasks = 0;             // the number of tasks of the run
  int64_t tasks_until_next = 1;  // step from a thread's task to its next one, if threads take tasks in turn

  // Returns the task that the thread of `task` will likely run next; -1 if none is left.
  int64_t NextTask(int64_t task) const { return task + tasks_until_next < tasks ? task + tasks_until_next : -1; }
};

class Algorithm {
 public:
  Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;
  virtual ~Algorithm() = default;

  // Name of the instruction set that the algorithm was created for.
  virtual const char* Target() const = 0;
  // Estimated cycles of one sample (element of the batch) on one core. The estimate must not depend on the batch: it
  // chooses the algorithm, and one packed filter serves all batches.
  virtual double Cycles() const = 0;
  // Bytes of the packed filter.
  virtual size_t PackedBytes() const = 0;
  // An algorithm may pack one filter for one target in several ways. Returns the number of the way of this plan.
  virtual uint64_t PackingVariant() const { return 0; }
  // Bytes of scratch for one running task. The memory is aligned to kScratchAlignment.
  virtual size_t ScratchBytes() const = 0;
  // The number of tasks of `batch` samples. Those of sample n follow those of sample n - 1, and are the same in any
  // batch.
  virtual int64_t TaskCount(int64_t batch) const = 0;

  // Rearranges the filter into the order in which Run reads it. Buffers may have any alignment. Returns whether every
  // value of the filter is finite.
  virtual bool Pack(const char* filter, char* packed) const = 0;
  // Computes and stores the outputs of one task. Tasks may run at the same time, each with scratch of its own.
  virtual void Run(const RunBuffers& buffers, int64_t task, char* scratch) const = 0;
};

// The pair of cache lines that x86 CPUs fetch at once, and the line of Apple's CPUs, so that threads share none.
inline constexpr size_t kScratchAlignment = 128;
// A sample is cut into at most about this many tasks, enough for any number of threads. More would gain little.
inline constexpr int64_t kEnoughTasks = 64;

// Bytes of a cache line. A prefetch loads one. Stores that bypass the caches (non-temporal stores) write whole lines.
inline constexpr int64_t kLineBytes = 64;
// From this size of an output sample on, stores bypass the caches. Such a sample fills a good part of a shared cache,
// and a line that is stored normally is read first. A depthwise output of 16 MiB with channels last was written a
// quarter faster on Zen 3. Layers with planar outputs of 8 to 51 MiB took 0.74 to 0.99 of their former time on Zen 5.
inline constexpr int64_t kStreamBytes = 8 * 1024 * 1024;

}  // namespace deconv

#endif  // DECONV_KERNEL_BASE_ALGORITHM_H_
