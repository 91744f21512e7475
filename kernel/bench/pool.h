// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The threads of deconv-bench. Pool::ParallelFor is the function that the kernel calls to run its tasks on threads of
// the caller. Between jobs (calls of ParallelFor), threads first spin: they read a variable in a loop, and notice a new
// job sooner than a thread that sleeps. Thread pools of frameworks do the same.
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
  // Starts threads. The thread that calls ParallelFor is one of the `workers`, so their number is workers - 1. Throws
  // std::system_error if the system gives no more threads.
  explicit Pool(size_t workers);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  size_t Workers() const { return threads_.size() + 1; }

  // A deconv_parallel_for: calls task(argument, index, worker) for each index below `count`, and returns when all calls
  // have returned. `pool` is the Pool. Only one thread may call it at a time.
  static void ParallelFor(void* pool, size_t count, deconv_task task, void* argument);

 private:
  void EndThreads();                        // wakes all threads, and waits until they have ended
  void RunJobsUntilStopped(size_t worker);  // what thread number `worker` does
  void RunTasks(size_t worker);             // takes indices of the current job until none is left

  const bool long_spin_;  // threads spin long before they sleep; must be set before the first thread starts
  std::vector<std::thread> threads_;
  std::atomic<size_t> job_ = 0;      // number of the current job; a new job, or the end, increases it
  std::atomic<size_t> running_ = 0;  // threads that have not finished the job
  std::atomic<size_t> next_ = 0;     // the next index of the job
  std::atomic<bool> stop_ = false;   // threads must end
  // The arguments of ParallelFor for the current job.
  size_t count_ = 0;
  deconv_task task_ = nullptr;
  void* argument_ = nullptr;
};

}  // namespace deconv::bench

#endif  // DECONV_KERNEL_BENCH_POOL_H_
