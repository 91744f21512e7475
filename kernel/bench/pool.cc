// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the thread pool of deconv-bench without locks. ParallelFor first writes the arguments of a job, then adds
// 1 to the number of the job (with release order). A thread that sees the new number (with acquire order) also sees the
// arguments. It takes indices from a common counter until none is left. The last thread to finish wakes ParallelFor.
#include "kernel/bench/pool.h"

#include <chrono>
#include <system_error>

namespace deconv::bench {
namespace {

// A thread spins (reads a variable in a loop) before it sleeps, as the pools of OpenMP do. It spins longer than another
// thread's last task usually takes. On a virtual machine, a sleeping thread woke 0.1 ms late, when others had already
// taken its tasks. If there are more threads than cores, they spin only as long as the pause between two timed runs.
constexpr std::chrono::microseconds kLongSpin(2000);
constexpr std::chrono::microseconds kShortSpin(20);
// A guess. To read the clock takes longer than a load, and a thread that reads it sees a new job later.
constexpr int kLoadsBetweenClocks = 256;

// Returns when `value` is no longer `old`. It spins, then sleeps.
void WaitWhileEqual(const std::atomic<size_t>& value, size_t old, bool long_spin) {
  using std::chrono::steady_clock;
  const steady_clock::time_point end = steady_clock::now() + (long_spin ? kLongSpin : kShortSpin);
  do {
    for (int i = 0; i < kLoadsBetweenClocks; ++i) {
      if (value.load(std::memory_order_acquire) != old) return;
    }
  } while (steady_clock::now() < end);
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Pool::Pool(size_t workers) : long_spin_(workers <= std::thread::hardware_concurrency()) {
  try {
    for (size_t worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { RunJobsUntilStopped(worker); });
    }
  } catch (const std::system_error&) {
    EndThreads();  // a thread that is still joinable ends the program when it is destroyed
    throw;
  }
}

Pool::~Pool() { EndThreads(); }

void Pool::EndThreads() {
  stop_.store(true);
  job_.fetch_add(1, std::memory_order_release);
  job_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::RunJobsUntilStopped(size_t worker) {
  size_t last_job = 0;
  while (true) {
    WaitWhileEqual(job_, last_job, long_spin_);
    last_job = job_.load(std::memory_order_acquire);
    if (stop_.load()) return;
    RunTasks(worker);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_all();
  }
}

void Pool::RunTasks(size_t worker) {
  for (size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) task_(argument_, i, worker);
}

void Pool::ParallelFor(void* pool, size_t count, deconv_task task, void* argument) {
  Pool& self = *static_cast<Pool*>(pool);
  self.count_ = count;
  self.task_ = task;
  self.argument_ = argument;
  self.next_.store(0);
  self.running_.store(self.threads_.size());
  self.job_.fetch_add(1, std::memory_order_release);
  self.job_.notify_all();
  self.RunTasks(0);
  for (size_t left = self.running_.load(std::memory_order_acquire); left != 0;
       left = self.running_.load(std::memory_order_acquire)) {
    WaitWhileEqual(self.running_, left, self.long_spin_);
  }
}

}  // namespace deconv::bench
