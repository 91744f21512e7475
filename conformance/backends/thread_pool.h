// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Threads that share the parts of one loop at a time. Backends of the suite itself, such as the kernel's, use the pool
// if they are asked for several threads.

#ifndef DECONV_CONFORMANCE_BACKENDS_THREAD_POOL_H_
#define DECONV_CONFORMANCE_BACKENDS_THREAD_POOL_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace conformance {

/// A pool that grows to the largest number of threads that was asked for.
class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls part(index, worker) for every index in [0, count), on `workers` threads including the caller's. `worker` is
  /// below `workers`, and parts that run at the same time get different workers. Threads are started when first needed,
  /// and kept. Only one thread may call Run() at a time. `part` must not throw.
  void Run(std::size_t count, std::size_t workers, const std::function<void(std::size_t, std::size_t)>& part);

 private:
  /// The life of a thread: waits for each new loop and takes part in it.
  void Serve(std::size_t worker, std::size_t last_loop);
  /// Runs parts of the present loop until none is left.
  void RunParts(std::size_t worker);

  std::vector<std::thread> threads_;  ///< threads of worker 1 and the following ones
  std::mutex mutex_;
  std::condition_variable started_;
  std::condition_variable finished_;
  // The state of the loop that runs.
  std::size_t loop_ = 0;  ///< its number, by which a thread sees that a new loop has started
  std::size_t workers_ = 0;
  std::size_t working_ = 0;  ///< threads that have not finished this loop
  bool closing_ = false;
  const std::function<void(std::size_t, std::size_t)>* part_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;  ///< index of the next part that nobody has taken
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_THREAD_POOL_H_
