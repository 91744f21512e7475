// SPDX-FileCopyrightText: the deconv-cts authors
// SPDX-License-Identifier: Apache-2.0
//
// The runner's side of a worker, the separate process in which a backend runs. A crash or hang of the backend then is
// the verdict of one case, and does not end the run.

#ifndef DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_H_
#define DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "conformance/backends/sandbox.h"
#include "conformance/backends/worker/arena.h"
#include "conformance/backends/worker/process_resources.h"
#include "conformance/case/case.h"
#include "conformance/interface/backend.h"

namespace conformance {

/// How a request ended: with the backend's answer, or with the worker's death.
struct WorkerOutcome {
  enum class End { kAnswered, kCrashed, kWroteToInput, kTimedOut, kOutOfMemory, kBrokeProtocol, kNotStarted };
  End end = End::kAnswered;
  RunAnswer answer = {};
  /// If the process ended: the signal or exit status, and the last text that the backend wrote to stderr. After
  /// kWroteToInput: the byte of data or filter that the backend wrote to.
  std::string detail = {};
  HeldResources held = {};  ///< resources that the process holds after a run of several calls
  bool bad_access = false;  ///< the crash's signal or a sanitizer says that the process touched memory it may not
};

/// How a worker runs a case.
struct RunSettings {
  int threads = 0;         ///< `threads` of Backend::Run
  bool has_output = true;  ///< false for an invalid operator, whose output is NULL
  Inputs inputs = Inputs::kReadOnly;
  int calls = 1;  ///< calls of the backend, one after the other on the same buffers
};

/// From now on, every worker that this process starts runs its backend in a sandbox (conformance/backends/sandbox.h).
/// The backend may read its own files and the files and folders in `readable`. The setting holds for the whole process,
/// so that no worker can be forgotten. Removes what killed runs of a sandbox have left in the folder for temporary
/// files.
void SandboxWorkers(std::vector<std::string> readable);
/// Returns the encoded policy of a sandbox for a program that only reads files of this backend. Empty if
/// SandboxWorkers() was not called.
std::string SandboxOf(const std::string& backend);

/// A worker process for one backend. It is started when a request needs it, and again after it ended.
class Worker {
 public:
  /// The time that a backend may take to load: GPU drivers take long. A backend that still computes after this time,
  /// such as a compiler on a busy machine, gets ten times as long.
  static constexpr std::chrono::nanoseconds kStartLimit = std::chrono::seconds(60);

  /// `arena` and `interrupt` must outlive the worker. Once `interrupt` is not 0, a run that is in progress ends as if
  /// its time limit had passed.
  Worker(std::string backend_name, Arena& arena, const std::atomic<int>* interrupt = nullptr);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts the process if none runs, and reads the declarations of the backend. Returns nothing on success.
  std::optional<BackendError> Start();
  /// Limits the memory in bytes that the backend may hold during a run, besides the buffers; 0: no limit.
  void LimitMemory(std::uint64_t bytes) { memory_limit_ = bytes; }
  /// Replaces kStartLimit.
  void LimitStart(std::chrono::nanoseconds limit) { start_limit_ = limit; }
  /// Makes the next request go to a process that has had no request yet.
  void RequireNewProcess() {
    if (was_asked_) Stop();
  }
  /// Whether another program, such as the system without memory, killed a process of this worker since Forget().
  bool was_killed() const { return was_killed_; }
  /// The stack of the last crash or hang since Forget().
  const std::string& backtrace() const { return backtrace_; }
  const std::string& backend_name() const { return backend_name_; }
  /// Whether the last run that passed its time limit since Forget() still computed then: the process or one of its
  /// descendants took CPU time. A process that sleeps, or waits for a device or a lock, does not compute.
  bool was_computing() const { return was_computing_; }
  void Forget() {
    was_killed_ = was_computing_ = false;
    backtrace_.clear();
  }
  /// The last text that the process wrote to its standard error since the last request, without a crash report. The
  /// text remains after the process has ended.
  std::string Stderr() const { return stderr_file_ < 0 ? stderr_of_ended_ : ReadStderr(); }
  /// Valid after the first successful Start().
  const Capabilities& capabilities() const { return capabilities_; }
  /// The protections of the process that was started last; absent without a sandbox.
  const std::optional<SandboxReport>& sandbox() const { return sandbox_; }
  /// Whether the backend itself runs in the worker's process. A command of the process interface gets copies of the
  /// buffers: no page guards them, and the worker does not see the memory that its allocator holds.
  bool RunsInWorker() const;

