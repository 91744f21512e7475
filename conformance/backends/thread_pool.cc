// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the parts of a loop on several threads. Run() wakes every thread of the pool. Threads beyond the requested
// number sleep again at once. The other threads and the caller take the next part from a shared counter until no part
// is left.

#include "conformance/backends/thread_pool.h"

#include <algorithm>

namespace conformance {

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  started_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::Run(std::size_t count, std::size_t workers,
                     const std::function<void(std::size_t, std::size_t)>& part) {
  workers = std::max<std::size_t>(workers, 1);
  {
    const std::lock_guard lock(mutex_);
    part_ = &part;
    count_ = count;
    next_ = 0;
    workers_ = workers;
    // A new thread starts with the number of the previous loop, so that it takes part in this one.
    while (threads_.size() + 1 < workers) threads_.emplace_back(&ThreadPool::Serve, this, threads_.size() + 1, loop_);
    working_ = threads_.size();
    ++loop_;
  }
  started_.notify_all();
  RunParts(0);
  std::unique_lock lock(mutex_);
  finished_.wait(lock, [&] { return working_ == 0; });
}

void ThreadPool::Serve(std::size_t worker, std::size_t last_loop) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      started_.wait(lock, [&] { return closing_ || loop_ != last_loop; });
      if (closing_) return;
      last_loop = loop_;
    }
    if (worker < workers_) RunParts(worker);
    const std::lock_guard lock(mutex_);
    if (--working_ == 0) finished_.notify_one();
  }
}

void ThreadPool::RunParts(std::size_t worker) {
  for (;;) {
    const std::size_t index = next_.fetch_add(1);
    if (index >= count_) return;
    (*part_)(index, worker);
  }
}

}  // namespace conformance
