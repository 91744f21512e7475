// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The threads of the benchmark, behind the kernel's parallel_for. They spin between short jobs, as other pools do.
#ifndef DECONV_KERNEL_BENCH_POOL_H_
#define DECONV_KERNEL_BENCH_POOL_H_

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "deconv/deconv.h"

namespace deconv::bench {

class Pool {
 public:
  // The calling thread is one of `workers`. Throws std::system_error if the system gives no more threads.
  explicit Pool(size_t workers);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  size_t Workers() const { return threads_.size() + 1; }

  // A deconv_parallel_for; `pool` is the Pool.
  static void ParallelFor(void* pool, size_t count, deconv_task task, void* argument);

 private:
  void EndThreads();
  void Serve(size_t worker);
  void RunTasks(size_t worker);

  const bool long_spin_;  // threads spin long before they sleep; must be set before the first thread starts
  std::vector<std::thread> threads_;
  std::atomic<size_t> job_ = 0;      // number of the current job; a new job, or the end, increases it
  std::atomic<size_t> running_ = 0;  // threads that still work on the job
  std::atomic<size_t> next_ = 0;     // the next index of the job
  std::atomic<bool> stop_ = false;
  size_t count_ = 0;
  deconv_task task_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_POOL_H_