  /// Runs on the arena's buffers as they are laid out. After a death the next call starts a new process.
  WorkerOutcome Run(const std::string& case_line, oracle::Dialect dialect, std::chrono::nanoseconds limit,
                    const RunSettings& settings = {});
  /// Asks whether the backend supports the operator of the case, as Backend::Supports does.
  WorkerOutcome Supports(const std::string& case_line, oracle::Dialect dialect, std::chrono::nanoseconds limit);
  /// Sends a request of any kind (conformance/backends/worker/worker_process.h) and waits for the outcome.
  /// `progressed`, if given, is called about every 50 ms. If it returns true, the worker has finished another step, and
  /// the time limit starts again. So the limit holds for each step.
  WorkerOutcome Ask(const std::string& packet, std::chrono::nanoseconds limit,
                    const std::function<bool()>& progressed = nullptr);

 private:
  /// How a wait for an answer ended. At the time limit the process slept (kTooLate) or computed (kStillComputes).
  /// kTooMuch: it exceeded a limit on memory or processes.
  enum class Wait { kReadable, kDied, kTooLate, kStillComputes, kTooMuch };
  Wait WaitForAnswer(std::chrono::nanoseconds limit, const std::function<bool()>& progressed = nullptr);
  std::optional<Wait> Poll(std::chrono::milliseconds time);
  Wait WatchAfterLimit();
  bool ExceedsMemoryLimit();
  bool HasTooManyProcesses();
  std::string ReadStderr() const;
  std::optional<BackendError> StartOnce();
  int Spawn(int worker_socket);
  void RemoveScratch();
  std::optional<BackendError> ReceiveSandboxReport();
  std::optional<BackendError> ReceiveHello();
  std::optional<BackendError> WaitForMessage(std::string& packet);
  bool HasUnexpectedPacket() const;
  /// Asks a process that hangs for its stack, stores the stack, and ends the process.
  void StopHungProcess();
  void Stop();
  /// The outcome after a crash: the socket is closed, or a packet is no answer.
  WorkerOutcome OutcomeOfDeath();

  std::string backend_name_;
  Arena& arena_;
  const std::atomic<int>* interrupt_;
  Capabilities capabilities_;
  std::optional<SandboxReport> sandbox_;
  std::string scratch_;   ///< the sandbox's folder; empty without a sandbox
  int tasks_before_ = 0;  ///< processes and threads of the machine when the process was started
  std::string too_much_;  ///< the limit that the process exceeded: "more than 256 processes"
  std::uint64_t memory_limit_ = 0;
  std::chrono::nanoseconds start_limit_ = kStartLimit;
  std::uint64_t requests_ = 0;
  bool was_asked_ = false;  ///< this process has got a request
  bool was_killed_ = false;
  bool was_computing_ = false;
  std::string backtrace_;
  std::string stderr_of_ended_;
  std::chrono::steady_clock::time_point last_look_;  ///< when memory and processes were measured last
  pid_t process_ = -1;
  int process_file_ = -1;  ///< becomes readable when the process ends; -1 if the system has no such descriptors
  int socket_ = -1;
  int stderr_file_ = -1;
};

}  // namespace conformance

#endif  // DECONV_CONFORMANCE_BACKENDS_WORKER_WORKER_H_
